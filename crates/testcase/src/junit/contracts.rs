//! Broken contracts as assertions that say what should hold. Owns the wording and the code for each contract.

use bytecode::names::ClassName;

use super::arguments::StaticType;
use super::expression::Expression;
use super::imports::mark;
use super::method::{Throws, Writer};
use crate::execution::Contract;
use crate::sequence::Var;
use crate::types::{ClassType, Type, TypeArg};

/// What the assertions for a broken contract say when they fail; nothing for contracts that fail by an exception of the code itself.
pub fn claims(contract: &Contract) -> &'static [&'static str] {
    match contract {
        Contract::EqualsReflexive => &["an object must equal itself"],
        Contract::EqualsNull => &["no object may equal null"],
        Contract::EqualsSymmetric => &["equals must be symmetric"],
        Contract::EqualsHashCode => &["equal objects must have equal hash codes"],
        Contract::ToStringNull => &["toString must not give null"],
        Contract::CompareToReflexive => &["an object must compare as equal to itself"],
        Contract::CompareToAntisymmetric => &["compareTo must change its sign when its operands are swapped"],
        Contract::CompareToTransitive => &["compareTo must be transitive"],
        Contract::CompareToEquals => &["compareTo should agree with equals"],
        Contract::IteratorEnds => &["an iterator must end with its elements"],
        Contract::CloneEquals => &["a clone must be another object", "a clone must equal its original"],
        Contract::EqualsThrows | Contract::HashCodeThrows | Contract::ToStringThrows | Contract::User { .. } => &[],
    }
}

impl Writer<'_, '_> {
    pub fn contract(&mut self, contract: &Contract, vars: &[Var]) {
        let names: Vec<String> = vars.iter().map(|v| self.receiver(*v, None)).collect();
        let Some(a) = names.first().cloned() else {
            return;
        };
        // Contracts about pairs and triples come with that many values; a shorter list means the value itself.
        let b = names.get(1).unwrap_or(&a).clone();
        let c = names.get(2).unwrap_or(&b).clone();
        let claim = claims(contract).first().copied().unwrap_or_default();
        match contract {
            Contract::EqualsReflexive => self.assert_saying("assertTrue", &[&format!("{a}.equals({a})")], claim),
            Contract::EqualsNull => {
                self.assert_saying("assertFalse", &[&format!("{a}.equals(null)")], claim);
            }
            Contract::EqualsSymmetric => {
                self.assert_saying("assertEquals", &[&format!("{a}.equals({b})"), &format!("{b}.equals({a})")], claim)
            }
            Contract::EqualsHashCode => {
                self.assert_call("assertTrue", &[&format!("{a}.equals({b})")]);
                let hashes = [format!("{a}.hashCode()"), format!("{b}.hashCode()")];
                self.assert_saying("assertEquals", &[&hashes[0], &hashes[1]], claim);
            }
            Contract::EqualsThrows => {
                self.lines.push("// equals must not throw.".to_owned());
                if vars.len() < 2 {
                    self.lines.push(format!("{a}.equals(null);"));
                }
                self.lines.push(format!("{a}.equals({b});"));
            }
            Contract::HashCodeThrows => {
                self.lines.push("// hashCode must not throw.".to_owned());
                self.lines.push(format!("{a}.hashCode();"));
            }
            Contract::ToStringThrows => {
                self.lines.push("// toString must not throw.".to_owned());
                self.lines.push(format!("{a}.toString();"));
            }
            Contract::ToStringNull => {
                self.assert_saying("assertNotNull", &[&format!("{a}.toString()")], claim);
            }
            Contract::CompareToReflexive => {
                let compared = self.compare(vars[0], vars[0]);
                self.assert_saying("assertEquals", &["0", &compared], claim);
            }
            Contract::CompareToAntisymmetric => {
                let (x, y) = (vars[0], *vars.get(1).unwrap_or(&vars[0]));
                let (forth, back) = (self.compare(x, y), self.compare(y, x));
                let integer = mark("java/lang/Integer");
                self.assert_saying(
                    "assertEquals",
                    &[&format!("{integer}.signum({forth})"), &format!("-{integer}.signum({back})")],
                    claim,
                );
            }
            Contract::CompareToTransitive => {
                let (x, y) = (vars[0], *vars.get(1).unwrap_or(&vars[0]));
                let z = *vars.get(2).unwrap_or(&y);
                let (first, second, both) = (self.compare(x, y), self.compare(y, z), self.compare(x, z));
                self.assert_call("assertTrue", &[&format!("{first} <= 0")]);
                self.assert_call("assertTrue", &[&format!("{second} <= 0")]);
                self.assert_saying("assertTrue", &[&format!("{both} <= 0")], claim);
            }
            Contract::CompareToEquals => {
                let compared = self.compare(vars[0], *vars.get(1).unwrap_or(&vars[0]));
                self.assert_saying("assertEquals", &[&format!("{a}.equals({b})"), &format!("{compared} == 0")], claim);
            }
            Contract::CloneEquals => self.clone_contract(&a),
            Contract::IteratorEnds => self.iterator_contract(vars[0], &a),
            Contract::User { class, method } => {
                let arguments: Vec<&str> =
                    [&a, &b, &c].into_iter().take(vars.len().min(2)).map(String::as_str).collect();
                let call = format!("{}.{method}({})", mark(class.internal()), arguments.join(", "));
                self.throws = Throws::Throwable;
                self.assert_saying("assertTrue", &[&call], &format!("{method} must hold"));
            }
        }
    }

    /// `left.compareTo(right)`, with a cast where the static type does not say that it can be compared so.
    fn compare(&mut self, left: Var, right: Var) -> String {
        let (have, other) = (self.operation(left).result.clone(), self.operation(right).result.clone());
        let comparable =
            |arg: Type| Type::Class(ClassType { name: "java/lang/Comparable".into(), args: vec![TypeArg::Super(arg)] });
        let argument = self.value(right).text;
        if self.subtyping.fits_checked(&have, &comparable(other)) {
            return format!("{}.compareTo({argument})", self.receiver(left, None));
        }
        // Another `Comparable<…>` cannot be cast to this one; the raw type takes everything.
        let name = ClassName::new("java/lang/Comparable");
        let seen = have.class_name().is_some_and(|c| self.subtyping.is_subclass(c, &name));
        let args = if seen { Vec::new() } else { vec![TypeArg::Exact(Type::object())] };
        let cast_to = Type::Class(ClassType { name, args });
        let receiver = Expression { text: self.receiver(left, None), ty: StaticType::Known(have) };
        format!("({}).compareTo({argument})", self.cast(&cast_to, &receiver))
    }

    fn clone_contract(&mut self, a: &str) {
        self.throws = self.throws.max(Throws::Exception);
        for (method, claim) in ["assertNotSame", "assertEquals"].into_iter().zip(claims(&Contract::CloneEquals)) {
            self.assert_saying(method, &[a, &format!("{a}.clone()")], claim);
        }
    }

    fn iterator_contract(&mut self, var: Var, a: &str) {
        let is = |w: &Self, class: &str| {
            w.operation(var).result.class_name().is_some_and(|n| w.subtyping.is_subclass(n, &class.into()))
        };
        let iterator = mark("java/util/Iterator");
        let source = if is(self, "java/util/Iterator") {
            a.to_owned()
        } else if is(self, "java/lang/Iterable") {
            format!("{a}.iterator()")
        } else {
            format!("(({}<?>) {a}).iterator()", mark("java/lang/Iterable"))
        };
        let most = if is(self, "java/util/Collection") { format!("{a}.size()") } else { "1_000_000".to_owned() };
        self.lines.push(format!("int most = {most};"));
        self.lines.push("int seen = 0;".to_owned());
        self.lines.push(format!("for ({iterator}<?> iterator = {source}; iterator.hasNext(); iterator.next()) {{"));
        let body = self.lines.len();
        self.assert_saying("assertTrue", &["++seen <= most"], claims(&Contract::IteratorEnds)[0]);
        for line in &mut self.lines[body..] {
            line.insert_str(0, "    ");
        }
        self.lines.push("}".to_owned());
    }
}
