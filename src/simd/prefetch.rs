//! Hints to the cache.

/// Has an item of a column fetched into the cache, if there is one. Changes nothing but how soon it can be read.
///
/// ```
/// throng::simd::prefetch(&[1, 2, 3], 2);
/// throng::simd::prefetch(&[1, 2, 3], 99);
/// ```
#[inline]
pub fn prefetch<T>(column: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = column.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: all machines of this kind have the instruction, and it never faults.
        #[expect(unsafe_code, reason = "the hint takes a pointer")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (column, index);
}
