//! Where in the sources a finding points, and the part of a stack trace worth reading. Owns this choice; judges nothing and writes nothing.

use bytecode::class_info::ClassInfo;
use bytecode::names::ClassName;
use bytecode::world::World;
use engine::outcome::{Finding, FindingKind};
use testcase::execution::{Contract, Frame, Thrown};

use crate::report::Location;
use crate::report::from_outcome::readable;

/// Frames kept of a trace: enough to see how the code under test got there.
const FRAMES: usize = 8;

/// The throwing line in the code under test, or the method whose contract is broken.
pub fn location(world: &World, finding: &Finding) -> Option<Location> {
    let subject = finding.subject.as_ref()?;
    let thrown = finding.thrown.as_ref().and_then(|t| own_frame(t, subject)).map(|f| at_frame(world, f));
    thrown.or_else(|| match &finding.kind {
        FindingKind::Contract(contract) => Some(at_contract(world, subject, contract)),
        FindingKind::Exception(_) => world.class(subject).ok().map(|info| at_class(&info)),
    })
}

/// The innermost frame in the class itself or in its neighbours; what libraries do below is not where the fault is.
fn own_frame<'t>(thrown: &'t Thrown, subject: &ClassName) -> Option<&'t Frame> {
    let frames = &thrown.detail.as_ref()?.frames;
    let outer = |c: &ClassName| c.internal().split('$').next().map(str::to_owned);
    frames
        .iter()
        .find(|f| outer(&f.class) == outer(subject))
        .or_else(|| frames.iter().find(|f| f.class.package() == subject.package()))
}

fn at_frame(world: &World, frame: &Frame) -> Location {
    let info = world.class(&frame.class).ok();
    Location {
        file: file(info.as_deref(), &frame.class),
        line: u32::try_from(frame.line).ok().filter(|l| *l > 0),
        member: format!("{}.{}", frame.class.binary(), frame.method),
    }
}

/// The method that the contract is about, where it is declared; the class if it is not in the class files we have.
fn at_contract(world: &World, subject: &ClassName, contract: &Contract) -> Location {
    let (name, descriptor) = match contract {
        Contract::EqualsReflexive | Contract::EqualsNull | Contract::EqualsSymmetric | Contract::EqualsThrows => {
            ("equals", Some("(Ljava/lang/Object;)Z"))
        }
        Contract::EqualsHashCode | Contract::HashCodeThrows => ("hashCode", Some("()I")),
        Contract::ToStringThrows | Contract::ToStringNull => ("toString", Some("()Ljava/lang/String;")),
        Contract::CompareToAntisymmetric
        | Contract::CompareToTransitive
        | Contract::CompareToEquals
        | Contract::CompareToReflexive => ("compareTo", None),
        Contract::CloneEquals => ("clone", None),
        Contract::IteratorEnds => ("iterator", Some("()Ljava/util/Iterator;")),
        Contract::User { .. } => ("", None),
    };
    let mut next = Some(subject.clone());
    while let Some(info) = next.as_ref().and_then(|c| world.class(c).ok()) {
        // Bridges repeat the method with a more general type; they have no line of their own worth showing.
        let found = info
            .methods
            .iter()
            .filter(|m| m.name == name && descriptor.is_none_or(|d| m.raw_descriptor == d))
            .find(|m| m.lines.is_some() && !m.access.is_synthetic());
        if let Some(method) = found {
            return Location {
                file: file(Some(&info), &info.name),
                line: method.lines.map(|l| u32::from(l.0)),
                member: format!(
                    "{}.{}",
                    info.name.binary(),
                    readable(&method.name, &method.raw_descriptor, info.name.simple_binary())
                ),
            };
        }
        next = info.superclass.clone();
    }
    match world.class(subject) {
        Ok(info) => at_class(&info),
        Err(_) => Location { file: file(None, subject), line: None, member: subject.binary() },
    }
}

fn at_class(info: &ClassInfo) -> Location {
    let line = info.methods.iter().filter_map(|m| m.lines).map(|l| u32::from(l.0)).min();
    Location { file: file(Some(info), &info.name), line, member: info.name.binary() }
}

/// Class files know the name of their source file; its folder follows from the package.
fn file(info: Option<&ClassInfo>, class: &ClassName) -> String {
    let (folder, rest) = class.internal().rsplit_once('/').unwrap_or(("", class.internal()));
    let outermost = rest.split('$').next().unwrap_or(rest);
    let name = info.and_then(|i| i.source_file.clone()).unwrap_or_else(|| format!("{outermost}.java"));
    if folder.is_empty() { name } else { format!("{folder}/{name}") }
}

/// The exception and its frames, innermost first, up to the frame that the test itself called; without the JDK's own inner life.
pub fn trace(thrown: &Thrown) -> Vec<String> {
    let Some(detail) = &thrown.detail else {
        return vec![thrown.class.binary()];
    };
    let head = match &detail.message {
        Some(message) => format!("{}: {message}", thrown.class.binary()),
        None => thrown.class.binary(),
    };
    let inner = |f: &&Frame| {
        let name = f.class.internal();
        !["jdk/internal/", "sun/", "java/lang/reflect/", "java/lang/invoke/"].iter().any(|p| name.starts_with(p))
    };
    let frames = detail.frames.iter().filter(inner).take(FRAMES).map(|f| match f.line {
        line if line > 0 => format!("at {}.{}:{line}", f.class.binary(), f.method),
        _ => format!("at {}.{}", f.class.binary(), f.method),
    });
    std::iter::once(head).chain(frames).collect()
}
