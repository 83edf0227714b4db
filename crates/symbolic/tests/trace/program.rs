//! Random Java methods on two numbers: arithmetic, branches, switches, loops, arrays. Owns their making from a seed;
//! nothing here runs them.

/// A small source of chance.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A class with the given number of methods `m0`, `m1`, … of `(int, int)`.
pub fn class(name: &str, seed: u64, methods: usize) -> String {
    let mut dice = Dice(seed);
    let mut text = format!("public class {name} {{\n");
    for number in 0..methods {
        text.push_str(&format!("  public static int m{number}(int a, int b) {{\n    int x = a, y = b; int[] t = {{3, 1, 4, 1, 5, 9, 2, 6}};\n"));
        for _ in 0..3 + dice.below(4) {
            statement(&mut dice, 2, &mut text);
        }
        text.push_str("    return x ^ y;\n  }\n");
    }
    text.push_str("}\n");
    text
}

fn statement(dice: &mut Dice, depth: u32, text: &mut String) {
    let variable = ["x", "y"][dice.below(2) as usize];
    match dice.below(if depth == 0 { 3 } else { 7 }) {
        0 | 1 => text.push_str(&format!("    {variable} = {};\n", expression(dice, 2))),
        2 => text.push_str(&format!("    t[{} & 7] = {};\n", expression(dice, 1), expression(dice, 1))),
        3 | 4 => {
            text.push_str(&format!("    if ({}) {{\n", condition(dice)));
            statement(dice, depth - 1, text);
            text.push_str("    } else {\n");
            statement(dice, depth - 1, text);
            text.push_str("    }\n");
        }
        5 => {
            text.push_str(&format!("    switch ({} & 3) {{\n    case 0:\n", expression(dice, 1)));
            statement(dice, depth - 1, text);
            text.push_str("    break;\n    case 2:\n");
            statement(dice, depth - 1, text);
            text.push_str("    break;\n    default:\n    }\n");
        }
        _ => {
            let counter = format!("i{}", text.len());
            text.push_str(&format!(
                "    for (int {counter} = 0; {counter} < 3 && {}; {counter}++) {{\n",
                condition(dice)
            ));
            statement(dice, depth - 1, text);
            text.push_str("    }\n");
        }
    }
}

fn condition(dice: &mut Dice) -> String {
    let sign = ["<", "<=", "==", "!=", ">", ">="][dice.below(6) as usize];
    format!("{} {sign} {}", expression(dice, 2), expression(dice, 1))
}

fn expression(dice: &mut Dice, depth: u32) -> String {
    if depth == 0 || dice.below(4) == 0 {
        return match dice.below(6) {
            0 => "a".to_string(),
            1 => "b".to_string(),
            2 => "x".to_string(),
            3 => "y".to_string(),
            _ => format!("{}", dice.below(200) as i64 - 100),
        };
    }
    let (first, second) = (expression(dice, depth - 1), expression(dice, depth - 1));
    match dice.below(12) {
        0..=2 => format!("({first} + {second})"),
        3 | 4 => format!("({first} - {second})"),
        5 => format!("({first} * {})", dice.below(9) + 2),
        6 => format!("({first} / {second})"),
        7 => format!("({first} % {second})"),
        8 => format!("({first} & {second})"),
        9 => format!("({first} >> {})", dice.below(9)),
        10 => format!("(byte) ({first})"),
        _ => format!("t[{first} & 7]"),
    }
}
