//! Sequences per second through one worker, end to end: `throughput [seconds] [batch] [class folder]`. Owns the measurement;
//! the subject is `java.util`-like code compiled on the spot.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytecode::instrument::{Plan, instrument};
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, World};
use exec::classpath::{ClassPath, PlatformClasses};
use exec::executor::{ExecutorConfig, JvmExecutor, TargetSetup};
use exec::jdk::Jdk;
use exec::library::{Library, TargetClass};
use exec::runtime::Runtime;
use exec::worker::WorkerConfig;
use testcase::executor::{Detail, Executor, Observe, Request};
use testcase::operation::{OpId, Operation, OperationKind, Operations};
use testcase::sequence::{Sequence, Statement, Var};
use testcase::types::Type;
use testcase::value::Constant;

const CLASS: &str = "subjects/Stack";

#[expect(clippy::disallowed_methods, reason = "this program measures time")]
fn now() -> Instant {
    Instant::now()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().map_or(Ok(4.0), |a| a.parse())?;
    let batch: usize = args.next().map_or(Ok(256), |a| a.parse())?;
    let scratch = std::env::temp_dir().join(format!("testudo-throughput-{}", std::process::id()));
    let classes = scratch.join("classes");
    std::fs::create_dir_all(&classes)?;
    let jdks = Jdk::all();
    let oldest = jdks.iter().min_by_key(|j| j.feature).ok_or("no JDK")?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/subjects/Stack.java");
    let status = Command::new(oldest.home.join("bin/javac")).arg("-g").arg("-d").arg(&classes).arg(source).status()?;
    assert!(status.success(), "javac failed");
    for jdk in &jdks {
        let states = Detail { observe: Observe::LastStatement, states: true, ..Detail::default() };
        let everything = Detail { observe: Observe::Everything, states: true, operands: true, ..Detail::default() };
        for (name, detail) in
            [("plain", Detail::default()), ("states of the last call", states), ("everything", everything)]
        {
            measure(jdk, &scratch, &classes, name, detail, seconds, batch)?;
        }
    }
    std::fs::remove_dir_all(&scratch)?;
    Ok(())
}

fn measure(
    jdk: &Jdk,
    scratch: &Path,
    classes: &Path,
    name: &str,
    detail: Detail,
    seconds: f64,
    batch: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let begin = now();
    let runtime = Runtime::install(scratch)?;
    let platform = Arc::new(PlatformClasses::open(jdk)?);
    let (classpath, _) = ClassPath::open(&[PathBuf::from(classes)], jdk, platform);
    let classpath = Arc::new(classpath);
    let library = Arc::new(Library::new(classpath.clone(), Arc::new(World::new(classpath.clone()))));
    let mut config = WorkerConfig::new(jdk.clone(), runtime.worker, scratch.join("workers"));
    config.readable.push(classes.to_owned());
    let mut executor = JvmExecutor::start(ExecutorConfig::new(config), library.clone())?;
    let bytes = classpath.class_bytes(CLASS).ok_or("no class")?;
    let done = instrument(&bytes, &Plan { ..library.target_plan() })?;
    executor.open_target(TargetSetup {
        probes: done.probes.len() as u32,
        sites: done.sites.len() as u32,
        classes: vec![TargetClass { name: ClassName::new(CLASS), index: 0, bytes: done.bytes.into() }],
        ..TargetSetup::default()
    })?;
    let mut table = Operations::default();
    let ops = operations(&mut table);
    let mut seed = 1u64;
    executor.run(&table, vec![request(&ops, &mut seed, detail)])?;
    let first = begin.elapsed();
    let (mut done, mut at_last, mut best) = (0u64, 0u64, 0f64);
    let (start, mut window) = (now(), now());
    executor.submit(&table, make(&ops, &mut seed, detail, batch))?;
    while start.elapsed() < Duration::from_secs_f64(seconds) {
        executor.submit(&table, make(&ops, &mut seed, detail, batch))?;
        done += executor.collect()?.len() as u64;
        if window.elapsed() > Duration::from_millis(500) {
            best = best.max((done - at_last) as f64 / window.elapsed().as_secs_f64());
            (at_last, window) = (done, now());
        }
    }
    executor.collect()?;
    println!(
        "JDK {:2} {name:25} first result after {:3} ms; {:7.0} sequences/s over {seconds} s, {best:7.0} in the best half second; {} restarts",
        jdk.feature,
        first.as_millis(),
        done as f64 / start.elapsed().as_secs_f64(),
        executor.stats().restarts,
    );
    Ok(())
}

struct Ops {
    new: OpId,
    constants: Vec<OpId>,
    push: OpId,
    readers: Vec<OpId>,
}

fn operations(table: &mut Operations) -> Ops {
    let mut call = |name: &str, descriptor: &str, params: Vec<Type>, result: Type| {
        let kind = OperationKind::Call {
            owner: ClassName::new(CLASS),
            name: name.into(),
            descriptor: descriptor.into(),
            is_static: false,
            owner_is_interface: false,
            varargs: false,
        };
        table.intern(Operation { kind, params, result })
    };
    let (int, this) = (Type::Primitive(bytecode::names::Primitive::Int), Type::class(CLASS));
    let push = call("push", "(I)V", vec![this.clone(), int.clone()], Type::Void);
    let readers = ["size", "hashCode", "top"].map(|n| call(n, "()I", vec![this.clone()], int.clone())).to_vec();
    let kind = OperationKind::Construct {
        class: ClassName::new(CLASS),
        descriptor: "()V".into(),
        varargs: false,
        inner: false,
    };
    let new = table.intern(Operation { kind, params: Vec::new(), result: this });
    let constants = (0..20).map(|n| table.intern(Operation::constant(Constant::Int(n), int.clone()))).collect();
    Ops { new, constants, push, readers }
}

fn make(ops: &Ops, seed: &mut u64, detail: Detail, batch: usize) -> Vec<Request> {
    (0..batch).map(|_| request(ops, seed, detail)).collect()
}

/// Ten statements: two constants, a constructor, seven calls.
fn request(ops: &Ops, seed: &mut u64, detail: Detail) -> Request {
    let mut next = |n: usize| {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        (*seed >> 20) as usize % n
    };
    let statement = |op: OpId, args: &[u16]| Statement { op, args: args.iter().map(|a| Var(*a)).collect() };
    let mut statements = vec![
        statement(ops.new, &[]),
        statement(ops.constants[next(20)], &[]),
        statement(ops.constants[next(20)], &[]),
        statement(ops.push, &[0, 1]),
    ];
    for _ in 0..6 {
        statements.push(match next(2) {
            0 => statement(ops.push, &[0, 1 + next(2) as u16]),
            _ => statement(ops.readers[next(3)], &[0]),
        });
    }
    Request { sequence: Sequence::new(statements), detail, cost: 10, fault: None }
}
