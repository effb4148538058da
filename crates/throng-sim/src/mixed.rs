//! A hash of a word.

/// Bits that look random, those of the generator `SplitMix64`: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
/// pseudorandom number generators" (2014).
pub(crate) fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
