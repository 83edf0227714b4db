//! Constants that code compares, stores and passes: raw material for inputs. Owns collecting them per method and
//! following calls to gather those of callees.

use std::collections::BTreeSet;

use crate::class_info::ConstantValue;
use crate::instruction::{Instruction, Operand, opcode as op};
use crate::names::{ClassName, FieldType};
use crate::problem::Problem;
use crate::raw::{Constant, Pool, RawClass};
use crate::world::{Scope, World};

use super::casts::class_operand;

/// Constants by type, sorted, each once. Floats are bits. An `int` that is only loaded may stand for a `boolean`,
/// `char`, `byte` or `short`: the code does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants {
    pub ints: Vec<i32>,
    pub longs: Vec<i64>,
    pub floats: Vec<u32>,
    pub doubles: Vec<u64>,
    /// UTF-16 units.
    pub strings: Vec<Vec<u16>>,
    pub classes: Vec<FieldType>,
    /// Keys of switches; not among `ints`.
    pub switch_keys: Vec<i32>,
}

impl Constants {
    pub(super) fn of_fields(raw: &RawClass<'_>) -> Result<Constants, Problem> {
        let mut constants = Constants::default();
        for field in &raw.fields {
            if let Some(attribute) = field.attributes.find(&raw.pool, "ConstantValue")
                && let [high, low] = *attribute.content
            {
                constants.load(u16::from_be_bytes([high, low]), &raw.pool)?;
            }
        }
        constants.finish();
        Ok(constants)
    }

    pub(super) fn see(&mut self, instruction: &Instruction<'_>, pool: &Pool<'_>) -> Result<(), Problem> {
        let opcode = instruction.opcode;
        match (opcode, instruction.operand) {
            (op::ICONST_M1..=op::ICONST_5, _) => self.ints.push(i32::from(opcode) - i32::from(op::ICONST_0)),
            (op::LCONST_0 | op::LCONST_1, _) => self.longs.push(i64::from(opcode - op::LCONST_0)),
            (op::FCONST_0..=op::FCONST_2, _) => self.floats.push(f32::from(opcode - op::FCONST_0).to_bits()),
            (op::DCONST_0 | op::DCONST_1, _) => self.doubles.push(f64::from(opcode - op::DCONST_0).to_bits()),
            (op::BIPUSH | op::SIPUSH, Operand::Int(v)) => self.ints.push(v),
            (op::IINC, Operand::Increment { by, .. }) => self.ints.push(i32::from(by)),
            (op::LDC | op::LDC_W | op::LDC2_W, Operand::Constant(index)) => self.load(index, pool)?,
            (_, Operand::Switch(switch)) => {
                // A tableswitch fills its gaps with cases that go to the default.
                let default = switch.default_target();
                self.switch_keys.extend(switch.cases().filter(|(_, target)| *target != default).map(|(key, _)| key));
            }
            _ => {}
        }
        Ok(())
    }

    fn load(&mut self, index: u16, pool: &Pool<'_>) -> Result<(), Problem> {
        match pool.get(index) {
            Some(Constant::Integer(v)) => self.ints.push(v),
            Some(Constant::Long(v)) => self.longs.push(v),
            Some(Constant::Float(bits)) => self.floats.push(bits),
            Some(Constant::Double(bits)) => self.doubles.push(bits),
            Some(Constant::String { text }) => self.strings.push(pool.text(text)?.utf16()),
            Some(Constant::Class { name }) => self.classes.extend(class_operand(pool.text(name)?)),
            // Method types, handles and dynamic constants are no inputs.
            _ => {}
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) {
        fn tidy<T: Ord>(list: &mut Vec<T>) {
            list.sort();
            list.dedup();
        }
        tidy(&mut self.ints);
        tidy(&mut self.longs);
        tidy(&mut self.floats);
        tidy(&mut self.doubles);
        tidy(&mut self.strings);
        tidy(&mut self.classes);
        tidy(&mut self.switch_keys);
    }

    /// Adds those of another place.
    pub fn merge(&mut self, other: &Constants) {
        self.append(other);
        self.finish();
    }

    /// Like `merge`, to be finished once at the end.
    pub(super) fn append(&mut self, other: &Constants) {
        self.ints.extend_from_slice(&other.ints);
        self.longs.extend_from_slice(&other.longs);
        self.floats.extend_from_slice(&other.floats);
        self.doubles.extend_from_slice(&other.doubles);
        self.strings.extend_from_slice(&other.strings);
        self.classes.extend_from_slice(&other.classes);
        self.switch_keys.extend_from_slice(&other.switch_keys);
    }

    /// All of them, switch keys as `int`s, in one list without repetition.
    pub fn values(&self) -> Vec<ConstantValue> {
        let ints: BTreeSet<i32> = self.ints.iter().chain(&self.switch_keys).copied().collect();
        let mut all: Vec<ConstantValue> = ints.into_iter().map(ConstantValue::Int).collect();
        all.extend(self.longs.iter().map(|v| ConstantValue::Long(*v)));
        all.extend(self.floats.iter().map(|v| ConstantValue::Float(*v)));
        all.extend(self.doubles.iter().map(|v| ConstantValue::Double(*v)));
        all.extend(self.strings.iter().map(|v| ConstantValue::String(v.clone())));
        all.extend(self.classes.iter().map(|v| ConstantValue::Class(v.clone())));
        all
    }
}

impl World {
    /// The constants of a class and of the application methods its methods call, directly (`depth` 1) or through at
    /// most `depth` calls. Depth 0 is the class alone. Missing and unreadable classes add nothing.
    pub fn constants_reachable_from(&self, class: &ClassName, depth: usize) -> Constants {
        let Ok(facts) = self.facts(class) else { return Constants::default() };
        let mut all = facts.constants();
        let own = (0..facts.methods.len()).map(|index| (class.clone(), index));
        let mut seen: BTreeSet<(ClassName, usize)> = own.collect();
        let mut wave: Vec<(ClassName, usize)> = seen.iter().cloned().collect();
        for _ in 0..depth {
            let mut next = Vec::new();
            for (caller, index) in wave {
                let Ok(facts) = self.facts(&caller) else { continue };
                for call in &facts.methods[index].calls {
                    let Some(target) = call.class().and_then(|c| self.resolve_method(c, &call.name, &call.descriptor))
                    else {
                        continue;
                    };
                    let callee = (target.owner().clone(), target.index);
                    if self.is_application(target.owner()) && seen.insert(callee.clone()) {
                        next.push(callee);
                    }
                }
            }
            for (callee, index) in &next {
                if let Ok(facts) = self.facts(callee) {
                    all.append(&facts.methods[*index].constants);
                }
            }
            wave = next;
        }
        all.finish();
        all
    }

    /// Whether the class belongs to the class path under test.
    pub fn is_application(&self, class: &ClassName) -> bool {
        self.names(Scope::Application).binary_search(class).is_ok()
    }
}
