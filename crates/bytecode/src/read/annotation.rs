//! Annotations, by the name of their class. Owns walking over element values; keeps none of them.

use crate::class_info::Annotation;
use crate::names::FieldType;
use crate::problem::Problem;
use crate::raw::{Cursor, Pool};

/// Annotations inside annotations go no deeper than this.
const MAX_DEPTH: usize = 64;

/// The content of a `Runtime…Annotations` attribute.
pub(super) fn list(cursor: &mut Cursor<'_>, pool: &Pool<'_>) -> Result<Vec<Annotation>, Problem> {
    let count = usize::from(cursor.u2("annotations")?);
    let mut annotations = Vec::with_capacity(count.min(cursor.remaining() / 4));
    for _ in 0..count {
        annotations.push(one(cursor, pool, 0)?);
    }
    Ok(annotations)
}

/// The content of a `Runtime…ParameterAnnotations` attribute: a list per parameter it knows of.
pub(super) fn per_parameter(cursor: &mut Cursor<'_>, pool: &Pool<'_>) -> Result<Vec<Vec<Annotation>>, Problem> {
    let count = cursor.u1("parameter annotations")?;
    (0..count).map(|_| list(cursor, pool)).collect()
}

/// The content of a `Runtime…TypeAnnotations` attribute of a method: those of its parameters as a whole, with the
/// parameter's number. What is said of type arguments or of elements of arrays is left out.
pub(super) fn of_parameters(cursor: &mut Cursor<'_>, pool: &Pool<'_>) -> Result<Vec<(usize, Annotation)>, Problem> {
    const FORMAL_PARAMETER: u8 = 0x16;
    const INTO_NESTED: u8 = 1;
    let count = cursor.u2("type annotations")?;
    let mut found = Vec::new();
    for _ in 0..count {
        let at = cursor.position();
        let target = cursor.u1("a type annotation's target")?;
        let mut parameter = None;
        match target {
            FORMAL_PARAMETER => parameter = Some(usize::from(cursor.u1("a parameter's number")?)),
            0x00 | 0x01 => {
                cursor.u1("a type parameter's number")?;
            }
            0x11 | 0x12 | 0x10 | 0x17 => {
                cursor.u2("a type annotation's place")?;
            }
            0x13..=0x15 => {}
            _ => return Err(Problem::malformed(at, "a type annotation's target outside of code")),
        }
        let steps = cursor.u1("a type path")?;
        for _ in 0..steps {
            let kind = cursor.u1("a step of a type path")?;
            cursor.u1("a step of a type path")?;
            if kind != INTO_NESTED {
                parameter = None;
            }
        }
        let annotation = one(cursor, pool, 0)?;
        found.extend(parameter.map(|p| (p, annotation)));
    }
    Ok(found)
}

fn one(cursor: &mut Cursor<'_>, pool: &Pool<'_>, depth: usize) -> Result<Annotation, Problem> {
    let at = cursor.position();
    let descriptor = pool.text(cursor.u2("an annotation")?)?;
    let Some(FieldType::Class(class)) = FieldType::parse(&descriptor.lossy()) else {
        return Err(Problem::malformed(at, "an annotation's class descriptor"));
    };
    let count = cursor.u2("an annotation's elements")?;
    for _ in 0..count {
        cursor.u2("an annotation element's name")?;
        skip_value(cursor, pool, depth)?;
    }
    Ok(Annotation { class })
}

fn skip_value(cursor: &mut Cursor<'_>, pool: &Pool<'_>, depth: usize) -> Result<(), Problem> {
    let at = cursor.position();
    if depth > MAX_DEPTH {
        return Err(Problem::malformed(at, "less nesting of annotations"));
    }
    match cursor.u1("an annotation value")? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => {
            cursor.u2("an annotation value")?;
        }
        b'e' => {
            cursor.u4("an enum value")?;
        }
        b'@' => {
            one(cursor, pool, depth + 1)?;
        }
        b'[' => {
            let count = cursor.u2("an annotation array")?;
            for _ in 0..count {
                skip_value(cursor, pool, depth + 1)?;
            }
        }
        _ => return Err(Problem::malformed(at, "the tag of an annotation value")),
    }
    Ok(())
}
