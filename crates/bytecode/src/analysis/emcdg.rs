//! The extended method call dependence graph of a class: which members need values of which types, and which give them,
//! by result or by changing what they are given. Owns the graph, its purified form (without what purity analysis rules
//! out) and the function set drawn from it; builds no tests.

use std::fmt;

use super::purity::{Effect, Purity};
use crate::names::{ClassName, FieldType, Primitive};
use crate::world::{MethodRef, World, WorldProblem};

/// A node that can be called, or a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    Method(MethodRef),
    Constant(Primitive, &'static str),
}

/// The part of a member that an edge concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// The implicit parameter: the receiver.
    Receiver,
    /// An explicit parameter, from 0.
    Param(u8),
    Result,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Receiver => f.write_str("IP"),
            Item::Param(n) => write!(f, "P{n}"),
            Item::Result => f.write_str("RE"),
        }
    }
}

/// Between a member and a type: indices into the graph's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Link {
    pub member: usize,
    pub data_type: usize,
    pub item: Item,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emcdg {
    pub class: ClassName,
    /// Public members of the class, public constructors of the types they need, constants of the primitive ones.
    pub members: Vec<Member>,
    /// The test cluster: types of receivers and parameters.
    pub types: Vec<FieldType>,
    pub needs: Vec<Link>,
    pub gives: Vec<Link>,
}

/// A row of the function set: one thing that one member gives, and all that it needs for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub member: usize,
    pub gives: (usize, Item),
    pub needs: Vec<(usize, Item)>,
}

impl Emcdg {
    pub fn build(world: &World, class: &ClassName) -> Result<Emcdg, WorldProblem> {
        let info = world.class(class)?;
        let mut graph = Emcdg {
            class: class.clone(),
            members: Vec::new(),
            types: Vec::new(),
            needs: Vec::new(),
            gives: Vec::new(),
        };
        let is_own = |m: &MethodRef| {
            let m = m.info();
            m.access.is_public() && !m.access.is_synthetic() && !m.is_class_initializer()
        };
        let methods = (0..info.methods.len()).map(|index| MethodRef { class: info.clone(), index });
        for method in methods.filter(is_own).filter(|m| !m.info().is_constructor() || !info.is_abstract()) {
            graph.add(Member::Method(method));
        }
        // What the class itself needs; what its helpers need is not followed further.
        let cluster = graph.types.clone();
        for t in &cluster {
            match t {
                FieldType::Primitive(p) => {
                    for text in constants(*p) {
                        graph.add(Member::Constant(*p, text));
                    }
                }
                FieldType::Class(name) if name != class => {
                    let Ok(info) = world.class(name) else { continue };
                    if info.is_abstract() {
                        continue;
                    }
                    for index in 0..info.methods.len() {
                        let method = MethodRef { class: info.clone(), index };
                        if method.info().is_constructor() && method.info().access.is_public() {
                            graph.add(Member::Method(method));
                        }
                    }
                }
                _ => {}
            }
        }
        graph.connect();
        Ok(graph)
    }

    /// Without the edges for parameters that their members do not change.
    pub fn purified(&self, purity: &mut Purity<'_>) -> Emcdg {
        let mut graph = self.clone();
        graph.gives.retain(|link| {
            let Member::Method(method) = &self.members[link.member] else { return true };
            let receiver = usize::from(!method.info().access.is_static());
            let index = match link.item {
                Item::Result => return true,
                Item::Receiver => 0,
                Item::Param(n) => receiver + usize::from(n),
            };
            let exact = (!method.class.is_abstract()).then(|| method.owner().clone());
            let verdict = purity.verdict(method, exact.as_ref());
            verdict.params.get(index).is_none_or(|p| p.effect == Effect::ReadWrite)
        });
        graph
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.needs.len() + self.gives.len()
    }

    /// The function set: a row for everything that some member gives.
    pub fn functions(&self) -> Vec<Function> {
        self.gives
            .iter()
            .map(|link| Function {
                member: link.member,
                gives: (link.data_type, link.item),
                needs: self.needs.iter().filter(|n| n.member == link.member).map(|n| (n.data_type, n.item)).collect(),
            })
            .collect()
    }

    fn add(&mut self, member: Member) {
        if let Member::Method(method) = &member {
            let m = method.info();
            let own = FieldType::Class(method.owner().clone());
            let receiver = (!m.access.is_static()).then_some(&own);
            for t in receiver.into_iter().chain(&m.descriptor.params) {
                if !self.types.contains(t) {
                    self.types.push(t.clone());
                }
            }
        }
        self.members.push(member);
    }

    fn connect(&mut self) {
        for (at, member) in self.members.iter().enumerate() {
            let mut link = |list: bool, t: &FieldType, item: Item| {
                // Of results, only those count that some member needs.
                if let Some(data_type) = self.types.iter().position(|known| known == t) {
                    let link = Link { member: at, data_type, item };
                    if list { self.needs.push(link) } else { self.gives.push(link) }
                }
            };
            let (needs, gives) = (true, false);
            match member {
                Member::Constant(p, _) => link(gives, &FieldType::Primitive(*p), Item::Result),
                Member::Method(method) => {
                    let m = method.info();
                    let own = FieldType::Class(method.owner().clone());
                    if m.is_constructor() {
                        link(gives, &own, Item::Result);
                    } else if let Some(result) = &m.descriptor.result {
                        link(gives, result, Item::Result);
                    }
                    if !m.access.is_static() && !m.is_constructor() {
                        link(needs, &own, Item::Receiver);
                        link(gives, &own, Item::Receiver);
                    }
                    for (n, t) in m.descriptor.params.iter().enumerate() {
                        // A method has at most 255 parameters.
                        let item = Item::Param(n as u8);
                        link(needs, t, item);
                        if !matches!(t, FieldType::Primitive(_)) {
                            link(gives, t, item);
                        }
                    }
                }
            }
        }
    }

    /// In the language of Graphviz: boxes are members, ellipses are types; an arrow leads from the member that needs to
    /// what it needs.
    pub fn dot(&self) -> String {
        let mut text = format!("digraph \"{}\" {{\n  rankdir=LR;\n", self.class.binary());
        for (at, member) in self.members.iter().enumerate() {
            text.push_str(&format!("  m{at} [shape=box, label=\"{}\"];\n", label(member)));
        }
        for (at, t) in self.types.iter().enumerate() {
            text.push_str(&format!("  t{at} [shape=ellipse, label=\"{}\"];\n", type_name(t)));
        }
        for Link { member, data_type, item } in &self.needs {
            text.push_str(&format!("  m{member} -> t{data_type} [label=\"{item}\"];\n"));
        }
        for Link { member, data_type, item } in &self.gives {
            text.push_str(&format!("  t{data_type} -> m{member} [label=\"{item}\", style=dashed];\n"));
        }
        text.push_str("}\n");
        text
    }
}

/// A member as a reader would write it, with simple type names: `push(Object)`.
pub fn label(member: &Member) -> String {
    match member {
        Member::Constant(p, text) => format!("{} {text}", p.keyword()),
        Member::Method(method) => {
            let m = method.info();
            let params: Vec<String> = m.descriptor.params.iter().map(type_name).collect();
            let name = match m.is_constructor() {
                true => method.owner().simple_binary().replace('$', "."),
                false => m.name.clone(),
            };
            format!("{name}({})", params.join(", "))
        }
    }
}

/// `int`, `String[]`, `Map.Entry`.
pub fn type_name(t: &FieldType) -> String {
    match t {
        FieldType::Primitive(p) => p.keyword().to_owned(),
        FieldType::Class(name) => name.simple_binary().replace('$', "."),
        FieldType::Array(element) => format!("{}[]", type_name(element)),
    }
}

/// Ordinary values and extreme ones.
fn constants(p: Primitive) -> &'static [&'static str] {
    match p {
        Primitive::Boolean => &["false", "true"],
        Primitive::Float | Primitive::Double => &["-MAX_VALUE", "-1", "0", "1", "MAX_VALUE"],
        Primitive::Char => &["MIN_VALUE", "' '", "'0'", "'a'", "MAX_VALUE"],
        _ => &["MIN_VALUE", "-1", "0", "1", "MAX_VALUE"],
    }
}
