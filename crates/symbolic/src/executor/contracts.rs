//! Checks what every class promises on the values of a sequence: equals, hashCode, toString, compareTo, clone,
//! iterators. Owns the checks, in the worker's order; a check that runs out of steps is no violation, and one the
//! machine has no model for gives no result.

use testcase::execution::{Contract, Thrown, Violation};
use testcase::sequence::Var;

use super::{Slot, VmExecutor};
use crate::vm::{Ref, Stop, Trap};

/// Values that are looked at.
const VALUES: usize = 4;
/// The worker counts loops and calls, and allows a check 100,000 of them.
const STEPS: u64 = 5_000_000;
/// An iterator with more elements than this counts as endless.
const LONGEST_ITERATION: u64 = 1_000_000;
/// For a whole iteration.
const ITERATION_STEPS: u64 = 300_000_000;

const EQUALS: (&str, &str) = ("equals", "(Ljava/lang/Object;)Z");
const HASH_CODE: (&str, &str) = ("hashCode", "()I");
const TO_STRING: (&str, &str) = ("toString", "()Ljava/lang/String;");
const CLONE: (&str, &str) = ("clone", "()Ljava/lang/Object;");

/// What a call of a check came to.
enum Tried {
    Gave(u64),
    Threw(Ref),
    CutShort,
}

/// A value under test or beside it.
#[derive(Clone, Copy)]
struct Subject {
    var: Var,
    object: Ref,
    traits: Traits,
}

#[derive(Clone, Copy, Default)]
struct Traits {
    equals: bool,
    hash_code: bool,
    to_string: bool,
    comparable: bool,
    clone: bool,
}

type Checked<T> = Result<T, Box<Stop>>;

/// The checks of one sequence.
pub(super) struct Checks<'x> {
    executor: &'x mut VmExecutor,
    statement: u16,
    violations: Vec<Violation>,
}

impl<'x> Checks<'x> {
    pub fn new(executor: &'x mut VmExecutor, statement: u16) -> Checks<'x> {
        Checks { executor, statement, violations: Vec::new() }
    }

    /// Checks the values of the given variables.
    pub fn run(mut self, variables: &[Var], slots: &[Slot]) -> Checked<Vec<Violation>> {
        let limit = self.executor.machine.allow(STEPS);
        let done = self.all(variables, slots);
        self.executor.machine.allow_until(limit);
        done.map(|()| self.violations)
    }

    fn all(&mut self, variables: &[Var], slots: &[Slot]) -> Checked<()> {
        let (mut own, mut strangers): (Vec<Subject>, Vec<Subject>) = (Vec::new(), Vec::new());
        for &var in variables {
            let slot = slots[var.index()];
            let is_known = |o: Ref| own.iter().chain(&strangers).any(|s| s.object == o);
            if own.len() + strangers.len() == VALUES || slot.letter == b'V' {
                continue;
            }
            let object = match self.executor.machine.fit("Ljava/lang/Object;", slot) {
                Ok(boxed) => boxed.bits as Ref,
                Err(Trap::Stop(stop)) => return Err(stop),
                Err(Trap::Throw(_)) => continue,
            };
            if object == 0 || is_known(object) {
                continue;
            }
            let (class, is_application) = self.executor.machine.kind_of(object);
            if self.executor.machine.is_generated(class) {
                continue;
            }
            let traits = if is_application { self.traits(object)? } else { Traits::default() };
            if is_application { &mut own } else { &mut strangers }.push(Subject { var, object, traits });
        }
        for subject in &own {
            self.unary(*subject)?;
        }
        for (i, a) in own.iter().enumerate() {
            for b in &own[i + 1..] {
                self.pair(*a, *b)?;
            }
        }
        for a in &own {
            for b in &strangers {
                self.stranger(*a, *b)?;
            }
        }
        self.triples(&own)
    }

    fn traits(&mut self, object: Ref) -> Checked<Traits> {
        let machine = &mut self.executor.machine;
        let found = (|| {
            let cloneable = machine.is_of(object, "java/lang/Cloneable")?;
            Ok(Traits {
                equals: machine.own_method(object, EQUALS.0, EQUALS.1)?.is_some(),
                hash_code: machine.own_method(object, HASH_CODE.0, HASH_CODE.1)?.is_some(),
                to_string: machine.own_method(object, TO_STRING.0, TO_STRING.1)?.is_some(),
                comparable: machine.is_of(object, "java/lang/Comparable")?,
                clone: cloneable && machine.own_method(object, CLONE.0, CLONE.1)? == Some(false),
            })
        })();
        found.or_else(|trap| match trap {
            Trap::Stop(stop) => Err(stop),
            Trap::Throw(_) => Ok(Traits::default()),
        })
    }

    /// Calls a method of a class of the JDK on an object.
    fn call(
        &mut self,
        owner: &str,
        (name, descriptor): (&str, &str),
        of: Ref,
        argument: Option<Ref>,
    ) -> Checked<Tried> {
        self.executor.machine.allow(STEPS);
        self.call_on(owner, (name, descriptor), of, argument)
    }

    fn call_on(&mut self, owner: &str, (name, descriptor): (&str, &str), of: Ref, with: Option<Ref>) -> Checked<Tried> {
        let reference = |object: Ref| Slot::new(b'L', u64::from(object));
        let arguments: Vec<Slot> = std::iter::once(of).chain(with).map(reference).collect();
        match self.executor.machine.call_for(owner, name, descriptor, false, &arguments) {
            Ok((bits, _)) => Ok(Tried::Gave(bits)),
            Err(Trap::Stop(stop)) => match *stop {
                Stop::Steps | Stop::Depth | Stop::Exit(_) => Ok(Tried::CutShort),
                Stop::Memory | Stop::Unmodelled(_) | Stop::Malformed(_) => Err(stop),
            },
            Err(Trap::Throw(exception)) => match self.executor.machine.run_time_class(exception).internal() {
                "java/lang/StackOverflowError" => Ok(Tried::CutShort),
                "java/lang/OutOfMemoryError" => Err(Box::new(Stop::Memory)),
                _ => Ok(Tried::Threw(exception)),
            },
        }
    }

    fn equals(&mut self, a: Ref, b: Ref) -> Checked<Tried> {
        self.call("java/lang/Object", EQUALS, a, Some(b))
    }

    fn hash_code(&mut self, of: Ref) -> Checked<Tried> {
        self.call("java/lang/Object", HASH_CODE, of, None)
    }

    /// `compareTo`, or nothing if it gave nothing: it may throw for values that cannot be compared.
    fn compare(&mut self, a: Ref, b: Ref) -> Checked<Option<i32>> {
        let compare_to = ("compareTo", "(Ljava/lang/Object;)I");
        Ok(match self.call("java/lang/Comparable", compare_to, a, Some(b))? {
            Tried::Gave(bits) => Some(bits as i32),
            Tried::Threw(_) | Tried::CutShort => None,
        })
    }

    fn violation(&mut self, contract: Contract, thrown: Option<Ref>, vars: &[Var]) -> Checked<()> {
        let thrown = match thrown {
            None => None,
            Some(exception) => {
                let class = self.executor.machine.run_time_class(exception);
                self.executor.machine.allow(STEPS);
                Some(Thrown { class, detail: Some(self.executor.detail(exception)?.into()) })
            }
        };
        self.violations.push(Violation { contract, statement: self.statement, vars: vars.to_vec(), thrown });
        Ok(())
    }

    fn unary(&mut self, subject: Subject) -> Checked<()> {
        let Subject { var, object, traits } = subject;
        if traits.equals {
            self.equality(var, object)?;
        }
        if traits.hash_code
            && let Tried::Threw(exception) = self.hash_code(object)?
        {
            self.violation(Contract::HashCodeThrows, Some(exception), &[var])?;
        }
        if traits.to_string {
            match self.call("java/lang/Object", TO_STRING, object, None)? {
                Tried::Gave(0) => self.violation(Contract::ToStringNull, None, &[var])?,
                Tried::Threw(exception) => self.violation(Contract::ToStringThrows, Some(exception), &[var])?,
                Tried::Gave(_) | Tried::CutShort => {}
            }
        }
        if traits.comparable && self.compare(object, object)?.is_some_and(|sign| sign != 0) {
            self.violation(Contract::CompareToReflexive, None, &[var])?;
        }
        if traits.clone {
            self.cloning(subject)?;
        }
        self.iteration(var, object)
    }

    fn equality(&mut self, var: Var, object: Ref) -> Checked<()> {
        match self.equals(object, object)? {
            Tried::Gave(0) => self.violation(Contract::EqualsReflexive, None, &[var])?,
            Tried::Gave(_) => {}
            Tried::Threw(exception) => return self.violation(Contract::EqualsThrows, Some(exception), &[var]),
            Tried::CutShort => return Ok(()),
        }
        match self.equals(object, 0)? {
            Tried::Gave(0) | Tried::CutShort => Ok(()),
            Tried::Gave(_) => self.violation(Contract::EqualsNull, None, &[var]),
            Tried::Threw(exception) => self.violation(Contract::EqualsThrows, Some(exception), &[var]),
        }
    }

    /// A class may refuse to be cloned.
    fn cloning(&mut self, subject: Subject) -> Checked<()> {
        let Subject { var, object, traits } = subject;
        let Tried::Gave(copy) = self.call("java/lang/Object", CLONE, object, None)? else { return Ok(()) };
        let copy = copy as Ref;
        let differs =
            copy == object || copy == 0 || traits.equals && matches!(self.equals(object, copy)?, Tried::Gave(0));
        if differs { self.violation(Contract::CloneEquals, None, &[var]) } else { Ok(()) }
    }

    /// This contract does not concern iterators that throw.
    fn iteration(&mut self, var: Var, object: Ref) -> Checked<()> {
        let machine = &mut self.executor.machine;
        let mut is_of = |class: &str| machine.is_of(object, class).unwrap_or(false);
        let (iterable, itself) = (is_of("java/lang/Iterable"), is_of("java/util/Iterator"));
        let collection = is_of("java/util/Collection");
        if !iterable && !itself {
            return Ok(());
        }
        self.executor.machine.allow(ITERATION_STEPS);
        let mut most = LONGEST_ITERATION;
        if collection {
            let Tried::Gave(size) = self.call_on("java/util/Collection", ("size", "()I"), object, None)? else {
                return Ok(());
            };
            most = u64::try_from(size as i32).map_or(0, |size| size.min(most));
        }
        let mut iterator = object;
        if iterable {
            let get = ("iterator", "()Ljava/util/Iterator;");
            let Tried::Gave(made) = self.call_on("java/lang/Iterable", get, object, None)? else { return Ok(()) };
            iterator = made as Ref;
        }
        if iterator == 0 {
            return Ok(());
        }
        let mut seen = 0;
        loop {
            let Tried::Gave(more) = self.call_on("java/util/Iterator", ("hasNext", "()Z"), iterator, None)? else {
                return Ok(());
            };
            if more == 0 {
                return Ok(());
            }
            seen += 1;
            if seen > most {
                return self.violation(Contract::IteratorEnds, None, &[var]);
            }
            let next = ("next", "()Ljava/lang/Object;");
            let Tried::Gave(_) = self.call_on("java/util/Iterator", next, iterator, None)? else { return Ok(()) };
        }
    }

    fn pair(&mut self, x: Subject, y: Subject) -> Checked<()> {
        let (a, b, vars) = (x.object, y.object, [x.var, y.var]);
        let mut equal = None;
        if x.traits.equals && y.traits.equals {
            match self.equals(a, b)? {
                Tried::Gave(forth) => {
                    equal = Some(forth != 0);
                    if let Tried::Gave(back) = self.equals(b, a)? {
                        if (back != 0) != (forth != 0) {
                            self.violation(Contract::EqualsSymmetric, None, &vars)?;
                        }
                        if forth != 0 && self.hashes_differ(a, b)? {
                            self.violation(Contract::EqualsHashCode, None, &vars)?;
                        }
                    }
                }
                Tried::Threw(exception) => self.violation(Contract::EqualsThrows, Some(exception), &vars)?,
                Tried::CutShort => {}
            }
        }
        let same = self.executor.machine.kind_of(a).0 == self.executor.machine.kind_of(b).0;
        if x.traits.comparable && same {
            let (forth, back) = (self.compare(a, b)?, self.compare(b, a)?);
            let (Some(forth), Some(back)) = (forth, back) else { return Ok(()) };
            if forth.signum() != -back.signum() {
                self.violation(Contract::CompareToAntisymmetric, None, &vars)?;
            }
            if equal.is_some_and(|equal| equal != (forth == 0)) {
                self.violation(Contract::CompareToEquals, None, &vars)?;
            }
        }
        Ok(())
    }

    fn hashes_differ(&mut self, a: Ref, b: Ref) -> Checked<bool> {
        let Tried::Gave(first) = self.hash_code(a)? else { return Ok(false) };
        let Tried::Gave(second) = self.hash_code(b)? else { return Ok(false) };
        Ok(first as i32 != second as i32)
    }

    /// An object under test beside one of the platform, whose `equals` is trusted.
    fn stranger(&mut self, x: Subject, y: Subject) -> Checked<()> {
        if !x.traits.equals {
            return Ok(());
        }
        let (a, b, vars) = (x.object, y.object, [x.var, y.var]);
        match self.equals(a, b)? {
            Tried::Gave(0) | Tried::CutShort => return Ok(()),
            Tried::Gave(_) => {}
            Tried::Threw(exception) => return self.violation(Contract::EqualsThrows, Some(exception), &vars),
        }
        match self.equals(b, a)? {
            Tried::Gave(0) => self.violation(Contract::EqualsSymmetric, None, &vars),
            Tried::Gave(_) if self.hashes_differ(a, b)? => self.violation(Contract::EqualsHashCode, None, &vars),
            Tried::Gave(_) | Tried::Threw(_) | Tried::CutShort => Ok(()),
        }
    }

    fn triples(&mut self, own: &[Subject]) -> Checked<()> {
        for (i, a) in own.iter().enumerate() {
            for (j, b) in own.iter().enumerate() {
                for (k, c) in own.iter().enumerate() {
                    let class = |s: &Subject| self.executor.machine.kind_of(s.object).0;
                    let alike = class(a) == class(b) && class(b) == class(c);
                    if i == j || j == k || i == k || !a.traits.comparable || !alike {
                        continue;
                    }
                    let ab = self.compare(a.object, b.object)?;
                    let bc = self.compare(b.object, c.object)?;
                    let ac = self.compare(a.object, c.object)?;
                    if let (Some(ab), Some(bc), Some(ac)) = (ab, bc, ac)
                        && ab <= 0
                        && bc <= 0
                        && ac > 0
                    {
                        return self.violation(Contract::CompareToTransitive, None, &[a.var, b.var, c.var]);
                    }
                }
            }
        }
        Ok(())
    }
}
