//! A memory of what was met before, of fixed size: it may forget, it never invents. Owns the table; keys are the caller's hashes.

/// Direct-mapped: a new key takes the place of an older one with the same low bits. So memory stays flat however long a search runs, and a
/// forgotten key costs one repeated execution.
#[derive(Clone, Debug)]
pub struct Seen {
    slots: Vec<u64>,
    mask: u64,
}

impl Seen {
    /// Room for `1 << bits` keys.
    pub fn new(bits: u32) -> Seen {
        Seen { slots: vec![0; 1 << bits], mask: (1 << bits) - 1 }
    }

    /// Remembers the key; true if it was not known.
    #[inline]
    pub fn insert(&mut self, key: u64) -> bool {
        let key = key | 1 << 63;
        let slot = &mut self.slots[(key & self.mask) as usize];
        if *slot == key {
            return false;
        }
        *slot = key;
        true
    }
}

/// Mixes a number into a hash. Good low and high bits.
#[inline]
pub fn mix(hash: u64, value: u64) -> u64 {
    let x = (hash.rotate_left(5) ^ value).wrapping_mul(0x517C_C1B7_2722_0A95);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_and_forgets_only_by_collision() {
        let mut seen = Seen::new(4);
        assert!(seen.insert(5));
        assert!(!seen.insert(5));
        assert!(seen.insert(5 + 16));
        assert!(seen.insert(5), "replaced by the colliding key");
    }
}
