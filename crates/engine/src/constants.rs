//! Constants for parameters of primitive, boxed and string types: plain ones, those found in the code, those seen in comparisons and results,
//! and variations of all these. Owns the stock per kind and its limits; turning one into an operation is the catalogue's part.

use bytecode::names::Primitive;
use rustc_hash::FxHashSet;
use testcase::operation::OpId;
use testcase::types::Type;
use testcase::value::{Constant, JavaString, Value};

use crate::catalog::Catalog;
use crate::library::Library;
use crate::rng::Rng;

mod vary;

pub(crate) use vary::opposite;

/// What constants there can be: the eight primitives and strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(u8);

impl Kind {
    pub const STRING: Kind = Kind(8);
    pub const COUNT: usize = 9;

    pub fn of(primitive: Primitive) -> Kind {
        Kind(primitive as u8)
    }
    pub fn all() -> impl Iterator<Item = Kind> {
        (0..Self::COUNT as u8).map(Kind)
    }
    pub fn primitive(self) -> Option<Primitive> {
        Primitive::ALL.get(usize::from(self.0)).copied()
    }
    /// The reference type that holds such constants.
    pub fn boxed(self) -> Type {
        match self.primitive() {
            Some(p) => Type::class(p.box_class()),
            None => Type::string(),
        }
    }
    /// The plainest constants of this kind first.
    pub fn plain(self) -> Vec<Constant> {
        vary::plain(self)
    }
    /// The kind whose constants are of exactly this type, if there is one.
    pub fn of_type(ty: &Type) -> Option<Kind> {
        match ty {
            Type::Primitive(p) => Some(Kind::of(*p)),
            _ => Kind::all().find(|k| k.boxed() == *ty),
        }
    }
    pub fn of_constant(constant: &Constant) -> Option<Kind> {
        Some(match constant {
            Constant::Boolean(_) => Kind::of(Primitive::Boolean),
            Constant::Byte(_) => Kind::of(Primitive::Byte),
            Constant::Char(_) => Kind::of(Primitive::Char),
            Constant::Short(_) => Kind::of(Primitive::Short),
            Constant::Int(_) => Kind::of(Primitive::Int),
            Constant::Long(_) => Kind::of(Primitive::Long),
            Constant::Float(_) => Kind::of(Primitive::Float),
            Constant::Double(_) => Kind::of(Primitive::Double),
            Constant::String(_) => Kind::STRING,
            Constant::Null | Constant::Class(_) | Constant::Enum { .. } => return None,
        })
    }
}

/// Operations for constants already numbered: (as primitive, as box). Strings use the second only.
type Numbered = [Option<OpId>; 2];

/// The stock of one kind.
#[derive(Clone, Debug, Default)]
struct Stock {
    values: Vec<(Constant, Numbered)>,
    known: FxHashSet<Constant>,
    /// Positions in `values`.
    plain: Vec<u32>,
    mined: Vec<u32>,
    /// Rings: the newest replace the oldest.
    compared: Ring,
    results: Ring,
}

#[derive(Clone, Debug, Default)]
struct Ring {
    items: Vec<u32>,
    next: usize,
}

impl Ring {
    fn push(&mut self, item: u32, limit: usize) {
        if self.items.len() < limit {
            self.items.push(item);
        } else {
            self.items[self.next % limit] = item;
            self.next += 1;
        }
    }
}

/// Most constants of one kind a search may use; the operation tables of brain and worker grow with them.
const MAX_VALUES: usize = 2500;
/// Variations leave room for what is found in comparisons later.
const MAX_VARIED: usize = 1200;
const COMPARED: usize = 96;
const RESULTS: usize = 48;
/// Longer strings are not taken from results and comparisons.
const MAX_STRING: usize = 40;
/// Numbers larger than this are not taken from results.
const MAX_RESULT: i64 = 1 << 20;

#[derive(Clone, Debug)]
pub struct Constants {
    stocks: Vec<Stock>,
}

#[derive(Clone, Copy)]
enum Source {
    Plain,
    Mined,
    Compared,
    Result,
    Varied,
}

impl Constants {
    /// Plain constants of every kind and those the code under test mentions.
    pub fn new(mined: &[Constant]) -> Constants {
        let mut constants = Constants { stocks: vec![Stock::default(); Kind::COUNT] };
        for kind in Kind::all() {
            for value in vary::plain(kind) {
                constants.take(kind, value, Source::Plain);
            }
        }
        for value in mined {
            constants.spread(value, Source::Mined, false);
        }
        constants
    }

    fn take(&mut self, kind: Kind, value: Constant, source: Source) -> Option<u32> {
        let stock = &mut self.stocks[usize::from(kind.0)];
        let at = if stock.known.contains(&value) {
            if !matches!(source, Source::Mined) {
                return None;
            }
            stock.values.iter().position(|(v, _)| *v == value)? as u32
        } else {
            let limit = if matches!(source, Source::Varied) { MAX_VARIED } else { MAX_VALUES };
            if stock.values.len() >= limit {
                return None;
            }
            stock.known.insert(value.clone());
            stock.values.push((value, [None, None]));
            stock.values.len() as u32 - 1
        };
        match source {
            Source::Plain => stock.plain.push(at),
            Source::Mined if !stock.mined.contains(&at) => stock.mined.push(at),
            Source::Mined | Source::Varied => {}
            Source::Compared => stock.compared.push(at, COMPARED),
            Source::Result => stock.results.push(at, RESULTS),
        }
        Some(at)
    }

    /// A number is of use to every kind that can hold it; with `around` its neighbours too.
    fn spread(&mut self, value: &Constant, source: Source, around: bool) {
        for (kind, value) in vary::kin(value, around) {
            self.take(kind, value, source);
        }
    }

    /// Both sides of a comparison that was executed.
    pub fn learn_operands(&mut self, left: &Value, right: &Value) {
        let (left, right) = (as_constant(left), as_constant(right));
        for value in [&left, &right].into_iter().flatten() {
            if !is_long_string(value) {
                self.spread(value, Source::Compared, true);
            }
        }
        if let (Some(Constant::String(l)), Some(Constant::String(r))) = (&left, &right)
            && l != r
            && l.units().len() + r.units().len() <= MAX_STRING
        {
            self.take(Kind::STRING, Constant::String(vary::join(r, l)), Source::Compared);
        }
    }

    /// What a call gave back. Numbers above the limit and strings that look like addresses are left alone.
    pub fn learn_result(&mut self, value: &Value) {
        let Some(constant) = as_constant(value) else {
            return;
        };
        let small = match &constant {
            Constant::Int(n) => i64::from(*n).abs() <= MAX_RESULT,
            Constant::Long(n) => n.unsigned_abs() <= MAX_RESULT as u64,
            Constant::Float(bits) => f32::from_bits(*bits).abs() <= MAX_RESULT as f32,
            Constant::Double(bits) => f64::from_bits(*bits).abs() <= MAX_RESULT as f64,
            Constant::String(s) => s.units().len() <= MAX_STRING && !looks_like_identity(s),
            _ => true,
        };
        if small && let Some(kind) = Kind::of_constant(&constant) {
            self.take(kind, constant, Source::Result);
        }
    }

    /// A constant operation of this kind: of the primitive type, or of the box.
    pub fn draw(
        &mut self,
        catalog: &mut Catalog,
        library: &dyn Library,
        kind: Kind,
        boxed: bool,
        rng: &mut Rng,
    ) -> OpId {
        let at = self.draw_value(kind, rng);
        let boxed = boxed || kind == Kind::STRING;
        let (value, numbered) = &mut self.stocks[usize::from(kind.0)].values[at];
        if let Some(op) = numbered[usize::from(boxed)] {
            return op;
        }
        let ty = match kind.primitive() {
            Some(p) if !boxed => Type::Primitive(p),
            _ => kind.boxed(),
        };
        let op = catalog.constant(library, value.clone(), ty);
        numbered[usize::from(boxed)] = Some(op);
        op
    }

    /// A constant operation near this constant: its opposite, a small change of it, or any other.
    pub fn near(
        &mut self,
        catalog: &mut Catalog,
        library: &dyn Library,
        constant: &Constant,
        boxed: bool,
        rng: &mut Rng,
    ) -> Option<OpId> {
        let kind = Kind::of_constant(constant)?;
        let value = match rng.below(3) {
            0 => vary::opposite(constant),
            1 => Some(vary::vary(constant, constant, rng)),
            _ => None,
        };
        let Some(value) = value.filter(|v| v != constant) else {
            return Some(self.draw(catalog, library, kind, boxed, rng));
        };
        let known = self.stocks[usize::from(kind.0)].known.contains(&value);
        if !known && self.take(kind, value.clone(), Source::Varied).is_none() {
            return Some(self.draw(catalog, library, kind, boxed, rng));
        }
        let ty = match kind.primitive() {
            Some(p) if !boxed => Type::Primitive(p),
            _ => kind.boxed(),
        };
        Some(catalog.constant(library, value, ty))
    }

    fn draw_value(&mut self, kind: Kind, rng: &mut Rng) -> usize {
        let stock = &self.stocks[usize::from(kind.0)];
        let roll = rng.below(100);
        let list = match roll {
            0..40 => &stock.plain,
            40..65 if !stock.mined.is_empty() => &stock.mined,
            65..85 if !stock.compared.items.is_empty() => &stock.compared.items,
            85..90 if !stock.results.items.is_empty() => &stock.results.items,
            90..93 => return self.vary(kind, rng),
            93..100 => return rng.below(stock.values.len()),
            _ => &stock.plain,
        };
        // The earlier half of the plain constants is the plainer one.
        let n = if roll < 20 { list.len().div_ceil(2) } else { list.len() };
        list[rng.below(n)] as usize
    }

    fn vary(&mut self, kind: Kind, rng: &mut Rng) -> usize {
        let stock = &self.stocks[usize::from(kind.0)];
        let at = rng.below(stock.values.len());
        let other = rng.below(stock.values.len());
        let varied = vary::vary(&stock.values[at].0, &stock.values[other].0, rng);
        self.take(kind, varied, Source::Varied).map_or(at, |i| i as usize)
    }
}

fn is_long_string(constant: &Constant) -> bool {
    matches!(constant, Constant::String(s) if s.units().len() > MAX_STRING || looks_like_identity(s))
}

/// `Foo@1b6d3586`: the default `toString`, different in every run.
pub fn looks_like_identity(s: &JavaString) -> bool {
    let is_hex = |u: u16| u8::try_from(u).is_ok_and(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    s.units().windows(2).any(|w| w[0] == u16::from(b'@') && is_hex(w[1]))
}

/// Values that a constant statement can make again.
pub fn as_constant(value: &Value) -> Option<Constant> {
    Some(match value {
        Value::Boolean(b) => Constant::Boolean(*b),
        Value::Byte(n) => Constant::Byte(*n),
        Value::Char(n) => Constant::Char(*n),
        Value::Short(n) => Constant::Short(*n),
        Value::Int(n) => Constant::Int(*n),
        Value::Long(n) => Constant::Long(*n),
        Value::Float(n) => Constant::Float(*n),
        Value::Double(n) => Constant::Double(*n),
        Value::String(s) => Constant::String(s.clone()),
        Value::Boxed(inner) => return as_constant(inner),
        Value::Null
        | Value::LongString { .. }
        | Value::Class(_)
        | Value::Enum { .. }
        | Value::Array { .. }
        | Value::LongArray { .. }
        | Value::Object { .. } => return None,
    })
}
