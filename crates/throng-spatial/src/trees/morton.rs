//! Morton codes: the bits of whole coordinates, interleaved (Morton 1966). Cells that are near each other mostly have
//! codes that are, and a cell of 2^s steps is the codes that agree but for the lowest `D` s bits.

/// The code of a step.
#[inline]
pub(crate) fn interleave<const D: usize>(step: [u32; D]) -> u64 {
    (0..D).fold(0, |code, axis| code | spread::<D>(step[axis]) << axis)
}

/// The step of a code.
#[inline]
pub(super) fn separate<const D: usize>(code: u64) -> [u32; D] {
    std::array::from_fn(|axis| collect::<D>(code >> axis))
}

/// The shift of the smallest cell that holds both codes.
#[inline]
pub(super) fn common<const D: usize>(a: u64, b: u64) -> u32 {
    (64 - (a ^ b).leading_zeros()).div_ceil(D as u32)
}

/// Each half of the bits moves up by what the others need.
const PLANE: [(u32, u64); 6] = [
    (0, 0x0000_0000_FFFF_FFFF),
    (16, 0x0000_FFFF_0000_FFFF),
    (8, 0x00FF_00FF_00FF_00FF),
    (4, 0x0F0F_0F0F_0F0F_0F0F),
    (2, 0x3333_3333_3333_3333),
    (1, 0x5555_5555_5555_5555),
];
const SPACE: [(u32, u64); 6] = [
    (0, 0x0000_0000_001F_FFFF),
    (32, 0x001F_0000_0000_FFFF),
    (16, 0x001F_0000_FF00_00FF),
    (8, 0x100F_00F0_0F00_F00F),
    (4, 0x10C3_0C30_C30C_30C3),
    (2, 0x1249_2492_4924_9249),
];

/// Puts D - 1 zeros between the bits.
#[inline]
fn spread<const D: usize>(x: u32) -> u64 {
    if D > 3 {
        // Rare: bit by bit, as many as there is room for.
        return (0..64 / D).fold(0, |code, bit| code | u64::from(x >> bit & 1) << (bit * D));
    }
    let steps = if D == 2 { &PLANE } else { &SPACE };
    if D == 1 { u64::from(x) } else { steps.iter().fold(u64::from(x), |x, &(by, mask)| (x | x << by) & mask) }
}

/// Takes every D-th bit.
#[inline]
fn collect<const D: usize>(code: u64) -> u32 {
    let steps = if D == 2 { &PLANE } else { &SPACE };
    if D == 1 {
        return code as u32;
    }
    if D > 3 {
        return (0..64 / D).fold(0, |x, bit| x | ((code >> (bit * D) & 1) as u32) << bit);
    }
    let mut x = code & steps[5].1;
    for i in (0..5).rev() {
        x = (x | x >> steps[i + 1].0) & steps[i].1;
    }
    x as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_are_bits_in_turn(x in 0..1_u32 << 30, y in 0..1_u32 << 30, z in 0..1_u32 << 20) {
            let bit = |x: u32, i: u32| u64::from(x >> i & 1);
            let plane = (0..30).fold(0, |code, i| code | bit(x, i) << (2 * i) | bit(y, i) << (2 * i + 1));
            prop_assert_eq!(interleave([x, y]), plane);
            prop_assert_eq!(separate::<2>(plane), [x, y]);
            let (x, y) = (x >> 10, y >> 10);
            let space = (0..20).fold(0, |code, i| {
                code | bit(x, i) << (3 * i) | bit(y, i) << (3 * i + 1) | bit(z, i) << (3 * i + 2)
            });
            prop_assert_eq!(interleave([x, y, z]), space);
            prop_assert_eq!(separate::<3>(space), [x, y, z]);
            prop_assert_eq!(interleave([z]), u64::from(z));
        }

        #[test]
        fn codes_of_four_axes_are_bits_in_turn(step: [u16; 4]) {
            let bit = |i: u32| u64::from(step[i as usize % 4] >> (i / 4) & 1) << i;
            let code = (0..64).fold(0, |code, i| code | bit(i));
            prop_assert_eq!(interleave(step.map(u32::from)), code);
            prop_assert_eq!(separate::<4>(code), step.map(u32::from));
        }

        #[test]
        fn the_common_cell_is_the_smallest(a in 0..1_u64 << 40, b in 0..1_u64 << 40, keep in 0..40_u32) {
            let b = a >> keep << keep | b & ((1_u64 << keep) - 1);
            let shift = common::<2>(a, b);
            prop_assert_eq!(a >> (2 * shift), b >> (2 * shift));
            prop_assert!(shift == 0 || a >> (2 * (shift - 1)) != b >> (2 * (shift - 1)));
        }
    }
}
