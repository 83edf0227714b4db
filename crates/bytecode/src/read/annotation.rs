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
