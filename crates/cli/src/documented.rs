//! What the documentation of a method says of the exceptions it throws, for findings about one that left it. Owns reading `@throws` from sources that the user has
//! given and what follows for the confidence; without sources nothing is known and nothing changes.

use std::path::PathBuf;

use bytecode::names::ClassName;
use bytecode::world::World;
use engine::outcome::{Confidence, Finding, FindingKind, Outcome};
use exec::sources::SourceFile;
use testcase::operation::{OperationKind, Operations};

use crate::jvm_bench::SharedCompiler;

/// What is documented of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Documentation {
    /// Names after `@throws` and `@exception`, without package.
    throws: Vec<String>,
    /// There is a comment at all.
    written: bool,
}

/// Corrects the confidence of findings about exceptions by what is documented. Gives what could not be read, in words.
pub fn weigh(folders: &[PathBuf], compiler: &SharedCompiler, world: &World, outcome: &mut Outcome) -> Vec<String> {
    let mut notes = Vec::new();
    let mut read: Vec<(ClassName, Option<(SourceFile, String)>)> = Vec::new();
    for finding in &mut outcome.findings {
        let FindingKind::Exception(_) = finding.kind else { continue };
        let Some((class, name, descriptor)) = called(world, &outcome.operations, finding) else { continue };
        let top = outermost(world, &class);
        if !read.iter().any(|(known, _)| *known == top) {
            let file = source(folders, compiler, &top).unwrap_or_else(|note| {
                notes.push(note);
                None
            });
            read.push((top.clone(), file));
        }
        let Some((_, Some((file, text)))) = read.iter().find(|(known, _)| *known == top) else { continue };
        if let Some(member) = file.method(&class, &name, &descriptor).map(|m| &file.members[m]) {
            correct(finding, &documentation(&text[member.extent.start..member.declaration.start]));
        }
    }
    // The surest stay first; what was said before about their order stays true.
    outcome.findings.sort_by_key(|f| f.confidence);
    notes
}

fn correct(finding: &mut Finding, documentation: &Documentation) {
    let Some(thrown) = &finding.thrown else { return };
    let above = thrown.detail.iter().flat_map(|d| &d.supers);
    let mut names = std::iter::once(&thrown.class).chain(above).map(|c| simple(c.internal()).to_owned());
    if names.any(|name| documentation.throws.contains(&name)) {
        finding.confidence = finding.confidence.max(Confidence::Warning);
        finding.why.push("the documentation says that the method throws this".to_owned());
    } else if documentation.written {
        finding.why.insert(0, "the documentation does not say that the method throws this".to_owned());
    }
}

/// The method that was called last, where it is declared.
fn called(world: &World, operations: &Operations, finding: &Finding) -> Option<(ClassName, String, String)> {
    let (owner, name, descriptor) = match &operations.get(finding.test.sequence.last()?.op).kind {
        OperationKind::Construct { class, descriptor, .. } => (class.clone(), "<init>", descriptor),
        OperationKind::Call { owner, name, descriptor, .. } => (owner.clone(), &**name, descriptor),
        _ => return None,
    };
    let declared = world.resolve_method(&owner, name, descriptor).map(|m| m.owner().clone());
    Some((declared.unwrap_or(owner), name.to_owned(), descriptor.to_string()))
}

/// The class that gives the source file its name.
fn outermost(world: &World, class: &ClassName) -> ClassName {
    let mut top = class.clone();
    while let Some(outer) = world.class(&top).ok().and_then(|i| i.nesting.as_ref().and_then(|n| n.outer.clone())) {
        top = outer;
    }
    top
}

/// The file of a class and its text; `None` if no folder has it.
fn source(
    folders: &[PathBuf],
    compiler: &SharedCompiler,
    class: &ClassName,
) -> Result<Option<(SourceFile, String)>, String> {
    let name = format!("{}.java", class.internal());
    let Some(path) = folders.iter().map(|f| f.join(&name)).find(|p| p.is_file()) else {
        return Ok(None);
    };
    let unreadable = |cause: String| format!("{} cannot be used as documentation: {cause}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|e| unreadable(e.to_string()))?;
    let file = compiler.parse(&name, &text).map_err(unreadable)?;
    Ok(Some((file, text)))
}

/// The names behind `@throws` and `@exception` in the comments in front of a declaration.
fn documentation(comments: &str) -> Documentation {
    let mut throws = Vec::new();
    let mut words = comments.split_whitespace();
    while let Some(word) = words.next() {
        if matches!(word, "@throws" | "@exception")
            && let Some(name) = words.next()
        {
            let name = name.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
            throws.push(simple(name).to_owned());
        }
    }
    Documentation { throws, written: comments.contains("/**") }
}

fn simple(name: &str) -> &str {
    name.rsplit(['/', '.', '$']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(comments: &str, throws: &[&str], written: bool) {
        let throws = throws.iter().map(|t| t.to_string()).collect();
        assert_eq!(documentation(comments), Documentation { throws, written });
    }

    #[test]
    fn names_behind_tags_are_read() {
        check("", &[], false);
        check("// @throws nothing: no documentation\n", &["nothing"], false);
        check(
            "/** Adds. @throws java.io.IOException if\n * it must\n * @exception Map.Gone, says so\n */\n",
            &["IOException", "Gone"],
            true,
        );
        check("/** {@code throws} nothing */", &[], true);
    }
}
