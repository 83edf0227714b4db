//! Which calls reach outside of what a test makes itself, and the code that says so before they are made. Owns the meaning of the table
//! `reach.txt`; the hooks it calls are the static methods of the class `Marks` beside the others.

use std::sync::Arc;

use super::constants::PoolFull;
use super::draft::Draft;
use super::method::Pass;
use crate::instruction::opcode as op;
use crate::names::{ClassName, FieldType, MethodDescriptor};
use crate::raw::{Constant, Cursor, MemberRef, RawClass};
use crate::world::World;
use rustc_hash::{FxHashMap, FxHashSet};

const TABLE: &str = include_str!("reach.txt");
/// In the order of their bits.
const KINDS: [&str; 8] = ["FILES", "NETWORK", "PROGRAM", "PROCESS", "IPC", "OTHER", "STATE", "LOOKS"];
/// The bit of calls that depend on the machine and change nothing.
const LOOKS: u8 = 1 << 7;

/// The calls that are marked.
#[derive(Debug, PartialEq, Eq)]
pub struct Reaches {
    rows: FxHashMap<&'static str, Vec<Row>>,
    /// Names of methods in the table that subclasses of their owners may inherit.
    inherited: FxHashSet<&'static str>,
    /// Some row has a pattern in place of a name.
    patterns: Vec<&'static str>,
}

#[derive(Debug, PartialEq, Eq)]
struct Row {
    kinds: u8,
    rule: Rule,
    name: &'static str,
    /// `name` is only the beginning.
    open: bool,
    descriptor: &'static str,
}

/// When a call counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rule {
    /// The hook that decides; `always` does not look.
    hook: &'static str,
    /// The parameter it looks at; `None`: the receiver.
    at: Option<usize>,
    /// Looks at the next parameter as well.
    pair: bool,
}

/// What is inserted in front of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    kinds: u8,
    hook: &'static str,
    /// Copies what the hook looks at; empty if it does not look.
    copies: &'static [u8],
    descriptor: &'static str,
    /// For people: `java.io.FileWriter`, `java.io.File.delete`.
    call: String,
}

const ALWAYS: &str = "always";
const PLAIN: &str = "(ILjava/lang/String;)V";
const ONE: &str = "(Ljava/lang/Object;ILjava/lang/String;)V";
const TWO: &str = "(Ljava/lang/Object;Ljava/lang/Object;ILjava/lang/String;)V";
/// What the code inserted may push.
const STACK: u16 = 5;

impl Reaches {
    /// The table as it is. A row that cannot be read is left out; a test sees to it that there is none.
    pub fn standard() -> Arc<Reaches> {
        let mut reaches = Reaches { rows: FxHashMap::default(), inherited: FxHashSet::default(), patterns: Vec::new() };
        for line in TABLE.lines() {
            reaches.read(line);
        }
        Arc::new(reaches)
    }

    /// Whether the line was understood.
    fn read(&mut self, line: &'static str) -> bool {
        if line.is_empty() || line.starts_with('#') {
            return true;
        }
        let mut words = line.split(' ');
        let (Some(kind), Some(rule), Some(owner)) = (words.next(), words.next(), words.next()) else {
            return false;
        };
        let (Some(bit), Some(rule)) = (KINDS.iter().position(|k| *k == kind), Rule::parse(rule)) else {
            return false;
        };
        let rows = self.rows.entry(owner).or_default();
        for member in words {
            let (name, descriptor) = member.split_at(member.find('(').unwrap_or(member.len()));
            let open = name.ends_with('*');
            let name = name.trim_end_matches('*');
            if open {
                self.patterns.push(name);
            } else if name != "<init>" {
                self.inherited.insert(name);
            }
            rows.push(Row { kinds: 1 << bit, rule, name, open, descriptor });
        }
        !rows.is_empty()
    }

    fn may_be_inherited(&self, name: &str) -> bool {
        self.inherited.contains(name) || self.patterns.iter().any(|p| !p.is_empty() && name.starts_with(p))
    }

    /// Classes that code names as owners of such members and that inherit them, each with the class that has them.
    pub fn kin(&self, world: &World, class: &[u8]) -> Vec<(ClassName, ClassName)> {
        let mut kin: Vec<(ClassName, ClassName)> = Vec::new();
        let Ok(class) = RawClass::parse(class) else { return kin };
        for (index, constant) in class.pool.iter() {
            if !matches!(constant, Constant::Method { .. } | Constant::InterfaceMethod { .. }) {
                continue;
            }
            let Ok(member) = class.pool.member(index) else { continue };
            let (owner, name) = (member.owner.lossy(), member.name.lossy());
            let known = self.rows.contains_key(&*owner) || kin.iter().any(|(sub, _)| sub.internal() == owner);
            if known || owner.starts_with('[') || !self.may_be_inherited(&name) {
                continue;
            }
            let owner = ClassName::new(owner);
            for above in world.all_supertypes(&owner).iter().filter(|c| self.rows.contains_key(c.internal())) {
                kin.push((owner.clone(), above.clone()));
            }
        }
        kin
    }

    fn find(&self, owner: &str, name: &str, descriptor: &str) -> Option<&Row> {
        self.rows.get(owner)?.iter().find(|row| {
            let named = if row.open { name.starts_with(row.name) && name != "<init>" } else { name == row.name };
            named && descriptor.starts_with(row.descriptor)
        })
    }

    /// What belongs in front of a call of this member.
    pub(super) fn mark(
        &self,
        kin: &[(ClassName, ClassName)],
        member: &MemberRef<'_>,
        has_receiver: bool,
    ) -> Option<Mark> {
        let (owner, name, descriptor) = (member.owner.lossy(), member.name.lossy(), member.descriptor.lossy());
        let inherited = || kin.iter().filter(|(sub, _)| sub.internal() == owner && name != "<init>");
        let (owner, row) = match self.find(&owner, &name, &descriptor) {
            Some(row) => (&*owner, row),
            None => inherited()
                .find_map(|(_, sup)| Some((sup.internal(), self.find(sup.internal(), &name, &descriptor)?)))?,
        };
        let owner = owner.replace('/', ".");
        let call = if name == "<init>" { owner } else { format!("{owner}.{name}") };
        let (hook, copies, descriptor) = match row.rule.hook {
            hook @ (ALWAYS | "lasting" | "suspect") => (hook, &[][..], PLAIN),
            hook => match row.rule.copies(&descriptor, has_receiver) {
                Some(copies) => (hook, copies, if row.rule.pair { TWO } else { ONE }),
                // It cannot be asked: then it counts.
                None => (ALWAYS, &[][..], PLAIN),
            },
        };
        // What is called by reflection has its own kinds, and a name is no reach at all.
        let is_check = matches!(row.rule.hook, "member" | "lookup" | "name");
        if is_check && hook == ALWAYS {
            return None;
        }
        Some(Mark { kinds: row.kinds, hook, copies, descriptor, call })
    }
}

impl Rule {
    fn parse(text: &'static str) -> Option<Rule> {
        let (hook, at) = text.split_once('@').unwrap_or((text, "this"));
        let at = if at == "this" { None } else { Some(at.parse().ok()?) };
        Some(Rule { hook, at, pair: matches!(hook, "mode" | "options" | "lookup") })
    }

    /// Puts a copy of what is asked about on the stack.
    fn copies(self, descriptor: &str, has_receiver: bool) -> Option<&'static [u8]> {
        let params = MethodDescriptor::parse(descriptor)?.params;
        let first = match self.at {
            Some(at) if at < params.len() => at,
            None if has_receiver => 0,
            _ => return None,
        };
        // Values above it: parameters behind it.
        let above = if self.at.is_some() { &params[first + 1..] } else { &params[..] };
        let is_object = |ty: &FieldType| !matches!(ty, FieldType::Primitive(_));
        let looks_at_object = self.at.is_none_or(|at| is_object(&params[at]));
        if !looks_at_object || above.iter().any(|ty| ty.width() != 1) {
            return None;
        }
        match (above.len(), self.pair) {
            (0, false) => Some(&[op::DUP]),
            (1, false) => Some(&[op::DUP2, op::POP]),
            (2, false) => Some(&[op::DUP2_X1, op::POP2, op::DUP_X2]),
            (1, true) if is_object(&above[0]) => Some(&[op::DUP2]),
            (2, true) if is_object(&above[0]) => Some(&[op::DUP_X2, op::POP, op::DUP2_X1]),
            _ => None,
        }
    }
}

impl<'a> Pass<'a, '_> {
    /// Says in front of a call that it reaches outside, if it does.
    pub(super) fn mark(&mut self, draft: &mut Draft<'a>, constant: u16, has_receiver: bool) -> Result<(), PoolFull> {
        let Some(mark) = self.hooks.mark_of(constant, has_receiver, &self.class.pool) else {
            return Ok(());
        };
        self.insert_mark(draft, &mark)
    }

    /// The same for an `invokedynamic`: whoever makes a function of such a method means to call it.
    pub(super) fn mark_handles(&mut self, draft: &mut Draft<'a>, constant: u16) -> Result<(), PoolFull> {
        for reference in handles_of(self.class, constant) {
            let mark = self.hooks.mark_of(reference, false, &self.class.pool);
            // Reflection by a handle is rare, and the kernel sees what comes of it.
            let counts =
                |mark: &Mark| mark.kinds & LOOKS == 0 && !matches!(mark.hook, "member" | "lookup" | "name" | "suspect");
            if let Some(mark) = mark.filter(counts) {
                let always = Mark { hook: ALWAYS, copies: &[], descriptor: PLAIN, ..mark };
                self.insert_mark(draft, &always)?;
            }
        }
        Ok(())
    }

    fn insert_mark(&mut self, draft: &mut Draft<'a>, mark: &Mark) -> Result<(), PoolFull> {
        let marks = format!("{}/Marks", self.plan.hooks.package());
        let hook = self.constants.method(marks.as_bytes(), mark.hook.as_bytes(), mark.descriptor.as_bytes())?;
        let call = self.constants.string(mark.call.as_bytes())?;
        let out = &mut draft.relocation.out;
        out.extend_from_slice(mark.copies);
        out.extend([op::SIPUSH, 0, mark.kinds]);
        match call.to_be_bytes() {
            [0, index] => out.extend([op::LDC, index]),
            [a, b] => out.extend([op::LDC_W, a, b]),
        }
        let [a, b] = hook.to_be_bytes();
        out.extend([op::INVOKESTATIC, a, b]);
        draft.note(STACK);
        Ok(())
    }
}

/// Members that the bootstrap arguments of an `invokedynamic` are handles to.
fn handles_of(class: &RawClass<'_>, constant: u16) -> Vec<u16> {
    let read = || {
        let site = class.pool.dynamic(constant).ok()?;
        let attribute = class.attributes.find(&class.pool, "BootstrapMethods")?;
        let mut cursor = Cursor::new(&class.bytes[..attribute.range.end], attribute.range.start);
        let count = cursor.u2("bootstrap methods").ok()?;
        for at in 0..count {
            cursor.u2("a bootstrap method").ok()?;
            let arguments = cursor.u2("bootstrap arguments").ok()?;
            let mut found = Vec::new();
            for _ in 0..arguments {
                let argument = cursor.u2("a bootstrap argument").ok()?;
                if let Some(Constant::MethodHandle { reference, .. }) = class.pool.get(argument) {
                    found.push(reference);
                }
            }
            if at == site.bootstrap {
                return Some(found);
            }
        }
        None
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood() {
        let mut reaches = Reaches { rows: FxHashMap::default(), inherited: FxHashSet::default(), patterns: Vec::new() };
        for line in TABLE.lines() {
            assert!(reaches.read(line), "{line}");
        }
    }

    #[test]
    fn members_are_found_by_name_and_the_beginning_of_their_descriptor() {
        let reaches = Reaches::standard();
        let found =
            |owner, name, descriptor| reaches.find(owner, name, descriptor).map(|row| (row.kinds, row.rule.hook));
        assert_eq!(found("java/io/PrintWriter", "<init>", "(Ljava/io/File;)V"), Some((1, "always")));
        assert_eq!(found("java/io/PrintWriter", "<init>", "(Ljava/io/Writer;)V"), None);
        assert_eq!(found("java/nio/file/Files", "deleteIfExists", "(Ljava/nio/file/Path;)Z"), Some((1, "always")));
        assert_eq!(found("java/io/File", "exists", "()Z"), Some((LOOKS, "path")));
        assert_eq!(found("java/lang/Runtime", "availableProcessors", "()I"), None);
    }

    #[test]
    fn what_is_asked_about_is_copied_from_below_others() {
        let copies = |rule, descriptor, receiver| Rule::parse(rule).unwrap().copies(descriptor, receiver);
        assert_eq!(copies("path@0", "(Ljava/io/File;)V", true), Some(&[op::DUP][..]));
        assert_eq!(copies("host@0", "(Ljava/lang/String;I)V", true), Some(&[op::DUP2, op::POP][..]));
        let third = [op::DUP2_X1, op::POP2, op::DUP_X2];
        let invoke = "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
        assert_eq!(copies("member@this", invoke, true), Some(&third[..]));
        assert_eq!(copies("path@0", "(Ljava/io/File;J)V", true), None);
        assert_eq!(copies("mode@0", "(Ljava/io/File;Ljava/lang/String;)V", true), Some(&[op::DUP2][..]));
    }
}
