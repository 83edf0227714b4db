//! Instrumentation: class bytes and a plan in, class bytes with calls to the hooks out. Owns the copying of a class file around its
//! changed methods. Runs nothing, computes no types (frames are copied from branch targets), and leaves a method it cannot
//! change correctly as it was, with the reason.

mod constants;
mod frames;
mod hooks;
mod method;
mod plan;
mod relocate;
mod report;
mod tables;

pub use plan::{Plan, Redirect};
pub use report::{
    BranchProbes, Instrumented, Probe, ProbeKind, Relation, Site, SiteBranch, SiteKind, SkipReason,
    Skipped,
};

use crate::instruction::opcode;
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::{Constant, RawClass};
use constants::NewConstants;
use hooks::Hooks;
use method::Pass;

/// The reference kind of a handle to a static method (JVMS table 5.4.3.5-A).
const REF_INVOKE_STATIC: u8 = 6;

/// Instruments a class. A `module-info` comes back unchanged, as does a class for which the plan has nothing.
pub fn instrument(class: &[u8], plan: &Plan) -> Result<Instrumented, Problem> {
    rewrite(class, plan, false)
}

/// Takes every method apart and puts it together again without changing anything: for tests of the rewriter.
pub fn reencode(class: &[u8]) -> Result<Instrumented, Problem> {
    rewrite(class, &Plan::nothing(ClassName::new("")), true)
}

fn rewrite(bytes: &[u8], plan: &Plan, always: bool) -> Result<Instrumented, Problem> {
    let class = RawClass::parse(bytes)?;
    let mut skipped = Vec::new();
    // The pool's count was read from 16 bits.
    let constants = NewConstants::new(class.pool.len() as u16);
    let hooks = Hooks::new(plan, class.pool.len());
    let mut pass = Pass {
        class: &class,
        plan,
        constants,
        hooks,
        probes: Vec::new(),
        sites: Vec::new(),
    };
    let handles = if plan.redirects.is_empty() {
        Vec::new()
    } else {
        redirected_handles(&mut pass)
    };
    let mut changed = Vec::new();
    for (index, member) in class.methods.iter().enumerate() {
        // The number of methods was read from 16 bits.
        let index = index as u16;
        let Some(attribute) = member.attributes.find(&class.pool, "Code") else {
            continue;
        };
        let Some(code) = class.code(member)? else {
            continue;
        };
        match pass.rewrite(index, member, code, always) {
            Ok(Some(content)) => changed.push((attribute.range, content)),
            Ok(None) => {}
            Err(reason) => skipped.push(Skipped {
                method: index,
                reason,
            }),
        }
    }
    let Pass {
        constants,
        probes,
        sites,
        ..
    } = pass;
    if changed.is_empty() && handles.is_empty() {
        return Ok(Instrumented {
            bytes: bytes.to_vec(),
            probes,
            sites,
            skipped,
        });
    }
    let growth: usize = changed.iter().map(|(_, content)| content.len()).sum();
    let mut out = Vec::with_capacity(bytes.len() + constants.bytes().len() + growth);
    out.extend_from_slice(&bytes[..8]);
    out.extend(constants.count().to_be_bytes());
    out.extend_from_slice(&bytes[10..class.pool.end()]);
    for (reference_at, index) in handles {
        out[reference_at..reference_at + 2].copy_from_slice(&index.to_be_bytes());
    }
    out.extend_from_slice(constants.bytes());
    let mut copied = class.pool.end();
    for (range, content) in changed {
        // The four bytes in front of an attribute's content are its length.
        out.extend_from_slice(&bytes[copied..range.start - 4]);
        out.extend((content.len() as u32).to_be_bytes());
        out.extend_from_slice(&content);
        copied = range.end;
    }
    out.extend_from_slice(&bytes[copied..]);
    Ok(Instrumented {
        bytes: out,
        probes,
        sites,
        skipped,
    })
}

/// Handles to redirected static methods: the offset of their reference in the file, and the constant it becomes.
fn redirected_handles(pass: &mut Pass<'_, '_>) -> Vec<(usize, u16)> {
    let mut handles = Vec::new();
    let pool = &pass.class.pool;
    for (index, constant) in pool.iter() {
        let Constant::MethodHandle {
            kind: REF_INVOKE_STATIC,
            reference,
        } = constant
        else {
            continue;
        };
        let call = pass.hooks.call(reference, pool);
        let Some(redirect) = pass.hooks.redirect_of(call, opcode::INVOKESTATIC) else {
            continue;
        };
        let Some(start) = pool.start(index) else {
            continue;
        };
        // A full pool leaves the handle as it is: the methods that could not be changed are reported anyway.
        if let Ok(to) = pass.hooks.redirect(redirect, &mut pass.constants) {
            handles.push((start + 2, to));
        }
    }
    handles
}
