//! Symbolic states of container classes by number of calls, with the processor time that exploring them takes: the
//! machine, conditions and comparison, no JVM. Writes a table for `bench/results/symbolic-states.md`. Run with
//! `cargo run --release -p symbolic --example states`; the argument `describe` shows states instead.

#[path = "../tests/machine/source.rs"]
mod source;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use source::{Source, jdks, run};
use symbolic::executor::Slot;
use symbolic::state::{Arguments, Comparison, Settings, Space, StateId, Tags};
use symbolic::vm::{Limits, Machine, Run};

/// A class, its methods under test, and what was published about it.
struct Subject {
    class: &'static str,
    /// Name, descriptor, and which parameters are null or zero.
    methods: &'static [(&'static str, &'static str, &'static [usize])],
    known: &'static [Known],
    source: &'static str,
}

/// Calls behind the constructor; states and tests, as far as published; seconds, zero if not.
type Known = (u32, Option<u32>, Option<u32>, f64);

/// Numbers by T. Xie and others: from a talk of 2004, and from a table of 2005 that a thesis of 2010 repeats (by
/// lengths 9 to 15, every argument being a statement there).
#[rustfmt::skip]
const SUBJECTS: [Subject; 16] = [
    Subject {
        class: "subjects/UniqueStack",
        methods: &[("push", "(I)V", &[])],
        known: &[(6, Some(7), None, 0.69), (7, Some(8), None, 0.91), (8, Some(9), None, 1.24), (9, Some(10), None, 1.71), (10, Some(11), None, 2.41), (20, None, None, 0.0), (30, None, None, 0.0)],
        source: "talk",
    },
    Subject {
        class: "subjects/TreeMap",
        methods: &[("put", "(Ljava/lang/Comparable;Ljava/lang/Object;)Ljava/lang/Object;", &[1]), ("remove", "(Ljava/lang/Comparable;)Ljava/lang/Object;", &[])],
        known: &[(4, Some(15), None, 1.1), (5, Some(41), None, 3.4), (6, Some(139), None, 11.08), (7, Some(531), None, 50.62), (8, Some(2251), None, 271.15)],
        source: "talk",
    },
    Subject {
        class: "jtestcraft/ints/UBStack",
        methods: &[("push", "(I)V", &[]), ("pop", "()V", &[])],
        known: &[(5, None, Some(43), 0.85), (6, None, Some(67), 1.24), (7, None, Some(94), 1.57), (8, None, Some(141), 2.33)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/ints/IntStack",
        methods: &[("push", "(I)V", &[]), ("pop", "()I", &[])],
        known: &[(5, None, Some(18), 0.26), (6, None, Some(24), 0.47), (7, None, Some(32), 0.54), (8, None, Some(40), 0.67)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/ints/BinSearchTree",
        methods: &[("insert", "(I)Z", &[]), ("remove", "(I)Z", &[])],
        known: &[(5, None, Some(350), 4.07), (6, None, Some(1274), 15.22), (7, None, Some(4706), 70.94), (8, None, Some(12626), 251.30)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/ints/BinomialHeap",
        methods: &[("insert", "(I)V", &[]), ("extractMin", "()I", &[]), ("delete", "(I)Z", &[])],
        known: &[(5, None, Some(40), 1.41), (6, None, Some(66), 3.59), (7, None, Some(86), 5.67), (8, None, Some(157), 17.53)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/ints/LinkedList",
        methods: &[("add", "(I)V", &[]), ("remove", "(I)Z", &[]), ("removeLast", "()I", &[])],
        known: &[(5, None, Some(25), 0.56), (6, None, Some(33), 0.66), (7, None, Some(42), 0.80), (8, None, Some(52), 0.94)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/ints/TreeMap",
        methods: &[("put", "(II)I", &[1]), ("remove", "(I)I", &[])],
        known: &[(5, None, Some(114), 3.79), (6, None, Some(386), 17.32), (7, None, Some(698), 38.15), (8, None, Some(2074), 173.71)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/ints/HeapArray",
        methods: &[("insert", "(I)V", &[]), ("extractMax", "()I", &[])],
        known: &[(5, None, Some(51), 2.79), (6, None, Some(96), 5.77), (7, None, Some(175), 14.52), (8, None, Some(389), 28.50)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/boxes/UBStack",
        methods: &[("push", "(Ljava/lang/Integer;)V", &[]), ("pop", "()V", &[])],
        known: &[(5, None, Some(43), 0.85), (6, None, Some(67), 1.24), (7, None, Some(94), 1.57), (8, None, Some(141), 2.33)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/boxes/IntStack",
        methods: &[("push", "(Ljava/lang/Integer;)V", &[]), ("pop", "()Ljava/lang/Integer;", &[])],
        known: &[(5, None, Some(18), 0.26), (6, None, Some(24), 0.47), (7, None, Some(32), 0.54), (8, None, Some(40), 0.67)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/boxes/BinSearchTree",
        methods: &[("insert", "(Ljava/lang/Integer;)Z", &[]), ("remove", "(Ljava/lang/Integer;)Z", &[])],
        known: &[(5, None, Some(350), 4.07), (6, None, Some(1274), 15.22), (7, None, Some(4706), 70.94), (8, None, Some(12626), 251.30)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/boxes/BinomialHeap",
        methods: &[("insert", "(Ljava/lang/Integer;)V", &[]), ("extractMin", "()Ljava/lang/Integer;", &[]), ("delete", "(Ljava/lang/Integer;)Z", &[])],
        known: &[(5, None, Some(40), 1.41), (6, None, Some(66), 3.59), (7, None, Some(86), 5.67), (8, None, Some(157), 17.53)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/boxes/LinkedList",
        methods: &[("add", "(Ljava/lang/Integer;)V", &[]), ("remove", "(Ljava/lang/Integer;)Z", &[]), ("removeLast", "()Ljava/lang/Integer;", &[])],
        known: &[(5, None, Some(25), 0.56), (6, None, Some(33), 0.66), (7, None, Some(42), 0.80), (8, None, Some(52), 0.94)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/boxes/TreeMap",
        methods: &[("put", "(Ljava/lang/Integer;Ljava/lang/Integer;)Ljava/lang/Integer;", &[1]), ("remove", "(Ljava/lang/Integer;)Ljava/lang/Integer;", &[])],
        known: &[(5, None, Some(114), 3.79), (6, None, Some(386), 17.32), (7, None, Some(698), 38.15), (8, None, Some(2074), 173.71)],
        source: "table",
    },
    Subject {
        class: "jtestcraft/boxes/HeapArray",
        methods: &[("insert", "(Ljava/lang/Integer;)V", &[]), ("extractMax", "()Ljava/lang/Integer;", &[])],
        known: &[(5, None, Some(51), 2.79), (6, None, Some(96), 5.77), (7, None, Some(175), 14.52), (8, None, Some(389), 28.50)],
        source: "table",
    },
];

impl Subject {
    fn construct(&self, machine: &mut Machine) -> Run<Slot> {
        let class = machine.known_class(self.class)?;
        machine.initialise(class)?;
        let object = machine.allocate(class)?;
        let constructor = machine.known_method(self.class, "<init>", "()V")?;
        machine.call(constructor, &[u64::from(object)])?;
        Ok(Slot::new(b'L', u64::from(object)))
    }

    fn call(&self, machine: &mut Machine, method: usize, on: Slot, arguments: &mut Arguments<'_>) -> Run<Slot> {
        let (name, descriptor, nulls) = self.methods[method];
        let method = machine.known_method(self.class, name, descriptor)?;
        let (mut values, mut terms) = (vec![on.bits], vec![None]);
        let mut letters = descriptor[1..].bytes();
        let mut place = 0;
        while let Some(letter) = letters.next().filter(|b| *b != b')') {
            let argument = if letter == b'L' {
                letters.by_ref().find(|b| *b == b';');
                if nulls.contains(&place) {
                    Slot::new(b'L', 0)
                } else {
                    let number = arguments.next(machine, b'I');
                    machine.new_box(b'I', number.bits, number.term)?
                }
            } else if nulls.contains(&place) {
                Slot::new(letter, 0)
            } else {
                arguments.next(machine, letter)
            };
            place += 1;
            values.push(argument.bits);
            terms.push(argument.term);
        }
        machine.call_with(method, &values, &terms)?;
        Ok(Slot::new(b'V', 0))
    }

    /// Explores up to a number of calls; gives the states.
    fn explore(&self, machine: Machine, comparison: Comparison, iterations: u32) -> (Space, f64) {
        let mut space = Space::new(machine, Settings { comparison, states: 1_000_000, ..Settings::default() });
        for method in 0..self.methods.len() {
            space.warm(&mut |machine, arguments| {
                let object = self.construct(machine)?;
                self.call(machine, method, object, arguments).map(|_| ())
            });
        }
        let started = processor_seconds();
        let tags = Tags { receiver: None, result: Some(0) };
        space.explore(None, 0, tags, u64::MAX, &mut |machine, _, _| self.construct(machine), &mut |_| {});
        let mut from = 0;
        for _ in 0..iterations {
            let until = space.len();
            for state in from..until {
                for method in 0..self.methods.len() {
                    space.explore(
                        Some(StateId(state as u32)),
                        1 + method as u32,
                        Tags { receiver: Some(0), result: None },
                        u64::MAX,
                        // A state has a receiver.
                        &mut |machine, on, arguments| {
                            self.call(machine, method, on.unwrap_or(Slot::new(b'L', 0)), arguments)
                        },
                        &mut |_| {},
                    );
                }
            }
            from = until;
        }
        (space, processor_seconds() - started)
    }
}

/// Processor time of this thread: how busy the machine is does not matter then.
fn processor_seconds() -> f64 {
    // SAFETY: `clock_gettime` writes one `timespec`, for which all zeros are a value.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        time
    };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn compiled(home: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let out = std::env::temp_dir().join(format!("testudo-states-{}", std::process::id()));
    let mut arguments = vec!["-d".to_owned(), out.display().to_string()];
    for subject in &SUBJECTS {
        // Packages are named after the folder of fixtures they are in.
        let set = subject.class.split('/').next().unwrap_or_default();
        arguments.push(root.join(set).join("src").join(format!("{}.java", subject.class)).display().to_string());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run(home, "javac", &arguments);
    out
}

fn main() {
    let home = jdks().remove(0);
    let classes = compiled(&home);
    let source: Arc<Source> = Arc::new(Source::open(&home, &classes));
    let boot = || Machine::boot(source.clone(), Limits::default()).expect("this JDK starts");
    let describe = std::env::args().any(|argument| argument == "describe");
    let only: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "describe").collect();
    let wanted = |subject: &&Subject| only.is_empty() || only.iter().any(|part| subject.class.contains(part.as_str()));
    println!(
        "| class | calls | states | *states* | by implication | by equality | by structure | paths | *tests* | ms | *s* | times faster | source |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|");
    for subject in SUBJECTS.iter().filter(wanted) {
        for &(iterations, states, tests, seconds) in subject.known {
            let (mut space, first) = subject.explore(boot(), Comparison::Merging, iterations);
            // The best of three: others use this machine, too.
            let best = (0..2).map(|_| subject.explore(boot(), Comparison::Merging, iterations).1).fold(first, f64::min);
            let by = |comparison: Comparison| subject.explore(boot(), comparison, iterations).0.len();
            let published = |number: Option<u32>| number.map_or(String::new(), |n| n.to_string());
            let cells = [
                subject.class.trim_start_matches("subjects/").trim_start_matches("jtestcraft/").to_owned(),
                iterations.to_string(),
                space.len().to_string(),
                published(states),
                by(Comparison::Implication).to_string(),
                by(Comparison::Equality).to_string(),
                by(Comparison::Structure).to_string(),
                // Without the constructor's, as published ones are counted.
                (space.counts().paths - 1).to_string(),
                published(tests),
                format!("{:.2}", best * 1e3),
                if seconds > 0.0 { format!("{seconds:.2}") } else { String::new() },
                if seconds > 0.0 { format!("{:.0}", seconds / best) } else { String::new() },
                subject.source.to_owned(),
            ];
            println!("| {} |", cells.join(" | "));
            if describe {
                println!("{:?}", space.counts());
                for state in 0..space.len() {
                    println!("{state}: {}", space.describe(StateId(state as u32)).join(" | "));
                }
            }
        }
    }
    // Compiled for this run alone.
    let _ = std::fs::remove_dir_all(classes);
}
