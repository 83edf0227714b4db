//! What the parser leaves out: comments and the white space between members. Owns which comment is about which member. Knows just enough of Java's
//! tokens not to mistake text in literals for comments.

use std::ops::Range;

/// Comments and opening braces of a file, in the order of the text.
pub(super) struct Trivia {
    comments: Vec<Range<usize>>,
    braces: Vec<usize>,
}

impl Trivia {
    pub fn of(text: &str) -> Trivia {
        let bytes = text.as_bytes();
        let mut trivia = Trivia { comments: Vec::new(), braces: Vec::new() };
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match rest {
                [b'/', b'/', ..] => {
                    let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(bytes.len(), |n| at + n);
                    trivia.comments.push(at..end);
                    at = end;
                }
                [b'/', b'*', ..] => {
                    let end = text[at + 2..].find("*/").map_or(bytes.len(), |n| at + n + 4);
                    trivia.comments.push(at..end);
                    at = end;
                }
                [b'"', b'"', b'"', ..] => at = literal_end(bytes, at + 3, b"\"\"\""),
                [b'"', ..] => at = literal_end(bytes, at + 1, b"\""),
                [b'\'', ..] => at = literal_end(bytes, at + 1, b"'"),
                [b'{', ..] => {
                    trivia.braces.push(at);
                    at += 1;
                }
                _ => at += 1,
            }
        }
        trivia
    }

    /// The first opening brace at or behind a place.
    pub fn brace_from(&self, at: usize) -> Option<usize> {
        self.braces.get(self.braces.partition_point(|b| *b < at)).copied()
    }

    fn comments_within(&self, range: Range<usize>) -> &[Range<usize>] {
        let first = self.comments.partition_point(|c| c.start < range.start);
        let last = self.comments.partition_point(|c| c.end <= range.end);
        self.comments.get(first..last).unwrap_or(&[])
    }

    /// Where the comments in front of a member begin that are about it. `before`: the end of what comes before.
    pub fn leading(&self, text: &str, before: usize, member: usize) -> usize {
        let mut start = member;
        for comment in self.comments_within(before..member).iter().rev() {
            let words = &text[comment.clone()];
            let gap = &text[comment.end..start];
            let is_javadoc = words.starts_with("/**") && start == member;
            let is_apart = lines(gap) > 1 && !is_javadoc;
            // A comment behind something on the same line is about that.
            let is_behind = lines(&text[before..comment.start]) == 0 && lines(gap) > 0;
            if !gap.trim().is_empty() || is_apart || is_behind || is_fold(words) {
                break;
            }
            start = comment.start;
        }
        start
    }

    /// Where the comment behind a member on its last line ends, if there is one. `next`: the start of what comes after.
    pub fn trailing(&self, text: &str, end: usize, next: usize) -> usize {
        // A stray semicolon belongs to what it follows.
        let semicolon = text[end..next].bytes().take_while(|b| matches!(b, b' ' | b'\t' | b';')).collect::<Vec<_>>();
        let end = end + semicolon.iter().rposition(|b| *b == b';').map_or(0, |n| n + 1);
        let mut last = end;
        for comment in self.comments_within(end..next) {
            let gap = &text[last..comment.start];
            if !gap.trim().is_empty() || lines(gap) > 0 || is_fold(&text[comment.clone()]) {
                break;
            }
            last = comment.end;
        }
        let rest = &text[last..];
        let rest = rest.trim_start_matches([' ', '\t']);
        // Something else follows on the line: the comment may well be about that.
        if last > end && !(rest.is_empty() || rest.starts_with(['\n', '\r'])) { end } else { last }
    }
}

/// How many lines end in a text.
fn lines(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |n: &usize| bytes[*n] == b'\n' || bytes[*n] == b'\r' && bytes.get(n + 1) != Some(&b'\n');
    (0..bytes.len()).filter(ends).count()
}

/// A mark that editors fold by: about more than one member.
fn is_fold(comment: &str) -> bool {
    let words = comment.trim_start_matches(['/', '*']).trim_start();
    ["region", "endregion", "#region", "#endregion", "<editor-fold", "</editor-fold"]
        .iter()
        .any(|mark| words.strip_prefix(mark).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric())))
}

/// Behind the end of a literal whose content starts at `at`; a literal that does not end is the parser's problem.
fn literal_end(bytes: &[u8], mut at: usize, quote: &[u8]) -> usize {
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].starts_with(quote) {
            return at + quote.len();
        } else {
            at += 1;
        }
    }
    bytes.len()
}
