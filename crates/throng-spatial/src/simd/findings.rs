//! Points near a place, and their order, without vectors: the reference of all levels.

/// Room that [`Lanes::nearer`](super::Lanes::nearer) needs in its output beyond one place a point.
pub const SLACK: usize = 8;

/// Points a vector may not reach, and machines without vectors.
#[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
#[inline(always)]
pub(super) fn nearer_plain(
    points: &[[f32; 2]],
    names: &[u32],
    centre: [f32; 2],
    squared: f32,
    found: &mut [u64],
    mut count: usize,
) -> usize {
    for (point, &name) in points.iter().zip(names) {
        let (dx, dy) = (point[0] - centre[0], point[1] - centre[1]);
        let distance = dx * dx + dy * dy;
        // Always written, counted only where near enough: no branch to mispredict.
        found[count] = u64::from(distance.to_bits()) << 32 | u64::from(name);
        count += usize::from(distance < squared);
    }
    count
}

/// The portable version of [`Lanes::sort`](super::Lanes::sort).
pub(super) fn sort_plain(findings: &mut [u64]) -> bool {
    findings.sort_unstable();
    findings.windows(2).any(|pair| pair[0] >> 32 == pair[1] >> 32)
}

/// The end of a sort by rank: each number goes straight to its place, which is how many are smaller by their upper halves.
/// That took O(n²) comparisons, but no branch to mispredict and a vector of them at a time.
///
/// Where the ranks do not add up (their sum is given), some upper halves are equal.
#[cfg(target_arch = "x86_64")]
#[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
#[inline(always)]
pub(super) fn place(findings: &mut [u64], number: &[u64], rank: &[i32], sum: i32) -> bool {
    let n = findings.len();
    if sum as usize != n * (n - 1) / 2 {
        return sort_plain(findings);
    }
    for (&number, &rank) in number[..n].iter().zip(rank) {
        findings[rank as usize] = number;
    }
    false
}
