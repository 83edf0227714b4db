//! The mutants of a target, and its classes with all of them inside. Owns their numbering over all classes; what counts as written by a programmer
//! is the goals' filter's to say.

use std::sync::Arc;

use bytecode::instrument::{Plan, instrument, schemata};
use bytecode::mutate::{Exempt, Operator};
use bytecode::names::ClassName;

use crate::goal::filter::{Filter, filter};
use crate::target::{PreparedClass, Target};

/// One small fault of a class under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What switches it on.
    pub number: u32,
    /// The number of the place it is at.
    pub site: u32,
    pub class: ClassName,
    pub method: Arc<str>,
    pub descriptor: Arc<str>,
    pub line: Option<u16>,
    pub operator: Operator,
    pub words: String,
    /// It can be switched on. Code of class initialisers runs once per JVM, and a method may have been too large.
    pub measurable: bool,
}

/// A class with its mutants, as a worker gets it.
#[derive(Clone, Debug)]
pub struct FaultyClass {
    pub name: ClassName,
    pub index: u32,
    pub bytes: Arc<[u8]>,
}

/// A target full of faults.
#[derive(Clone, Debug)]
pub struct Faulty {
    pub classes: Vec<FaultyClass>,
    /// By number.
    pub mutants: Vec<Mutant>,
    /// All numbers of sites and mutants are below this.
    pub numbers: u32,
    /// What could not be done, in words.
    pub notes: Vec<String>,
}

/// The classes of a target with their mutants. `runtime` is the class they ask which of them is on; `plan` is what they are instrumented with besides.
pub fn prepare(target: &Target, runtime: &ClassName, plan: &Plan) -> Faulty {
    let mut faulty = Faulty { classes: Vec::new(), mutants: Vec::new(), numbers: 1, notes: Vec::new() };
    for class in &target.classes {
        add(&mut faulty, class, runtime, plan);
    }
    faulty
}

fn add(faulty: &mut Faulty, class: &PreparedClass, runtime: &ClassName, plan: &Plan) {
    let info = &class.info;
    let filter = filter(info, &class.original);
    let exempt = exempt(class, &filter);
    let made = match schemata(&class.original, runtime, &exempt, faulty.numbers) {
        Ok(made) => made,
        Err(problem) => {
            faulty.notes.push(format!("{} has no mutants: {problem}", info.name.binary()));
            return;
        }
    };
    let plan = Plan { class_index: class.index, kin: class.kin.clone(), ..plan.clone() };
    let bytes = match instrument(&made.bytes, &plan) {
        Ok(done) => done.bytes.into(),
        Err(problem) => {
            faulty.notes.push(format!("{} has no mutants, it cannot be watched: {problem}", info.name.binary()));
            return;
        }
    };
    for site in &made.sites {
        let method = &info.methods[usize::from(site.method)];
        for (number, mutant) in site.numbered() {
            faulty.mutants.push(Mutant {
                number,
                site: site.number,
                class: info.name.clone(),
                method: Arc::from(&*method.name),
                descriptor: Arc::from(&*method.raw_descriptor),
                line: site.line,
                operator: mutant.operator,
                words: mutant.words.clone(),
                measurable: !site.initialiser,
            });
        }
    }
    for left_out in &made.left_out {
        let method = &info.methods[usize::from(left_out.method)];
        let (class, count, reason) = (info.name.binary(), left_out.mutants, &left_out.reason);
        faulty.notes.push(format!("{count} mutants of {class}.{} are left out: {reason}", method.name));
    }
    faulty.numbers = made.next;
    faulty.classes.push(FaultyClass { name: info.name.clone(), index: class.index, bytes });
}

fn exempt(class: &PreparedClass, filter: &Filter) -> Vec<Exempt> {
    let whole = |i: usize| filter.class || filter.methods.get(i).is_some_and(|f| f.whole);
    let ranges = |i: usize| filter.methods.get(i).map(|f| f.ranges.clone()).unwrap_or_default();
    (0..class.info.methods.len()).map(|i| Exempt { whole: whole(i), ranges: ranges(i) }).collect()
}
