//! What goes to the terminal and to logs. Owns that nothing there can pass for something else: names and messages come from code that nobody trusts. A reader
//! that went away ends nothing.

use std::io::Write;

/// Steers terminals, hides or turns text around: control characters, line separators, marks of direction, and what has no width.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// On one line, whatever it was.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { escape(c, &mut out) } else { out.push(c) }
    }
    out
}

/// Lines stay lines, those behind the first set in, so that none looks like one of ours.
pub fn lines(text: &str) -> String {
    text.trim_end().split('\n').map(one_line).collect::<Vec<_>>().join("\n    ")
}

/// A layout of our own making, with untrusted words in it: lines stay as they are.
pub fn layout(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}

/// JSON text without anything hidden; means the same to whoever reads it as JSON.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && c != '\n' { escape(c, &mut out) } else { out.push(c) }
    }
    out
}

/// As Java and JSON write it.
fn escape(c: char, out: &mut String) {
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        out.push_str(&format!("\\u{unit:04x}"));
    }
}

/// Prints to standard output. If nobody reads it, nothing is lost: the files are written.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a line to standard error.
pub fn tell(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_passes_for_what_it_is_not() {
        assert_eq!(one_line("p.\u{1b}[2JFoo\u{202e}cba\nerror: x"), "p.\\u001b[2JFoo\\u202ecba\\u000aerror: x");
        assert_eq!(one_line("Größe 数 🦎"), "Größe 数 🦎");
        assert_eq!(one_line("\u{e0041}"), "\\udb40\\udc41");
        assert_eq!(lines("said:\nwarning: gone\r\n"), "said:\n    warning: gone");
        assert_eq!(layout("a\n  b\u{7}\n"), "a\n  b\\u0007\n");
        let text = format!("{:#}\n", serde_json::json!({ "name": "a\u{202e}\n\u{9b}" }));
        let escaped = json(&text);
        assert!(escaped.contains("\\u202e") && escaped.contains("\\u009b"), "{escaped}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&escaped), value(&text));
    }
}
