//! Java strings of the machine: made from and read as UTF-16 units; literals and interning. Owns their layout (Latin-1
//! or UTF-16 in a byte array).

use std::sync::Arc;

use super::heap::Ref;
use super::machine::Machine;
use super::stop::Run;

impl Machine {
    /// A new string.
    pub fn new_string(&mut self, units: &[u16]) -> Run<Ref> {
        let latin = units.iter().all(|u| *u < 256);
        let length = if latin { units.len() } else { units.len() * 2 };
        let bytes = self.allocate_array(self.well_known.byte_array, length as u32)?;
        for (i, byte) in encoded(units, latin).enumerate() {
            self.heap.set_slot(bytes, i as u32, byte);
        }
        let string = self.allocate(self.well_known.string)?;
        self.heap.set_slot(string, self.well_known.string_value, u64::from(bytes));
        self.heap.set_slot(string, self.well_known.string_coder, u64::from(!latin));
        Ok(string)
    }

    pub fn new_text(&mut self, text: &str) -> Run<Ref> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string(&units)
    }

    /// The string a literal stands for: one object per text, for ever.
    pub(super) fn literal(&mut self, units: &[u16]) -> Run<Ref> {
        if let Some(&string) = self.strings.get(units).or_else(|| self.run_strings.get(units)) {
            return Ok(string);
        }
        let latin = units.iter().all(|u| *u < 256);
        let length = if latin { units.len() } else { units.len() * 2 } as u32;
        let bytes = self.permanent(self.well_known.byte_array, length, length)?;
        for (i, byte) in encoded(units, latin).enumerate() {
            self.heap.set_permanent(bytes, i as u32, byte);
        }
        let words = self.class(self.well_known.string).instance_words;
        let string = self.permanent(self.well_known.string, 0, words)?;
        self.heap.set_permanent(string, self.well_known.string_value, u64::from(bytes));
        self.heap.set_permanent(string, self.well_known.string_coder, u64::from(!latin));
        self.strings.insert(Arc::from(units), string);
        Ok(string)
    }

    /// `String.intern`: the first string of a text that asks is the one.
    pub(super) fn intern(&mut self, string: Ref) -> Ref {
        let units: Arc<[u16]> = self.string_units(string).into();
        if let Some(&known) = self.strings.get(&units) {
            return known;
        }
        *self.run_strings.entry(units).or_insert(string)
    }

    /// The UTF-16 units of a string.
    pub fn string_units(&self, string: Ref) -> Vec<u16> {
        let bytes = self.heap.slot(string, self.well_known.string_value) as Ref;
        if bytes == 0 {
            return Vec::new();
        }
        let words = self.heap.words(bytes + 1, self.heap.length(bytes) as u32);
        if self.heap.slot(string, self.well_known.string_coder) == 0 {
            words.iter().map(|w| u16::from(*w as u8)).collect()
        } else {
            words.chunks_exact(2).map(|w| u16::from(w[0] as u8) | u16::from(w[1] as u8) << 8).collect()
        }
    }

    /// The text of a string; lone surrogates are replaced.
    pub fn string_text(&self, string: Ref) -> String {
        String::from_utf16_lossy(&self.string_units(string))
    }
}

/// The bytes of a string's array, as `byte` values.
fn encoded(units: &[u16], latin: bool) -> impl Iterator<Item = u64> + '_ {
    let byte = |b: u8| b as i8 as i64 as u64;
    units.iter().flat_map(move |u| {
        let [low, high] = u.to_le_bytes();
        [Some(byte(low)), (!latin).then(|| byte(high))].into_iter().flatten()
    })
}
