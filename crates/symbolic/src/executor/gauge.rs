//! What instrumented code reports while sequences run: probes hit, operands compared, distances to outcomes. Owns
//! reading it out of the static state of the hook class, which is the worker's own and runs on the machine as any other
//! code; does not know what a probe stands for.

use bytecode::instrument::Relation;
use bytecode::names::ClassName;
use testcase::execution::{Distance, Operands, ProbeHit, ProbeId, SiteId};
use testcase::executor::{Outcomes, Watch};
use testcase::value::{Constant, Value};

use crate::vm::{Machine, Ref, Run};

// As the hook class has them.
const LOOK_AT_OPERANDS: u64 = 1;
const LOOK_AT_DISTANCES: u64 = 2;
const LONGS: u64 = 2;
const FLOATS: u64 = 3;
const DOUBLES: u64 = 4;
const OBJECTS: u64 = 5;
const SWITCH: u64 = 6;
const KEYS: u64 = 7;
const STRINGS: u64 = 8;
const UNTOUCHED: f64 = -1.0;

/// The instrumented classes of a machine: the hook class they report to, and how many probes and sites they have.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The class whose static members instrumented code uses. The machine's source must have it, and what measures
    /// distances beside it.
    pub hooks: ClassName,
    pub probes: u32,
    pub sites: u32,
}

/// Where the hooks' records are.
#[derive(Debug)]
pub(super) struct Gauge {
    /// The first of the probes.
    hit: u32,
    probes: u32,
    looking: u32,
    sites: u32,
    compared: u32,
    left: u32,
    right: u32,
    left_objects: u32,
    right_objects: u32,
    rules: u32,
    slots: u32,
    outcomes: u32,
    /// Fields of the class that measures distances.
    least: u32,
    touched: u32,
    count: u32,
    /// The least cost of a sequence that hit each probe.
    best: Vec<u32>,
    seen: Vec<bool>,
    all: bool,
    cost: u32,
    pub hits: Vec<ProbeHit>,
}

impl Gauge {
    /// Prepares the hooks for a target, as a part of what every run begins with.
    pub fn new(machine: &mut Machine, measured: &Measured) -> Run<Gauge> {
        let hooks = measured.hooks.internal();
        let distances = format!("{}/Distances", measured.hooks.package());
        let open = machine.known_method(hooks, "open", "(I)V")?;
        let hit = machine.static_place(hooks, "HIT", "[B")?;
        machine.call(open, &[u64::from(measured.sites)])?;
        let array = |machine: &mut Machine, class: &str, name: &str, descriptor: &str| {
            let place = machine.static_place(class, name, descriptor)?;
            Run::Ok(machine.elements(machine.word(place) as Ref).0)
        };
        let objects = "[Ljava/lang/Object;";
        let (hit, room) = machine.elements(machine.word(hit) as Ref);
        let probes = measured.probes.min(room);
        let gauge = Gauge {
            hit,
            probes,
            looking: machine.static_place(hooks, "looking", "I")?,
            sites: measured.sites,
            compared: array(machine, hooks, "compared", "[B")?,
            left: array(machine, hooks, "left", "[J")?,
            right: array(machine, hooks, "right", "[J")?,
            left_objects: array(machine, hooks, "leftObject", objects)?,
            right_objects: array(machine, hooks, "rightObject", objects)?,
            rules: array(machine, &distances, "rules", "[B")?,
            slots: array(machine, &distances, "slots", "[I")?,
            outcomes: array(machine, &distances, "outcomes", objects)?,
            least: machine.static_place(&distances, "least", "[D")?,
            touched: machine.static_place(&distances, "touched", "[I")?,
            count: machine.static_place(&distances, "count", "I")?,
            best: vec![u32::MAX; probes as usize],
            seen: vec![false; probes as usize],
            all: false,
            cost: 0,
            hits: Vec::new(),
        };
        machine.make_baseline();
        Ok(gauge)
    }

    /// From now on these are known to be hit at these costs, and no others.
    pub fn set_best(&mut self, best: &[(ProbeId, u32)]) {
        self.best.fill(u32::MAX);
        for (probe, cost) in best {
            if let Some(slot) = self.best.get_mut(probe.0 as usize) {
                *slot = *cost;
            }
        }
    }

    /// Before a sequence.
    pub fn begin(&mut self, machine: &mut Machine, cost: u32, all: bool, operands: bool, distances: bool) {
        self.hits.clear();
        self.seen.fill(false);
        (self.cost, self.all) = (cost, all);
        // Initialisers that are part of the baseline hit theirs once.
        for probe in 0..self.probes {
            if machine.word(self.hit + probe) != 0 {
                machine.set_word(self.hit + probe, 0);
            }
        }
        let looking = if operands { LOOK_AT_OPERANDS } else { 0 } | if distances { LOOK_AT_DISTANCES } else { 0 };
        machine.set_word(self.looking, looking);
    }

    /// Code that runs from here on does not belong to the sequence; returns what [`Gauge::go_on`] needs.
    pub fn pause(&self, machine: &mut Machine) -> (u64, Vec<u64>) {
        let (looking, hits) = (machine.word(self.looking), machine.words(self.hit, self.probes).to_vec());
        machine.set_word(self.looking, 0);
        (looking, hits)
    }

    /// The sequence goes on.
    pub fn go_on(&self, machine: &mut Machine, (looking, hits): (u64, Vec<u64>)) {
        machine.set_word(self.looking, looking);
        for (at, word) in (self.hit..).zip(hits) {
            if machine.word(at) != word {
                machine.set_word(at, word);
            }
        }
    }

    /// After the last statement.
    pub fn stop_looking(&self, machine: &mut Machine) {
        machine.set_word(self.looking, 0);
    }

    /// Records what a statement was the first to hit.
    pub fn scan(&mut self, machine: &Machine, statement: u16) {
        let words = machine.words(self.hit, self.probes);
        for (probe, _) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
            if std::mem::replace(&mut self.seen[probe], true) {
                continue;
            }
            let improves = self.best[probe] > self.cost;
            if self.all || improves {
                self.hits.push(ProbeHit { statement, probe: ProbeId(probe as u32) });
            }
            if improves {
                self.best[probe] = self.cost;
            }
        }
    }

    /// The last operands at every site that ran.
    pub fn operands(&self, machine: &mut Machine) -> Vec<Operands> {
        let mut all = Vec::new();
        for site in 0..self.sites {
            let kind = machine.word(self.compared + site);
            let letter = match kind {
                0 => continue,
                LONGS => b'J',
                FLOATS => b'F',
                DOUBLES => b'D',
                _ => b'I',
            };
            let (left, right) = if kind == OBJECTS {
                let (a, b) = (machine.word(self.left_objects + site), machine.word(self.right_objects + site));
                (machine.short_value(a as Ref), machine.short_value(b as Ref))
            } else {
                let (a, b) = (machine.word(self.left + site), machine.word(self.right + site));
                let right = if kind == SWITCH { Value::Null } else { Machine::primitive(letter, b) };
                (Machine::primitive(letter, a), right)
            };
            all.push(Operands { site: SiteId(site), left, right });
        }
        all
    }

    /// Distances to outcomes that the run did not reach.
    pub fn distances(&self, machine: &Machine) -> Vec<Distance> {
        let (least, _) = machine.elements(machine.word(self.least) as Ref);
        let (touched, _) = machine.elements(machine.word(self.touched) as Ref);
        let slots = (0..machine.word(self.count) as u32).map(|i| machine.word(touched + i) as u32);
        slots
            .map(|slot| Distance { slot, value: f64::from_bits(machine.word(least + slot)) })
            .filter(|distance| distance.value > 0.0)
            .collect()
    }

    /// From now on these sites are watched. Only between sequences.
    pub fn watch(&self, machine: &mut Machine, watches: &[Watch]) -> Run<()> {
        for site in 0..self.sites {
            machine.set_word(self.rules + site, 0);
            machine.set_word(self.outcomes + site, 0);
        }
        let mut end = 0;
        for watch in watches.iter().filter(|w| w.site.0 < self.sites) {
            let (rule, outcomes) = match &watch.outcomes {
                Outcomes::Branch(relation) => (rule(*relation), 0),
                Outcomes::Keys(keys) => {
                    let array = machine.array_for("[I", &[keys.len() as i32])?;
                    let (at, _) = machine.elements(array);
                    for (i, key) in keys.iter().enumerate() {
                        machine.set_word(at + i as u32, *key as i64 as u64);
                    }
                    (KEYS, array)
                }
                Outcomes::Strings(strings) => {
                    let array = machine.array_for("[Ljava/lang/String;", &[strings.len() as i32])?;
                    let (at, _) = machine.elements(array);
                    for (i, string) in strings.iter().enumerate() {
                        let text = machine.constant_value(&Constant::String(string.clone()))?;
                        machine.set_word(at + i as u32, text);
                    }
                    (STRINGS, array)
                }
            };
            machine.set_word(self.rules + watch.site.0, rule);
            machine.set_word(self.slots + watch.site.0, u64::from(watch.first_slot));
            machine.set_word(self.outcomes + watch.site.0, u64::from(outcomes));
            end = end.max(watch.first_slot + watch.outcomes.slots());
        }
        let (mut first, room) = machine.elements(machine.word(self.least) as Ref);
        if end > room {
            let array = machine.array_for("[D", &[end.next_power_of_two() as i32])?;
            machine.set_word(self.least, u64::from(array));
            first = machine.elements(array).0;
        }
        for slot in 0..end {
            machine.set_word(first + slot, UNTOUCHED.to_bits());
        }
        machine.make_baseline();
        Ok(())
    }
}

fn rule(relation: Relation) -> u64 {
    match relation {
        Relation::Equal => 1,
        Relation::NotEqual => 2,
        Relation::Less => 3,
        Relation::GreaterOrEqual => 4,
        Relation::Greater => 5,
        Relation::LessOrEqual => 6,
    }
}
