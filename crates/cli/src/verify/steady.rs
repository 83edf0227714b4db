//! Words of a JVM without what differs from run to run. Owns which parts of a text those are; judges nothing.

/// The text with numbers and addresses taken out of the names that a JVM makes up for lambdas: `Foo$$Lambda$12/0x00007f…` and
/// `Foo$$Lambda/0x00007f…` become `Foo$$Lambda`.
pub fn steady(text: &str) -> String {
    const MADE_UP: &str = "$$Lambda";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(MADE_UP) {
        let (before, after) = rest.split_at(at + MADE_UP.len());
        out.push_str(before);
        let number = after.strip_prefix('$').map_or(after, |n| n.trim_start_matches(|c: char| c.is_ascii_digit()));
        rest = number.strip_prefix("/0x").map_or(number, |a| a.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lambdas_lose_their_numbers() {
        let check = |text: &str, expected: &str| assert_eq!(steady(text), expected);
        check("class a.B$$Lambda$96/0x00007f6285010000 cannot be cast", "class a.B$$Lambda cannot be cast");
        check("class a.B$$Lambda/0x00007f6285010000 and c.D$$Lambda$1/0xab.", "class a.B$$Lambda and c.D$$Lambda.");
        check("expected: <3> but was: <4>", "expected: <3> but was: <4>");
        check("$$Lambda", "$$Lambda");
    }
}
