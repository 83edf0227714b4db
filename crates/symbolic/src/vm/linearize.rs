//! Hashes everything reachable from a value to 128 bits, exactly as the worker does: isomorphic heaps, and only they,
//! get equal hashes, on a JVM and here. Owns numbering and mixing.

use rustc_hash::FxHashMap;

use super::heap::Ref;
use super::machine::Machine;
use super::shape::{Look, Shape};

const LARGEST: usize = 10_000;
const K1: u64 = 0x9e37_79b9_7f4a_7c15;
const K2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const NULL: u64 = 0x51ed_270b_3a7c_1e05;
const TRUNCATED: u64 = 0x2545_f491_4f6c_dd1d;
const SEEN: u64 = 0x6c8e_9cf5_7093_2bd5;

/// The state has a part that this machine cannot look at as a JVM does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown;

#[derive(Debug, Default)]
struct Linearizer {
    objects: Vec<Ref>,
    numbers: FxHashMap<Ref, u32>,
    a: u64,
    b: u64,
}

impl Machine {
    /// The hash of a reference's state.
    pub fn state_hash(&mut self, root: Ref) -> Result<u128, Unknown> {
        let mut walk = Linearizer { a: K1, b: K2, ..Linearizer::default() };
        walk.reference(self, root)?;
        walk.finish(self)
    }

    /// The hash a box of a primitive would have: `letter` is the descriptor.
    pub fn boxed_hash(&mut self, letter: u8, bits: u64) -> Result<u128, Unknown> {
        let (class, _) = super::synthetic::box_of(&char::from(letter).to_string());
        let class = self.known_class(class).map_err(|_| Unknown)?;
        let shape = self.shape_of(class);
        let mut walk = Linearizer { a: K1, b: K2, ..Linearizer::default() };
        walk.mix(shape.name_hash);
        walk.mix(canonical(letter, bits, false));
        walk.finish(self)
    }
}

impl Linearizer {
    fn mix(&mut self, x: u64) {
        self.a = (self.a ^ x).wrapping_mul(K1).rotate_left(29);
        self.b = (self.b ^ x.rotate_left(32)).wrapping_mul(K2);
        self.b ^= self.b >> 31;
    }

    fn finish(mut self, machine: &mut Machine) -> Result<u128, Unknown> {
        let mut at = 0;
        while at < self.objects.len() {
            if at == LARGEST {
                self.mix(TRUNCATED);
                break;
            }
            self.walk(machine, self.objects[at])?;
            at += 1;
        }
        let low = avalanche(self.a.wrapping_add(self.b.rotate_left(17)));
        let high = avalanche(self.b ^ self.a.rotate_left(41) ^ self.objects.len() as u64);
        Ok(u128::from(high) << 64 | u128::from(low))
    }

    fn reference(&mut self, machine: &mut Machine, value: Ref) -> Result<(), Unknown> {
        if value == 0 {
            self.mix(NULL);
            return Ok(());
        }
        let class = machine.class_of(value);
        let shape = machine.shape_of(class);
        // Streams of objects have been seen to differ, for a reason not yet found. Bundles know their place in a cache,
        // which is not modelled.
        let unlike = ["java/nio/", "java/io/ObjectOutputStream", "java/util/PropertyResourceBundle"];
        let buffer =
            unlike.iter().any(|p| machine.class_name(class).starts_with(p)) && !machine.class(class).is_application;
        if buffer || machine.class_name(class).starts_with("testudo/generated/") {
            // The name of a lambda made by a statement does not count; buffers keep the address of their array.
            return Err(Unknown);
        }
        match shape.look {
            Look::Object | Look::References | Look::Primitives(_) => {
                let number = self.number(value);
                self.mix(SEEN.wrapping_add(u64::from(number)));
                return Ok(());
            }
            _ => self.mix(shape.name_hash),
        }
        match shape.look {
            Look::Box(letter) => self.mix(canonical(letter, machine.heap.slot(value, 0), false)),
            Look::Text => self.string(machine, value),
            Look::Enum => {
                let name = machine.enum_name(value).ok_or(Unknown)?;
                self.string(machine, name);
            }
            Look::Class => {
                let class = machine.mirrored(value);
                if machine.class(class).is_hidden {
                    return Err(Unknown);
                }
                let name = machine.class_name(class).replace('/', ".");
                self.units(&name.encode_utf16().collect::<Vec<_>>());
            }
            Look::Printed => {
                let text = machine.printed(value).ok_or(Unknown)?;
                self.string(machine, text);
            }
            _ => {}
        }
        Ok(())
    }

    fn number(&mut self, object: Ref) -> u32 {
        let next = self.objects.len() as u32;
        let number = *self.numbers.entry(object).or_insert(next);
        if number == next {
            self.objects.push(object);
        }
        number
    }

    fn walk(&mut self, machine: &mut Machine, object: Ref) -> Result<(), Unknown> {
        let class = machine.class_of(object);
        let shape = machine.shape_of(class);
        self.mix(shape.name_hash);
        match shape.look {
            Look::References => {
                let length = machine.heap.length(object) as u32;
                self.mix(u64::from(length));
                for i in 0..length {
                    self.reference(machine, machine.heap.slot(object, i) as Ref)?;
                    if self.objects.len() > LARGEST {
                        break;
                    }
                }
            }
            Look::Primitives(letter) => self.primitives(machine, object, letter),
            _ => self.fields(machine, object, &shape)?,
        }
        Ok(())
    }

    fn fields(&mut self, machine: &mut Machine, object: Ref, shape: &Shape) -> Result<(), Unknown> {
        if shape.hash_table && machine.depends_on_identity(object) {
            return Err(Unknown);
        }
        for &(slot, letter) in &shape.primitives {
            self.mix(canonical(letter, machine.heap.slot(object, slot), true));
        }
        for &slot in &shape.references {
            self.reference(machine, machine.heap.slot(object, slot) as Ref)?;
        }
        Ok(())
    }

    fn primitives(&mut self, machine: &Machine, array: Ref, letter: u8) {
        let length = machine.heap.length(array) as u32;
        let words = machine.heap.words(array + 1, length);
        if matches!(letter, b'F' | b'D') {
            self.mix(u64::from(length));
            for &word in words {
                self.mix(canonical(letter, word, false));
            }
            return;
        }
        let size = match letter {
            b'Z' | b'B' => 1,
            b'C' | b'S' => 2,
            b'I' => 4,
            _ => 8,
        };
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes().into_iter().take(size)).collect();
        self.raw(&bytes, u64::from(length));
    }

    fn string(&mut self, machine: &Machine, string: Ref) {
        let units = machine.string_units(string);
        self.units(&units);
    }

    fn units(&mut self, units: &[u16]) {
        let latin = units.iter().all(|u| *u < 256);
        self.mix(u64::from(!latin));
        let bytes: Vec<u8> = if latin {
            units.iter().map(|u| *u as u8).collect()
        } else {
            units.iter().flat_map(|u| u.to_le_bytes()).collect()
        };
        self.raw(&bytes, bytes.len() as u64);
    }

    /// The memory of an array, in four lanes if it is long.
    fn raw(&mut self, bytes: &[u8], length: u64) {
        self.mix(length);
        let word = |b: &[u8]| b.iter().rev().fold(0u64, |w, b| w << 8 | u64::from(*b));
        let mut rest = bytes;
        if rest.len() >= 64 {
            let mut lanes = [K1, K2, NULL, SEEN];
            while rest.len() >= 32 {
                for (i, lane) in lanes.iter_mut().enumerate() {
                    *lane = (*lane ^ word(&rest[8 * i..8 * i + 8])).wrapping_mul(K1).rotate_left(31);
                }
                rest = &rest[32..];
            }
            lanes.into_iter().for_each(|lane| self.mix(lane));
        }
        while rest.len() >= 8 {
            self.mix(word(&rest[..8]));
            rest = &rest[8..];
        }
        if !rest.is_empty() {
            self.mix(rest.iter().fold(0, |w, b| w << 8 | u64::from(*b)));
        }
    }
}

fn avalanche(mut x: u64) -> u64 {
    x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}

/// The bits of a primitive, widened with its sign; all NaNs are one. In fields a `char` is widened with a sign, too.
fn canonical(letter: u8, bits: u64, in_field: bool) -> u64 {
    match letter {
        b'D' if f64::from_bits(bits).is_nan() => 0x7ff8_0000_0000_0000,
        b'F' if f32::from_bits(bits as u32).is_nan() => 0x7fc0_0000,
        b'F' => bits as i32 as i64 as u64,
        b'C' if in_field => bits as i16 as i64 as u64,
        _ => bits,
    }
}

impl Machine {
    /// The name of an enum constant.
    pub(super) fn enum_name(&mut self, constant: Ref) -> Option<Ref> {
        let class = self.known_class("java/lang/Enum").ok()?;
        let slot = self.field_slot(class, "name", "Ljava/lang/String;").ok()?;
        Some(self.heap.slot(constant, slot) as Ref).filter(|r| *r != 0)
    }

    /// What stands for an immutable value in a state. May run code of the JDK.
    fn printed(&mut self, value: Ref) -> Option<Ref> {
        match &**self.class_name_of(value) {
            "java/util/Date" | "java/util/regex/Pattern" | "sun/util/calendar/ZoneInfo" => None,
            _ => {
                let text = self.call_virtual(value, "java/lang/Object", "toString", "()Ljava/lang/String;", &[]);
                text.ok().map(|t| t as Ref)
            }
        }
    }

    /// Whether a map has a key that is hashed by identity. Maps whose entries cannot be seen count as such.
    fn depends_on_identity(&mut self, map: Ref) -> bool {
        let names = [
            ("java/util/HashMap", "[Ljava/util/HashMap$Node;", "java/util/HashMap$Node"),
            ("java/util/Hashtable", "[Ljava/util/Hashtable$Entry;", "java/util/Hashtable$Entry"),
            (
                "java/util/concurrent/ConcurrentHashMap",
                "[Ljava/util/concurrent/ConcurrentHashMap$Node;",
                "java/util/concurrent/ConcurrentHashMap$Node",
            ),
        ];
        for (owner, table, node) in names {
            let Ok(Some(class)) = self.find_class(owner) else { continue };
            if self.is_subtype(self.class_of(map), class) {
                return self.has_identity_key(map, class, table, node).unwrap_or(true);
            }
        }
        true
    }

    fn has_identity_key(&mut self, map: Ref, class: super::class::ClassId, table: &str, node: &str) -> Option<bool> {
        let slot = self.field_slot(class, "table", table).ok()?;
        let table = self.heap.slot(map, slot) as Ref;
        if table == 0 {
            return Some(false);
        }
        let links = self.find_class(node).ok()??;
        let key_slot = self.field_slot(links, "key", "Ljava/lang/Object;").ok()?;
        let next_slot = self.field_slot(links, "next", &format!("L{node};")).ok()?;
        for i in 0..self.heap.length(table) as u32 {
            let mut entry = self.heap.slot(table, i) as Ref;
            while entry != 0 {
                if &**self.class_name_of(entry) == "java/util/concurrent/ConcurrentHashMap$TreeBin" {
                    return None;
                }
                let key = self.heap.slot(entry, key_slot) as Ref;
                if key != 0 && self.hashed_by_identity(key) {
                    return Some(true);
                }
                entry = self.heap.slot(entry, next_slot) as Ref;
            }
        }
        Some(false)
    }

    fn hashed_by_identity(&mut self, object: Ref) -> bool {
        let class = self.class_of(object);
        match self.shape_of(class).look {
            Look::Text | Look::Box(_) | Look::Printed => false,
            Look::Enum | Look::Class | Look::References | Look::Primitives(_) => true,
            _ => {
                let signature = (self.symbols.intern("hashCode"), self.symbols.intern("()I"));
                let slot = self.class(class).virtual_slots.get(&signature).copied();
                let method = slot.and_then(|s| self.class(class).vtable.get(usize::from(s)).copied());
                method.is_none_or(|m| self.method_at(m).class == self.well_known.object)
            }
        }
    }
}
