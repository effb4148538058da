//! The hash of G. Fowler, L. C. Noll and K.-P. Vo.

/// The initial value of a hash.
pub(super) const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, going on from `hash`.
pub(super) fn fnv(bytes: &[u8], hash: u64) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
