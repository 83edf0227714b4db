//! Choices between elements against arrays of the solver, for arrays that are written and read at inputs; never a part
//! of the product. `arrays [JDK_HOME]`: for arrays of several lengths and methods with several writes, the paths found
//! and the processor time of finding them, both ways.

#[path = "../tests/machine/source.rs"]
mod source;

use std::path::Path;
use std::sync::Arc;

use source::{Source, jdks, run};
use symbolic::trace::{Explorer, Tracer, Wish};
use symbolic::vm::{Limits, Machine};
use testcase::operation::{Operation, OperationKind, Operations};
use testcase::sequence::SequenceBuilder;
use testcase::types::Type;
use testcase::value::Constant;

const LENGTHS: [i32; 8] = [4, 8, 16, 32, 64, 128, 256, 512];
const WRITES: [usize; 2] = [2, 6];
const PATHS: usize = 24;
const CONFLICTS: u32 = 5_000;

/// A method that writes an array of the given length the given number of times, then asks it three things.
fn method(name: &str, length: i32, writes: usize) -> String {
    let mask = length - 1;
    let mut body = String::new();
    for i in 0..writes {
        let (index, value) = (["a", "b", "c", "d"][i % 4], ["b ^ 5", "c + 3", "d", "a - b"][i % 4]);
        body.push_str(&format!("t[({index} + {i}) & {mask}] += {value};\n"));
    }
    format!(
        "static int {name}(int a, int b, int c, int d) {{ int[] t = new int[{length}];\n\
         for (int i = 0; i < t.length; i++) t[i] = i * i;\n{body}\
         if (t[d & {mask}] == 12345) return 1;\n\
         if (t[a & {mask}] - t[b & {mask}] == 777) return 2;\n\
         if (t[(a ^ c) & {mask}] > 1000000 && t[0] == 40) return 3;\n return 0; }}\n"
    )
}

fn processor_seconds() -> f64 {
    // SAFETY: `clock_gettime` writes one `timespec`, for which all zeros are a value.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        time
    };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() {
    let home = std::env::args().nth(1).map_or_else(|| jdks()[0].clone(), |home| Path::new(&home).to_path_buf());
    let out = std::env::temp_dir().join(format!("arrays-{}", std::process::id()));
    std::fs::create_dir_all(&out).expect("a folder");
    let names = LENGTHS.iter().flat_map(|length| WRITES.iter().map(move |writes| (*length, *writes)));
    let names: Vec<(String, i32, usize)> = names.map(|(l, w)| (format!("m{l}_{w}"), l, w)).collect();
    let methods: String = names.iter().map(|(name, length, writes)| method(name, *length, *writes)).collect();
    let java = out.join("Arrays.java");
    std::fs::write(&java, format!("class Arrays {{\n{methods}}}\n")).expect("a file");
    let texts = [out.display().to_string(), java.display().to_string()];
    run(&home, "javac", &["-d", &texts[0], &texts[1]]);
    println!("| elements | writes | choices: paths | unanswered | s | arrays: paths | unanswered | s |");
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (name, length, writes) in &names {
        let row: Vec<String> = [i32::MAX, 0].map(|choices| explored(&home, &out, name, choices)).into();
        println!("| {length} | {writes} | {} |", row.join(" | "));
    }
    let _ = std::fs::remove_dir_all(out);
}

fn explored(home: &Path, out: &Path, name: &str, choices: i32) -> String {
    let machine = Machine::boot(Arc::new(Source::open(home, out)), Limits::default()).expect("a machine");
    let mut tracer = Tracer::new(machine);
    tracer.machine().path_mut().choices = choices;
    let mut operations = Operations::default();
    let mut builder = SequenceBuilder::default();
    let int = || Type::Primitive(bytecode::names::Primitive::Int);
    let mut arguments = Vec::new();
    for value in 1..=4 {
        let op = operations.intern(Operation::constant(Constant::Int(value), int()));
        arguments.push(builder.push(op, &[]));
    }
    let kind = OperationKind::Call {
        owner: bytecode::names::ClassName::new("Arrays"),
        name: name.into(),
        descriptor: "(IIII)I".into(),
        is_static: true,
        owner_is_interface: false,
        varargs: false,
    };
    let call = operations.intern(Operation { kind, params: vec![int(); 4], result: int() });
    builder.push(call, &arguments);
    let mut explorer = Explorer::new(builder.finish(), Wish::default(), CONFLICTS, 200);
    let begun = processor_seconds();
    let (mut paths, mut unknown) = (0, 0);
    while paths < PATHS {
        let Some(explored) = explorer.next(&mut tracer, &mut operations) else { break };
        paths += 1;
        unknown += explored.unknown.len();
    }
    format!("{paths} | {unknown} | {:.2}", processor_seconds() - begun)
}
