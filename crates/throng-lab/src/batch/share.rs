//! Sharing a number in proportion.

/// Shares `total` in proportion to `weights`, rounded by largest remainder so that the sum is exact (of equal remainders
/// the first), each at least 1: a share of 0 takes one from the greatest. `None` where `total` is less than one
/// for each, or there are none. O(n²) at worst.
pub(super) fn share(total: u64, weights: &[u64]) -> Option<Vec<u64>> {
    let whole: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    if weights.is_empty() || total < weights.len() as u64 || whole == 0 {
        return None;
    }
    let parts = weights.iter().map(|&weight| u128::from(weight) * u128::from(total));
    let (mut shares, remainders): (Vec<u64>, Vec<u128>) =
        parts.map(|part| ((part / whole) as u64, part % whole)).unzip();
    let left = total - shares.iter().sum::<u64>();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(remainders[i]));
    for &i in order.iter().take(left as usize) {
        shares[i] += 1;
    }
    while let Some(none) = shares.iter().position(|&share| share == 0) {
        let most = (0..shares.len()).rev().max_by_key(|&i| shares[i])?;
        shares[most] -= 1;
        shares[none] += 1;
    }
    Some(shares)
}

#[cfg(test)]
mod tests {
    use super::share;
    use proptest::prelude::*;

    #[test]
    fn shares_are_in_proportion() {
        assert_eq!(share(100, &[2, 3]), Some(vec![40, 60]));
        assert_eq!(share(10, &[1, 1, 1]), Some(vec![4, 3, 3]));
        assert_eq!(share(5, &[1000, 1, 1]), Some(vec![3, 1, 1]));
        assert_eq!(share(3, &[7, 1, 900]), Some(vec![1, 1, 1]));
        assert_eq!((share(2, &[1, 1, 1]), share(5, &[])), (None, None));
    }

    proptest! {
        #[test]
        fn sums_are_exact_and_no_share_is_zero(
            weights in proptest::collection::vec(1_u64..200_000, 1..12),
            more in 0_u64..1_000_000,
        ) {
            let total = weights.len() as u64 + more;
            let shares = share(total, &weights).unwrap();
            prop_assert_eq!(shares.iter().sum::<u64>(), total);
            prop_assert!(shares.iter().all(|&share| share >= 1));
            // No share is further than one from its quota, but to give others their one.
            let whole: u64 = weights.iter().sum();
            for (&share, &weight) in shares.iter().zip(&weights) {
                let quota = total as f64 * weight as f64 / whole as f64;
                prop_assert!((share as f64) < quota.max(1.0) + 1.0);
                prop_assert!(share as f64 > quota - 1.0 - weights.len() as f64);
            }
        }
    }
}
