//! Classes that stand for lambdas and method references. Owns their bodies; which body is wanted is said by the operation.

use bytecode::access::Access;
use bytecode::assemble::{ClassBuilder, Code, Op};
use bytecode::names::{FieldType, MethodDescriptor, Primitive};
use testcase::operation::{Lambda, LambdaBody};
use testcase::value::Constant;

use super::emit::{cast, rank};

/// A class implementing the interface, with a public constructor without parameters.
pub fn class(name: &str, lambda: &Lambda) -> Result<Vec<u8>, String> {
    let (descriptor, exact) = (parse(&lambda.descriptor)?, parse(&lambda.exact)?);
    let mut class = ClassBuilder::new(name, Access::PUBLIC | Access::FINAL | Access::SYNTHETIC);
    class.interface(lambda.interface.internal()).default_constructor(Access::PUBLIC);
    let emitted = class.method(Access::PUBLIC, &lambda.method, &lambda.descriptor, |code| {
        // The JDK's loops count no steps: those that call us end all the same.
        code.invoke_static("testudo/runtime/Hooks", "callback", "()V");
        for (index, (given, exact)) in descriptor.params.iter().zip(&exact.params).enumerate() {
            if given != exact {
                code.load(&given.to_string(), code.param_slot(index));
                cast(code, exact);
                code.pop(&given.to_string());
            }
        }
        body(code, &descriptor, &lambda.body)?;
        match &descriptor.result {
            None => code.return_void(),
            Some(result) => code.return_value(&result.to_string()),
        }
        Ok::<(), String>(())
    });
    emitted?;
    class.finish().map_err(|e| e.to_string())
}

fn body(code: &mut Code<'_>, descriptor: &MethodDescriptor, body: &LambdaBody) -> Result<(), String> {
    let result = descriptor.result.as_ref();
    match body {
        LambdaBody::Nothing => {
            if let Some(result) = result {
                default_value(code, result);
            }
        }
        LambdaBody::Constant(value) => {
            if let Some(result) = result {
                let pushed = constant(code, value);
                convert(code, pushed.as_ref(), result)?;
            }
        }
        LambdaBody::Parameter(index) => {
            let index = usize::from(*index);
            let param = descriptor.params.get(index).ok_or_else(|| format!("no parameter {index} in {descriptor}"))?;
            if let Some(result) = result {
                code.load(&param.to_string(), code.param_slot(index));
                convert(code, Some(param), result)?;
            }
        }
        LambdaBody::Reference { owner, name, descriptor: target, is_static, owner_is_interface } => {
            let parsed = parse(target)?;
            let mut wanted: Vec<FieldType> = Vec::new();
            if !is_static {
                wanted.push(FieldType::Class(owner.clone()));
            }
            wanted.extend(parsed.params.iter().cloned());
            if wanted.len() != descriptor.params.len() {
                return Err(format!("{owner}::{name}{target} does not fit {descriptor}"));
            }
            for (index, (have, want)) in descriptor.params.iter().zip(&wanted).enumerate() {
                code.load(&have.to_string(), code.param_slot(index));
                convert(code, Some(have), want)?;
            }
            match (is_static, owner_is_interface) {
                (true, false) => code.invoke_static(owner.internal(), name, target),
                (true, true) => code.invoke_static_on_interface(owner.internal(), name, target),
                (false, false) => code.invoke_virtual(owner.internal(), name, target),
                (false, true) => code.invoke_interface(owner.internal(), name, target),
            }
            match (&parsed.result, result) {
                (Some(have), Some(want)) => convert(code, Some(have), want)?,
                (Some(have), None) => code.pop(&have.to_string()),
                (None, None) => {}
                (None, Some(_)) => {
                    return Err(format!("{owner}::{name}{target} gives nothing for {descriptor}"));
                }
            }
        }
    }
    Ok(())
}

fn default_value(code: &mut Code<'_>, ty: &FieldType) {
    match ty {
        FieldType::Primitive(Primitive::Long) => code.push_long(0),
        FieldType::Primitive(Primitive::Float) => code.push_float_bits(0),
        FieldType::Primitive(Primitive::Double) => code.push_double_bits(0),
        FieldType::Primitive(_) => code.push_int(0),
        _ => code.push_null(),
    }
}

/// Pushes the constant and gives its type; `None` for null.
fn constant(code: &mut Code<'_>, value: &Constant) -> Option<FieldType> {
    let primitive = match value {
        Constant::Null => {
            code.push_null();
            return None;
        }
        Constant::String(text) => {
            code.push_string_utf16(text.units());
            return FieldType::parse("Ljava/lang/String;");
        }
        Constant::Class(class) => {
            code.push_class(class);
            return FieldType::parse("Ljava/lang/Class;");
        }
        Constant::Enum { class, name } => {
            code.get_static(class.internal(), name, &format!("L{class};"));
            return Some(FieldType::Class(class.clone()));
        }
        Constant::Boolean(v) => {
            code.push_int(i32::from(*v));
            Primitive::Boolean
        }
        Constant::Byte(v) => {
            code.push_int(i32::from(*v));
            Primitive::Byte
        }
        Constant::Char(v) => {
            code.push_int(i32::from(*v));
            Primitive::Char
        }
        Constant::Short(v) => {
            code.push_int(i32::from(*v));
            Primitive::Short
        }
        Constant::Int(v) => {
            code.push_int(*v);
            Primitive::Int
        }
        Constant::Long(v) => {
            code.push_long(*v);
            Primitive::Long
        }
        Constant::Float(bits) => {
            code.push_float_bits(*bits);
            Primitive::Float
        }
        Constant::Double(bits) => {
            code.push_double_bits(*bits);
            Primitive::Double
        }
    };
    Some(FieldType::Primitive(primitive))
}

/// Makes the value on the stack fit, as Java's assignment conversions do. `have` is `None` for null.
fn convert(code: &mut Code<'_>, have: Option<&FieldType>, want: &FieldType) -> Result<(), String> {
    match (have, want) {
        (None, FieldType::Primitive(p)) => return Err(format!("null for a {}", p.keyword())),
        (None, _) => {}
        (Some(FieldType::Primitive(have)), FieldType::Primitive(want)) => widen(code, *have, *want)?,
        (Some(FieldType::Primitive(have)), want) => {
            code.box_primitive(*have);
            if want.class_operand().as_deref() != Some(have.box_class()) {
                cast(code, want);
            }
        }
        (Some(_), FieldType::Primitive(want)) => unbox(code, *want),
        (Some(have), want) if have != want => cast(code, want),
        _ => {}
    }
    Ok(())
}

/// Any `Number` gives a numeric primitive: the instantiated type is known to fit, its box class is not.
fn unbox(code: &mut Code<'_>, want: Primitive) {
    if matches!(want, Primitive::Boolean | Primitive::Char) {
        return code.unbox_primitive(want);
    }
    code.checkcast("java/lang/Number");
    let name = format!("{}Value", want.keyword());
    code.invoke_virtual("java/lang/Number", &name, &format!("(){}", want.descriptor()));
}

fn widen(code: &mut Code<'_>, have: Primitive, want: Primitive) -> Result<(), String> {
    if have == want {
        return Ok(());
    }
    match (rank(have), rank(want)) {
        (Some(0), Some(0)) => {}
        (Some(0), Some(1)) => code.op(Op::I2l),
        (Some(0), Some(2)) => code.op(Op::I2f),
        (Some(0), Some(3)) => code.op(Op::I2d),
        (Some(1), Some(2)) => code.op(Op::L2f),
        (Some(1), Some(3)) => code.op(Op::L2d),
        (Some(2), Some(3)) => code.op(Op::F2d),
        _ => return Err(format!("{} is no {}", have.keyword(), want.keyword())),
    }
    Ok(())
}

fn parse(descriptor: &str) -> Result<MethodDescriptor, String> {
    MethodDescriptor::parse(descriptor).ok_or_else(|| format!("`{descriptor}` is no method descriptor"))
}
