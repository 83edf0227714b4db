//! Terms as SMT-LIB text. Owns names, sharing (one definition per shared term) and the definitions of what Java has and
//! SMT-LIB has not.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

use super::{InputId, Node, Op, Rounding, Sort, Term, Terms};

/// No text nests deeper than this: terms at such heights get definitions of their own.
const HEIGHT: u32 = 40;

impl Terms {
    /// The whole script that asks for the conditions: declarations, definitions, assertions, `check-sat`.
    pub fn script(&self, conditions: &[Term]) -> String {
        let mut text = String::new();
        // Invariant: writing into a string cannot fail.
        self.write_script(conditions, &mut text).expect("strings take everything");
        text
    }

    fn write_script(&self, conditions: &[Term], out: &mut String) -> fmt::Result {
        let printer = Printer::new(self, conditions);
        out.write_str("(set-option :produce-models true)\n(set-logic ALL)\n")?;
        for helper in &printer.helpers {
            helper.define(out)?;
        }
        for term in &printer.order {
            let node = self.node(*term);
            if node.op == Op::Input {
                writeln!(out, "(declare-const {} {})", printer.name(*term), node.sort)?;
            }
        }
        for term in &printer.order {
            printer.definition(*term, out)?;
        }
        for condition in conditions {
            out.write_str("(assert ")?;
            printer.term(*condition, out)?;
            out.write_str(")\n")?;
        }
        out.write_str("(check-sat)\n")
    }

    /// One term as SMT-LIB, shared parts written out wherever they occur up to some length; for messages.
    pub fn text(&self, term: Term) -> String {
        let mut text = String::new();
        let printer = Printer { terms: self, order: Vec::new(), named: FxHashMap::default(), helpers: BTreeSet::new() };
        // Invariant: writing into a string cannot fail.
        printer.term(term, &mut text).expect("strings take everything");
        text
    }

    /// The name of an input in scripts: unique, and a plain symbol.
    pub fn symbol(&self, input: InputId) -> String {
        let name = self.input_name(input).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
        format!("i{}_{}", input.0, name.collect::<String>())
    }
}

/// A function that scripts define for themselves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Helper {
    /// C's `fmod`.
    Rem(Sort),
    /// A float as a signed integer, saturating.
    ToSigned(Sort, u8),
}

impl Helper {
    fn of(terms: &Terms, node: &Node) -> Option<Helper> {
        match node.op {
            Op::FRem => Some(Helper::Rem(node.sort)),
            Op::FToS => Some(Helper::ToSigned(terms.sort(node.args[0]), node.sort.width() as u8)),
            _ => None,
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Helper::Rem(sort) => format!("java.rem{}", sort.width()),
            Helper::ToSigned(sort, width) => format!("java.f{}_to_s{width}", sort.width()),
        }
    }

    /// The helper of that name, for readers of scripts.
    pub(super) fn named(name: &str) -> Option<Helper> {
        let float = |width: &str| match width {
            "32" => Some(Sort::F32),
            "64" => Some(Sort::F64),
            _ => None,
        };
        let rest = name.strip_prefix("java.")?;
        if let Some(width) = rest.strip_prefix("rem") {
            return float(width).map(Helper::Rem);
        }
        let (from, to) = rest.strip_prefix('f')?.split_once("_to_s")?;
        let width = to.parse().ok().filter(|width| (1..=64).contains(width))?;
        Some(Helper::ToSigned(float(from)?, width))
    }

    fn define(self, out: &mut String) -> fmt::Result {
        let name = self.name();
        match self {
            Helper::Rem(sort) => writeln!(
                out,
                "(define-fun {name} ((x {sort}) (y {sort})) {sort} (let ((r (fp.rem (fp.abs x) (fp.abs y)))) \
                 (let ((m (ite (fp.lt r {}) (fp.add RNE r (fp.abs y)) r))) (ite (fp.isNegative x) (fp.neg m) m))))",
                Constant(sort, 0)
            ),
            Helper::ToSigned(sort, width) => {
                let limit = if sort == Sort::F32 {
                    u64::from(2f32.powi(i32::from(width) - 1).to_bits())
                } else {
                    2f64.powi(i32::from(width) - 1).to_bits()
                };
                let minus = limit | 1 << (sort.width() - 1);
                let result = Sort::Bv(width);
                let most = result.mask() >> 1;
                writeln!(
                    out,
                    "(define-fun {name} ((x {sort})) {result} (ite (fp.isNaN x) {} (ite (fp.leq {} x) {} (ite (fp.leq x {}) {} \
                     ((_ fp.to_sbv {width}) RTZ x)))))",
                    Constant(result, 0),
                    Constant(sort, limit),
                    Constant(result, most),
                    Constant(sort, minus),
                    Constant(result, most + 1),
                )
            }
        }
    }
}

/// A constant of a scalar sort, by its bits.
pub(super) struct Constant(pub Sort, pub u64);

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Constant(sort, bits) = self;
        match sort {
            Sort::Bool => write!(f, "{}", *bits == 1),
            Sort::F32 => write!(f, "((_ to_fp 8 24) #x{bits:08x})"),
            Sort::F64 => write!(f, "((_ to_fp 11 53) #x{bits:016x})"),
            _ => {
                let width = sort.width() as usize;
                if width.is_multiple_of(4) {
                    write!(f, "#x{bits:0w$x}", w = width / 4)
                } else {
                    write!(f, "#b{bits:0width$b}")
                }
            }
        }
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    /// All terms of the script, operands first.
    order: Vec<Term>,
    /// Terms with definitions of their own.
    named: FxHashMap<Term, ()>,
    helpers: BTreeSet<Helper>,
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, conditions: &[Term]) -> Printer<'a> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut stack = conditions.to_vec();
        while let Some(term) = stack.pop() {
            let count = uses.entry(term).or_default();
            *count += 1;
            if *count == 1 {
                stack.extend(terms.node(term).args());
            }
        }
        let mut order: Vec<Term> = uses.keys().copied().collect();
        order.sort_unstable();
        let mut named = FxHashMap::default();
        let mut helpers = BTreeSet::new();
        let mut heights: FxHashMap<Term, u32> = FxHashMap::default();
        for term in &order {
            let node = terms.node(*term);
            let mut height = node.args().iter().map(|arg| heights[arg] + 1).max().unwrap_or(0);
            helpers.extend(Helper::of(terms, node));
            let leaf = matches!(node.op, Op::Const | Op::Input | Op::Not);
            if node.op == Op::FBits || height >= HEIGHT || (!leaf && uses[term] > 1) {
                named.insert(*term, ());
                height = 0;
            }
            heights.insert(*term, height);
        }
        Printer { terms, order, named, helpers }
    }

    fn name(&self, term: Term) -> String {
        match self.terms.input_id(term) {
            Some(input) => self.terms.symbol(input),
            None => format!("t{}", term.index()),
        }
    }

    fn definition(&self, term: Term, out: &mut String) -> fmt::Result {
        if !self.named.contains_key(&term) {
            return Ok(());
        }
        let (node, name) = (self.terms.node(term), self.name(term));
        if node.op == Op::FBits {
            // SMT-LIB has no such function, only its inverse.
            let sort = self.terms.sort(node.args[0]);
            let nan = if sort == Sort::F32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 };
            let mut operand = String::new();
            self.term(node.args[0], &mut operand)?;
            writeln!(out, "(declare-const {name} {})", node.sort)?;
            let format = if sort == Sort::F32 { "8 24" } else { "11 53" };
            writeln!(out, "(assert (= ((_ to_fp {format}) {name}) {operand}))")?;
            return writeln!(out, "(assert (=> (fp.isNaN {operand}) (= {name} {})))", Constant(node.sort, nan));
        }
        write!(out, "(define-fun {name} () {} ", node.sort)?;
        self.expand(term, out)?;
        out.write_str(")\n")
    }

    fn term(&self, term: Term, out: &mut String) -> fmt::Result {
        if self.named.contains_key(&term) || self.terms.op(term) == Op::Input {
            out.write_str(&self.name(term))
        } else if self.order.is_empty() && out.len() > 2000 {
            out.write_char('…')
        } else {
            self.expand(term, out)
        }
    }

    fn expand(&self, term: Term, out: &mut String) -> fmt::Result {
        let node = self.terms.node(term);
        let head = match node.op {
            Op::Const => return write!(out, "{}", Constant(node.sort, node.number)),
            Op::Input => return out.write_str(&self.name(term)),
            Op::Extract => format!("(_ extract {} {})", node.number + u64::from(node.sort.width()) - 1, node.number),
            Op::ZeroExtend | Op::SignExtend => {
                let by = node.sort.width() - self.terms.sort(node.args[0]).width();
                format!("(_ {} {by})", if node.op == Op::ZeroExtend { "zero_extend" } else { "sign_extend" })
            }
            Op::FToF | Op::SToF if node.sort == Sort::F32 => "(_ to_fp 8 24) RNE".to_string(),
            Op::FToF | Op::SToF => "(_ to_fp 11 53) RNE".to_string(),
            Op::FFromBits if node.sort == Sort::F32 => "(_ to_fp 8 24)".to_string(),
            Op::FFromBits => "(_ to_fp 11 53)".to_string(),
            Op::FRound => match Rounding::from_number(node.number) {
                Rounding::NearestEven => "fp.roundToIntegral RNE".to_string(),
                Rounding::Up => "fp.roundToIntegral RTP".to_string(),
                Rounding::Down => "fp.roundToIntegral RTN".to_string(),
                Rounding::Zero => "fp.roundToIntegral RTZ".to_string(),
            },
            Op::ConstArray => format!("(as const {})", node.sort),
            Op::FRem | Op::FToS => Helper::of(self.terms, node).map(Helper::name).unwrap_or_default(),
            op => plain_name(op).to_string(),
        };
        write!(out, "({head}")?;
        for arg in node.args() {
            out.write_char(' ')?;
            self.term(*arg, out)?;
        }
        out.write_char(')')
    }
}

fn plain_name(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::Add => "bvadd",
        Op::Mul => "bvmul",
        Op::Neg => "bvneg",
        Op::UDiv => "bvudiv",
        Op::URem => "bvurem",
        Op::SDiv => "bvsdiv",
        Op::SRem => "bvsrem",
        Op::BitAnd => "bvand",
        Op::BitOr => "bvor",
        Op::BitXor => "bvxor",
        Op::BitNot => "bvnot",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::Ult => "bvult",
        Op::Ule => "bvule",
        Op::Slt => "bvslt",
        Op::Sle => "bvsle",
        Op::Concat => "concat",
        Op::FAdd => "fp.add RNE",
        Op::FMul => "fp.mul RNE",
        Op::FDiv => "fp.div RNE",
        Op::FSqrt => "fp.sqrt RNE",
        Op::FNeg => "fp.neg",
        Op::FAbs => "fp.abs",
        Op::FLt => "fp.lt",
        Op::FLe => "fp.leq",
        Op::FEq => "fp.eq",
        Op::FIsNan => "fp.isNaN",
        Op::FBits => "java.bits",
        Op::Select => "select",
        Op::Store => "store",
        // Operations with numbers in their names are written by the caller.
        _ => "?",
    }
}
