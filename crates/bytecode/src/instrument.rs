//! Instrumentation: class bytes and a plan in, class bytes with calls to the hooks out. Owns the copying of a class
//! file around its changed methods. Runs nothing, merges no types (frames are copied from branch targets or carried
//! along), and leaves a method it cannot change correctly as it was, with the reason.

mod branch;
mod constants;
mod draft;
mod frames;
mod hooks;
mod infect;
mod insert;
mod method;
mod monitor;
mod plan;
mod reach;
mod relocate;
mod report;
mod schemata;
mod tables;

pub use plan::{CallPlan, Calls, Plan, Redirect};
pub use reach::Reaches;
pub use report::{
    BranchProbes, Instrumented, MonitoredField, MonitoredMember, Probe, ProbeKind, Relation, Site, SiteBranch,
    SiteKind, SkipReason, Skipped,
};
pub use schemata::{LeftOut, Schemata, schemata};

use crate::instruction::opcode;
use crate::names::ClassName;
use crate::problem::Problem;
use crate::raw::{Constant, RawClass};
use constants::NewConstants;
use hooks::Hooks;
use method::Pass;
use std::ops::Range;

// Reference kinds of method handles (JVMS table 5.4.3.5-A).
const REF_INVOKE_VIRTUAL: u8 = 5;
const REF_INVOKE_STATIC: u8 = 6;
const REF_INVOKE_INTERFACE: u8 = 9;

/// Instruments a class. A `module-info` comes back unchanged, as does a class for which the plan has nothing.
pub fn instrument(class: &[u8], plan: &Plan) -> Result<Instrumented, Problem> {
    rewrite(class, plan, false)
}

/// Does the class name classes of this package (internal form)? Code under test has no business with the hooks.
pub fn names_classes_of(class: &[u8], package: &str) -> bool {
    let Ok(class) = RawClass::parse(class) else { return false };
    let is_in = |text: crate::raw::Text<'_>| {
        let name = text.lossy();
        let name = name.trim_start_matches('[').trim_start_matches('L');
        name.strip_prefix(package).is_some_and(|rest| rest.starts_with('/'))
    };
    class
        .pool
        .iter()
        .any(|(index, constant)| matches!(constant, Constant::Class { .. }) && class.pool.class(index).is_ok_and(is_in))
}

/// Takes every method apart and puts it together again without changing anything: for tests of the rewriter.
pub fn reencode(class: &[u8]) -> Result<Instrumented, Problem> {
    rewrite(class, &Plan::nothing(ClassName::new("")), true)
}

fn rewrite(bytes: &[u8], plan: &Plan, always: bool) -> Result<Instrumented, Problem> {
    let class = RawClass::parse(bytes)?;
    // The reduced plans for a method that is too large for the whole plan: first less, then only the indispensable.
    let thin = (plan.lines || plan.operands).then(|| Plan {
        lines: false,
        operands: false,
        infections: false,
        ..plan.clone()
    });
    let redirects_only = Plan {
        redirects: plan.redirects.clone(),
        reaches: plan.reaches.clone(),
        kin: plan.kin.clone(),
        ..Plan::nothing(plan.hooks.clone())
    };
    let calls_only = plan.calls.map(|calls| Plan { calls: Some(calls), steps: plan.steps, ..redirects_only.clone() });
    // The pool's count was read from 16 bits.
    let constants = NewConstants::new(class.pool.len() as u16);
    let mut pass = Pass::new(&class, plan, constants, Hooks::new(plan, class.pool.len()));
    if plan.infections {
        pass.faults = crate::mutate::sites(bytes, &[], 0)?;
    }
    let handles = redirected_handles(&mut pass);
    let (mut changed, mut skipped, mut thinned) = (Vec::new(), Vec::new(), Vec::new());
    for (index, member) in class.methods.iter().enumerate() {
        // The number of methods was read from 16 bits.
        let index = index as u16;
        let Some(attribute) = member.attributes.find(&class.pool, "Code") else {
            continue;
        };
        let Some(code) = class.code(member)? else {
            continue;
        };
        let mut content = pass.rewrite(index, member, &code, always);
        let too_large = matches!(content, Err(SkipReason::CodeTooLarge { .. } | SkipReason::BranchTooFar));
        if let (true, Err(reason), Some(thin)) = (too_large, &content, &thin) {
            let reason = reason.clone();
            pass.plan = thin;
            content = pass.rewrite(index, member, &code, false);
            if content.is_ok() {
                thinned.push(Skipped { method: index, reason });
            }
        }
        if let Err(reason) = content {
            skipped.push(Skipped { method: index, reason });
            // Forbidden calls are redirected even in methods too large for anything else.
            content = Ok(None);
            for plan in calls_only.iter().chain([&redirects_only]) {
                pass.plan = plan;
                if let Ok(Some(done)) = pass.rewrite(index, member, &code, false) {
                    content = Ok(Some(done));
                    break;
                }
            }
        }
        pass.plan = plan;
        if let Ok(Some(content)) = content {
            changed.push((attribute.range, content));
        }
    }
    let Pass { constants, probes, sites, members, fields, unobserved, .. } = pass;
    let bytes = if changed.is_empty() && handles.is_empty() {
        bytes.to_vec()
    } else {
        splice(&class, &constants, &handles, &changed)
    };
    Ok(Instrumented { bytes, probes, sites, members, fields, skipped, thinned, unobserved })
}

/// The class file with new constants behind the old ones, changed handles, and changed contents of attributes.
fn splice(
    class: &RawClass<'_>,
    constants: &NewConstants,
    handles: &[RedirectedHandle],
    changed: &[(Range<usize>, Vec<u8>)],
) -> Vec<u8> {
    let bytes = class.bytes;
    let growth: usize = changed.iter().map(|(_, content)| content.len()).sum();
    let mut out = Vec::with_capacity(bytes.len() + constants.bytes().len() + growth);
    out.extend_from_slice(&bytes[..8]);
    out.extend(constants.count().to_be_bytes());
    out.extend_from_slice(&bytes[10..class.pool.end()]);
    for handle in handles {
        let [a, b] = handle.reference.to_be_bytes();
        // Behind the tag: the reference kind and the reference.
        out[handle.start + 1..handle.start + 4].copy_from_slice(&[REF_INVOKE_STATIC, a, b]);
    }
    out.extend_from_slice(constants.bytes());
    let mut copied = class.pool.end();
    for (range, content) in changed {
        // The four bytes in front of an attribute's content are its length.
        out.extend_from_slice(&bytes[copied..range.start - 4]);
        out.extend((content.len() as u32).to_be_bytes());
        out.extend_from_slice(content);
        copied = range.end;
    }
    out.extend_from_slice(&bytes[copied..]);
    out
}

/// A method handle to a redirected method. As a handle to the static method it has the same type: the receiver comes
/// first.
struct RedirectedHandle {
    /// Offset of its tag in the file.
    start: usize,
    /// The constant of the method it becomes a handle to.
    reference: u16,
}

fn redirected_handles(pass: &mut Pass<'_, '_>) -> Vec<RedirectedHandle> {
    let mut handles = Vec::new();
    if pass.plan.redirects.is_empty() {
        return handles;
    }
    let pool = &pass.class.pool;
    for (index, constant) in pool.iter() {
        let Constant::MethodHandle { kind, reference } = constant else {
            continue;
        };
        let opcode = match kind {
            REF_INVOKE_VIRTUAL => opcode::INVOKEVIRTUAL,
            REF_INVOKE_STATIC => opcode::INVOKESTATIC,
            REF_INVOKE_INTERFACE => opcode::INVOKEINTERFACE,
            _ => continue,
        };
        let call = pass.hooks.call(reference, pool);
        let Some(redirect) = pass.hooks.redirect_of(call, opcode) else {
            continue;
        };
        // With a full pool the handle stays as it is, and so do the methods that would have to be changed.
        if let (Some(start), Ok(reference)) = (pool.start(index), pass.hooks.redirect(redirect, &mut pass.constants)) {
            handles.push(RedirectedHandle { start, reference });
        }
    }
    handles
}
