//! Reading SMT-LIB scripts: the part of it that path conditions need. Owns the grammar; the terms are made by the usual
//! constructors.

use std::collections::BTreeMap;

use super::print::Helper;
use super::{Op, Rounding, Sort, Term, Terms};

/// What is wrong with a script.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot read the script: {what} in `{at}`")]
pub struct ReadError {
    what: &'static str,
    at: String,
}

/// One query per `check-sat`: the conditions in force there, and the answer that the script claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptQuery {
    pub conditions: Vec<Term>,
    pub status: Option<bool>,
}

/// How deep expressions may nest; reading descends into them.
const DEPTH: usize = 1_000;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Expression<'a> {
    Atom(&'a str),
    List(Vec<Expression<'a>>),
}

use Expression::{Atom, List};

type Result<T> = std::result::Result<T, ReadError>;

fn error<T>(what: &'static str, at: &Expression<'_>) -> Result<T> {
    let mut at = format!("{at:?}");
    if let Some((end, _)) = at.char_indices().nth(200) {
        at.truncate(end);
    }
    Err(ReadError { what, at })
}

impl Terms {
    /// Reads a script; its inputs become inputs of this arena.
    pub fn read_script(&mut self, script: &str) -> Result<Vec<ScriptQuery>> {
        let mut reader = Reader { terms: self, names: BTreeMap::new(), asserted: vec![Vec::new()], status: None };
        let mut queries = Vec::new();
        for command in parse(script)? {
            reader.command(&command, &mut queries)?;
        }
        Ok(queries)
    }
}

impl Terms {
    /// The values in the answers to `get-value`, each of one term; constants.
    pub fn read_values(&mut self, answers: &str) -> Result<Vec<Term>> {
        let mut reader = Reader { terms: self, names: BTreeMap::new(), asserted: vec![Vec::new()], status: None };
        let mut values = Vec::new();
        for answer in parse(answers)? {
            let List(pairs) = &answer else { return error("not an answer", &answer) };
            for pair in pairs {
                match pair {
                    List(parts) if parts.len() == 2 => values.push(reader.term(&parts[1])?),
                    _ => return error("not a term and its value", pair),
                }
            }
        }
        Ok(values)
    }
}

/// All expressions of a text.
fn parse(text: &str) -> Result<Vec<Expression<'_>>> {
    let mut open: Vec<Vec<Expression<'_>>> = vec![Vec::new()];
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        let length = match first {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                if open.len() > DEPTH {
                    return error("too many parentheses inside each other", &Atom(""));
                }
                open.push(Vec::new());
                1
            }
            ')' => {
                let list = List(open.pop().unwrap_or_default());
                match open.last_mut() {
                    Some(outer) => outer.push(list),
                    None => return error("a parenthesis too many", &list),
                }
                1
            }
            _ => {
                let length = match first {
                    '|' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
                    _ => rest.find(|c: char| c.is_whitespace() || "();".contains(c)).unwrap_or(rest.len()),
                };
                // Invariant: the list at the bottom is never closed.
                open.last_mut().expect("a list is open").push(Atom(&rest[..length]));
                length
            }
        };
        rest = &rest[length..];
    }
    match (open.pop(), open.is_empty()) {
        (Some(all), true) => Ok(all),
        _ => error("a parenthesis is missing", &Atom("")),
    }
}

struct Reader<'t> {
    terms: &'t mut Terms,
    /// The innermost meaning of a name is the last.
    names: BTreeMap<String, Vec<Term>>,
    asserted: Vec<Vec<Term>>,
    status: Option<bool>,
}

impl Reader<'_> {
    fn command(&mut self, command: &Expression<'_>, queries: &mut Vec<ScriptQuery>) -> Result<()> {
        let List(parts) = command else { return error("not a command", command) };
        match parts.as_slice() {
            [Atom("set-info"), Atom(":status"), Atom(status)] => self.status = Some(*status == "sat"),
            [Atom("set-option" | "set-logic" | "set-info" | "exit" | "get-model" | "get-value" | "echo"), ..] => {}
            [Atom("declare-const"), Atom(name), sort] | [Atom("declare-fun"), Atom(name), List(_), sort] => {
                let sort = read_sort(sort)?;
                let input = self.terms.input(sort, name.trim_matches('|'));
                self.names.entry((*name).to_string()).or_default().push(input);
            }
            [Atom("define-fun"), Atom(name), List(parameters), _, body] => {
                if parameters.is_empty() {
                    let term = self.term(body)?;
                    self.names.entry((*name).to_string()).or_default().push(term);
                } else if Helper::named(name).is_none() {
                    return error("a function with parameters", command);
                }
            }
            [Atom("assert"), condition] => {
                let condition = self.term(condition)?;
                // Invariant: there is always a level.
                self.asserted.last_mut().expect("a level is open").push(condition);
            }
            [Atom("push"), ..] => self.asserted.push(Vec::new()),
            [Atom("pop"), ..] if self.asserted.len() > 1 => drop(self.asserted.pop()),
            [Atom("check-sat")] => {
                queries.push(ScriptQuery { conditions: self.asserted.concat(), status: self.status.take() });
            }
            _ => return error("a command that is not known", command),
        }
        Ok(())
    }

    fn term(&mut self, expression: &Expression<'_>) -> Result<Term> {
        match expression {
            Atom("true") => Ok(Terms::TRUE),
            Atom("false") => Ok(Terms::FALSE),
            Atom(text) => match bits(text) {
                Some((value, width)) => Ok(self.terms.constant(Sort::Bv(width), value)),
                None => match self.names.get(*text).and_then(|meanings| meanings.last()) {
                    Some(term) => Ok(*term),
                    None => error("an unknown name", expression),
                },
            },
            List(parts) => match parts.as_slice() {
                [Atom("let"), List(bindings), body] => self.with_names(bindings, body),
                [Atom("_"), Atom(special), Atom(a), Atom(b)] => match (float_sort(a, b), *special) {
                    (Some(sort), "+zero") => Ok(self.terms.constant(sort, 0)),
                    (Some(sort), "-zero") => Ok(self.terms.constant(sort, 1 << (sort.width() - 1))),
                    (Some(sort), "NaN") => Ok(self.terms.constant(sort, sort.mask() >> 1)),
                    (Some(Sort::F32), "+oo") => Ok(self.terms.float(f32::INFINITY)),
                    (Some(Sort::F32), "-oo") => Ok(self.terms.float(f32::NEG_INFINITY)),
                    (Some(_), "+oo") => Ok(self.terms.double(f64::INFINITY)),
                    (Some(_), "-oo") => Ok(self.terms.double(f64::NEG_INFINITY)),
                    _ => error("an unknown constant", expression),
                },
                [Atom("_"), Atom(value), Atom(width)] if value.starts_with("bv") => {
                    match (value[2..].parse::<u64>(), width.parse::<u8>()) {
                        (Ok(value), Ok(width)) if (1..=64).contains(&width) => {
                            Ok(self.terms.constant(Sort::Bv(width), value))
                        }
                        _ => error("a number", expression),
                    }
                }
                [Atom("fp"), sign, exponent, fraction] => {
                    let (sign, exponent, fraction) = (self.term(sign)?, self.term(exponent)?, self.term(fraction)?);
                    let high = self.terms.concat(sign, exponent);
                    let all = self.terms.concat(high, fraction);
                    Ok(self.terms.float_from_bits(all))
                }
                [head, arguments @ ..] => self.application(expression, head, arguments),
                [] => error("nothing", expression),
            },
        }
    }

    fn with_names(&mut self, bindings: &[Expression<'_>], body: &Expression<'_>) -> Result<Term> {
        let mut bound = Vec::new();
        for binding in bindings {
            match binding {
                List(parts) => match parts.as_slice() {
                    [Atom(name), value] => bound.push(((*name).to_string(), self.term(value)?)),
                    _ => return error("a binding", binding),
                },
                Atom(_) => return error("a binding", binding),
            }
        }
        for (name, value) in &bound {
            self.names.entry(name.clone()).or_default().push(*value);
        }
        let result = self.term(body);
        for (name, _) in &bound {
            self.names.entry(name.clone()).or_default().pop();
        }
        result
    }

    fn application(&mut self, whole: &Expression<'_>, head: &Expression<'_>, given: &[Expression<'_>]) -> Result<Term> {
        let rounding = given.first().and_then(|first| match first {
            Atom("RNE" | "roundNearestTiesToEven") => Some(Rounding::NearestEven),
            Atom("RTP" | "roundTowardPositive") => Some(Rounding::Up),
            Atom("RTN" | "roundTowardNegative") => Some(Rounding::Down),
            Atom("RTZ" | "roundTowardZero") => Some(Rounding::Zero),
            _ => None,
        });
        let given = if rounding.is_some() { &given[1..] } else { given };
        let args = given.iter().map(|argument| self.term(argument)).collect::<Result<Vec<_>>>()?;
        let result = match head {
            Atom(name) => self.named(name, rounding, &args),
            List(parts) => match parts.as_slice() {
                [Atom("_"), Atom(name), numbers @ ..] => {
                    let numbers: Vec<&str> =
                        numbers.iter().filter_map(|n| if let Atom(text) = n { Some(*text) } else { None }).collect();
                    self.indexed(name, &numbers, rounding, &args)
                }
                [Atom("as"), Atom("const"), _] if args.len() == 1 => Some(self.terms.constant_array(args[0])),
                _ => None,
            },
        };
        match result {
            Some(term) => Ok(term),
            None => error("an operation that is not known", whole),
        }
    }

    fn indexed(&mut self, name: &str, numbers: &[&str], rounding: Option<Rounding>, args: &[Term]) -> Option<Term> {
        let terms = &mut *self.terms;
        let number = |place: usize| numbers.get(place).and_then(|text| text.parse::<u8>().ok());
        let &[a] = args else { return None };
        let sort = terms.sort(a);
        match name {
            "extract" => {
                let (high, low) = (number(0)?, number(1)?);
                let fits = low <= high && u32::from(high) < sort.width();
                fits.then(|| terms.extract(a, low, high - low + 1))
            }
            "zero_extend" | "sign_extend" => {
                let wide = sort.width() + u32::from(number(0)?);
                let wide = Sort::Bv(u8::try_from(wide).ok().filter(|width| *width <= 64)?);
                Some(if name == "zero_extend" { terms.zero_extend(a, wide) } else { terms.sign_extend(a, wide) })
            }
            "to_fp" => {
                let target = float_sort(numbers.first()?, numbers.get(1)?)?;
                match (rounding, sort) {
                    (None, Sort::Bv(_)) if sort.width() == target.width() => Some(terms.float_from_bits(a)),
                    (Some(Rounding::NearestEven), Sort::Bv(_)) => Some(terms.signed_to_float(a, target)),
                    (Some(Rounding::NearestEven), _) => Some(terms.float_to_float(a, target)),
                    _ => None,
                }
            }
            "to_fp_unsigned" if rounding == Some(Rounding::NearestEven) && sort.width() < 64 => {
                let target = float_sort(numbers.first()?, numbers.get(1)?)?;
                let wide = terms.zero_extend(a, Sort::LONG);
                Some(terms.signed_to_float(wide, target))
            }
            // Where SMT-LIB leaves the result open, Java's is used.
            "fp.to_sbv" if rounding == Some(Rounding::Zero) => Some(terms.float_to_signed(a, Sort::Bv(number(0)?))),
            "rotate_left" | "rotate_right" => {
                let width = sort.width() as u8;
                let left = number(0)? % width;
                let left = if name == "rotate_left" { left } else { (width - left) % width };
                if left == 0 {
                    return Some(a);
                }
                let (high, low) = (terms.extract(a, 0, width - left), terms.extract(a, width - left, left));
                Some(terms.concat(high, low))
            }
            _ => None,
        }
    }

    fn named(&mut self, name: &str, rounding: Option<Rounding>, args: &[Term]) -> Option<Term> {
        let terms = &mut *self.terms;
        let nearest = rounding == Some(Rounding::NearestEven);
        let folded = |terms: &mut Terms, make: fn(&mut Terms, Term, Term) -> Term| {
            let (first, rest) = args.split_first()?;
            Some(rest.iter().fold(*first, |so_far, next| make(terms, so_far, *next)))
        };
        let chained = |terms: &mut Terms, make: fn(&mut Terms, Term, Term) -> Term| {
            let pairs = args.windows(2).fold(Terms::TRUE, |all, pair| {
                let next = make(terms, pair[0], pair[1]);
                terms.and(all, next)
            });
            (args.len() > 1).then_some(pairs)
        };
        match (name, args) {
            ("and", _) => folded(terms, Terms::and),
            ("or", _) => folded(terms, Terms::or),
            ("xor", _) => folded(terms, Terms::xor),
            ("bvadd", _) => folded(terms, Terms::add),
            ("bvmul", _) => folded(terms, Terms::mul),
            ("bvand", _) => folded(terms, Terms::bit_and),
            ("bvor", _) => folded(terms, Terms::bit_or),
            ("bvxor", _) => folded(terms, Terms::bit_xor),
            ("concat", _) => folded(terms, Terms::concat),
            ("=", _) => chained(terms, Terms::eq),
            ("fp.lt", _) => chained(terms, Terms::flt),
            ("fp.leq", _) => chained(terms, Terms::fle),
            ("fp.gt", _) => chained(terms, |terms, a, b| terms.flt(b, a)),
            ("fp.geq", _) => chained(terms, |terms, a, b| terms.fle(b, a)),
            ("fp.eq", _) => chained(terms, Terms::feq),
            ("not", &[a]) => Some(terms.not(a)),
            ("=>", &[a, b]) => Some(terms.implies(a, b)),
            ("ite", &[a, b, c]) => Some(terms.ite(a, b, c)),
            ("distinct", &[a, b]) => Some(terms.xor(a, b)),
            ("bvsub", &[a, b]) => Some(terms.sub(a, b)),
            ("bvneg", &[a]) => Some(terms.neg(a)),
            ("bvnot", &[a]) => Some(terms.bit_not(a)),
            ("bvudiv", &[a, b]) => Some(terms.udiv(a, b)),
            ("bvurem", &[a, b]) => Some(terms.urem(a, b)),
            ("bvsdiv", &[a, b]) => Some(terms.sdiv(a, b)),
            ("bvsrem", &[a, b]) => Some(terms.srem(a, b)),
            ("bvshl", &[a, b]) => Some(terms.shift_left(a, b)),
            ("bvlshr", &[a, b]) => Some(terms.shift_right_zero(a, b)),
            ("bvashr", &[a, b]) => Some(terms.shift_right(a, b)),
            ("bvult", &[a, b]) => Some(terms.ult(a, b)),
            ("bvule", &[a, b]) => Some(terms.ule(a, b)),
            ("bvugt", &[a, b]) => Some(terms.ult(b, a)),
            ("bvuge", &[a, b]) => Some(terms.ule(b, a)),
            ("bvslt", &[a, b]) => Some(terms.slt(a, b)),
            ("bvsle", &[a, b]) => Some(terms.sle(a, b)),
            ("bvsgt", &[a, b]) => Some(terms.slt(b, a)),
            ("bvsge", &[a, b]) => Some(terms.sle(b, a)),
            ("fp.add", &[a, b]) if nearest => Some(terms.fadd(a, b)),
            ("fp.sub", &[a, b]) if nearest => Some(terms.fsub(a, b)),
            ("fp.mul", &[a, b]) if nearest => Some(terms.fmul(a, b)),
            ("fp.div", &[a, b]) if nearest => Some(terms.fdiv(a, b)),
            ("fp.sqrt", &[a]) if nearest => Some(terms.fsqrt(a)),
            ("fp.neg", &[a]) => Some(terms.fneg(a)),
            ("fp.abs", &[a]) => Some(terms.fabs(a)),
            ("fp.roundToIntegral", &[a]) => Some(terms.fround(a, rounding?)),
            ("fp.isNaN", &[a]) => Some(terms.is_nan(a)),
            ("fp.isInfinite", &[a]) => {
                let (absolute, sort) = (terms.fabs(a), terms.sort(a));
                let infinity = if sort == Sort::F32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 };
                let infinity = terms.constant(sort, infinity);
                Some(terms.eq(absolute, infinity))
            }
            ("fp.isZero", &[a]) => {
                let zero = terms.constant(terms.sort(a), 0);
                Some(terms.feq(a, zero))
            }
            ("fp.isNegative", &[a]) => {
                let bits = terms.float_bits(a);
                let sign = terms.extract(bits, terms.sort(a).width() as u8 - 1, 1);
                let zero = terms.is_zero(sign);
                Some(terms.not(zero))
            }
            ("select", &[a, i]) if terms.sort(a).is_array() => Some(terms.select(a, i)),
            ("store", &[a, i, v]) if terms.sort(a).is_array() => Some(terms.store(a, i, v)),
            _ => match (Helper::named(name)?, args) {
                (Helper::Rem(_), &[a, b]) => Some(terms.frem(a, b)),
                (Helper::ToSigned(_, width), &[a]) => Some(terms.build(Op::FToS, Sort::Bv(width), &[a], 0)),
                _ => None,
            },
        }
    }
}

fn bits(text: &str) -> Option<(u64, u8)> {
    let (digits, radix, each) = match text.get(..2)? {
        "#x" => (&text[2..], 16, 4),
        "#b" => (&text[2..], 2, 1),
        _ => return None,
    };
    let width = u8::try_from(digits.len() * each).ok().filter(|width| *width <= 64)?;
    Some((u64::from_str_radix(digits, radix).ok()?, width))
}

fn float_sort(exponent: &str, significand: &str) -> Option<Sort> {
    match (exponent, significand) {
        ("8", "24") => Some(Sort::F32),
        ("11", "53") => Some(Sort::F64),
        _ => None,
    }
}

fn read_sort(expression: &Expression<'_>) -> Result<Sort> {
    let sort = match expression {
        Atom("Bool") => Some(Sort::Bool),
        Atom("Float32") => Some(Sort::F32),
        Atom("Float64") => Some(Sort::F64),
        Atom(_) => None,
        List(parts) => match parts.as_slice() {
            [Atom("_"), Atom("BitVec"), Atom(width)] => {
                width.parse().ok().filter(|width| (1..=64).contains(width)).map(Sort::Bv)
            }
            [Atom("_"), Atom("FloatingPoint"), Atom(exponent), Atom(significand)] => float_sort(exponent, significand),
            [Atom("Array"), index, element] if read_sort(index)? == Sort::INT => read_sort(element)?.array_of(),
            _ => None,
        },
    };
    match sort {
        Some(sort) => Ok(sort),
        None => error("a sort that is not known", expression),
    }
}
