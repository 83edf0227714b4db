//! Measures reading, re-encoding and instrumenting of all classes of a JDK, and can write the instrumented classes as a
//! stream that the check programs of the tests read. For figures and for hunting a class that fails; not part of the
//! product.
//!
//! Usage: rewrite JDK-HOME [OUT]

use bytecode::instruction::decode;
use bytecode::instrument::{Plan, SkipReason, instrument, reencode};
use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use bytecode::raw::RawClass;
use std::collections::BTreeMap;
use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "this program measures time")]
fn timed<T>(what: &str, classes: usize, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    println!("{what}: {seconds:.3} s, {:.1} thousand classes/s", classes as f64 / seconds / 1000.0);
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let home = arguments.next().ok_or("usage: rewrite JDK-HOME [OUT]")?;
    let image = Jimage::open(std::fs::read(format!("{home}/lib/modules"))?)?;
    let mut list = Vec::new();
    for class in image.classes() {
        let (_, name) = class?;
        let bytes = image.class_bytes(name.internal())?.ok_or("a listed class has no bytes")?;
        list.push((name, bytes.into_owned()));
    }
    println!("{} classes, {} bytes", list.len(), list.iter().map(|(_, bytes)| bytes.len()).sum::<usize>());
    let instructions = timed("parse and decode", list.len(), || -> Result<usize, bytecode::problem::Problem> {
        let mut count = 0;
        for (_, bytes) in &list {
            let class = RawClass::parse(bytes)?;
            for m in &class.methods {
                if let Some(code) = class.code(m)? {
                    count += decode(code.code, code.code_start)?.len();
                }
            }
        }
        Ok(count)
    })?;
    println!("{instructions} instructions");
    let different = timed("re-encode", list.len(), || {
        list.iter()
            .filter(|(_, bytes)| !reencode(bytes).is_ok_and(|r| r.bytes == **bytes && r.skipped.is_empty()))
            .count()
    });
    println!("{different} classes not byte-equal");
    let plan = Plan::everything(ClassName::new("testudo/runtime/Hooks"));
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let (mut probes, mut sites, mut out) = (0, 0, Vec::new());
    timed("instrument", list.len(), || -> Result<(), bytecode::problem::Problem> {
        for (name, bytes) in &list {
            let result = instrument(bytes, &plan)?;
            probes += result.probes.len();
            sites += result.sites.len();
            for s in result.skipped {
                let reason = match s.reason {
                    SkipReason::CodeTooLarge { .. } => "code too large".to_owned(),
                    other => other.to_string(),
                };
                *skipped.entry(reason).or_default() += 1;
            }
            out.extend((name.internal().len() as u16).to_be_bytes());
            out.extend_from_slice(name.internal().as_bytes());
            out.extend((result.bytes.len() as u32).to_be_bytes());
            out.extend_from_slice(&result.bytes);
        }
        Ok(())
    })?;
    println!("{probes} probes, {sites} sites, {} bytes, methods skipped: {skipped:?}", out.len());
    if let Some(path) = arguments.next() {
        std::fs::write(path, out)?;
    }
    Ok(())
}
