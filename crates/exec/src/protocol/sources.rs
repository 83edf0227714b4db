//! Messages about Java sources: what to parse, and where classes and members are. Owns their encoding; what the positions mean for editing is
//! decided elsewhere.

use super::WireProblem;
use super::kind;
use super::reader::Reader;
use super::writer::Writer;

/// One file, as javac's parser sees it. Offsets are in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedFile {
    /// Behind the package and the imports.
    pub head: u32,
    pub classes: Vec<ParsedClass>,
    pub members: Vec<ParsedMember>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedClass {
    /// In internal form (`a/b/C$D`).
    pub name: String,
    pub kind: u8,
    /// The opening brace is the first one from here on.
    pub header: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedMember {
    pub kind: u8,
    /// Number of its class plus one; 0: none.
    pub owner: u32,
    pub name: String,
    pub start: u32,
    pub end: u32,
    pub flags: u8,
    pub annotations: Vec<String>,
    pub parameters: Vec<ParsedType>,
    pub uses: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedType {
    pub written: String,
    /// Its last name, without arguments and dimensions.
    pub name: String,
    pub is_variable: bool,
    pub dimensions: u32,
}

/// Where in the text (in UTF-16 units), and what javac says.
pub type ParseError = (u32, String);

pub fn parse<'t>(out: &mut Writer, sources: impl ExactSizeIterator<Item = (&'t str, &'t str)>) {
    out.begin(kind::PARSE);
    out.len(sources.len());
    for (name, source) in sources {
        out.str(name);
        out.str(source);
    }
    out.end();
}

pub fn parsed(payload: &[u8]) -> Result<Vec<Result<ParsedFile, Vec<ParseError>>>, WireProblem> {
    let mut r = Reader::new(payload);
    let n = r.count("number of files")?;
    let mut files = Vec::with_capacity(n);
    for _ in 0..n {
        let errors = r.count("number of errors")?;
        if errors > 0 {
            let mut list = Vec::with_capacity(errors);
            for _ in 0..errors {
                list.push((r.number("position")?, r.str("message")?));
            }
            files.push(Err(list));
            continue;
        }
        files.push(Ok(file(&mut r)?));
    }
    r.finish()?;
    Ok(files)
}

fn file(r: &mut Reader<'_>) -> Result<ParsedFile, WireProblem> {
    let head = r.number("end of the imports")?;
    let n = r.count("number of classes")?;
    let mut classes = Vec::with_capacity(n);
    for _ in 0..n {
        classes.push(ParsedClass {
            name: r.str("class")?,
            kind: r.u8("kind of class")?,
            header: r.number("end of the header")?,
        });
    }
    let n = r.count("number of members")?;
    let mut members = Vec::with_capacity(n);
    for _ in 0..n {
        members.push(ParsedMember {
            kind: r.u8("kind of member")?,
            owner: r.number("class of the member")?,
            name: r.str("member")?,
            start: r.number("start of the member")?,
            end: r.number("end of the member")?,
            flags: r.u8("modifiers")?,
            annotations: strings(r, "annotation")?,
            parameters: types(r)?,
            uses: strings(r, "method used")?,
        });
    }
    Ok(ParsedFile { head, classes, members })
}

fn strings(r: &mut Reader<'_>, what: &'static str) -> Result<Vec<String>, WireProblem> {
    let n = r.count(what)?;
    (0..n).map(|_| r.str(what)).collect()
}

fn types(r: &mut Reader<'_>) -> Result<Vec<ParsedType>, WireProblem> {
    let n = r.count("number of parameters")?;
    let mut types = Vec::with_capacity(n);
    for _ in 0..n {
        types.push(ParsedType {
            written: r.str("parameter type")?,
            name: r.str("parameter type")?,
            is_variable: r.u8("parameter type")? != 0,
            dimensions: r.number("dimensions")?,
        });
    }
    Ok(types)
}
