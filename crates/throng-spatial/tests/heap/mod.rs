//! How many bytes of the heap are held.
#![expect(unsafe_code, reason = "an allocator that counts can be written no other way")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that are held.
struct Counting;

pub static HELD: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is left to the system's allocator; the counter needs no memory of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;
