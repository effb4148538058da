//! Pictures of one size in little memory, to be played in their order: indices or channels of colours, byte by byte.

/// Runs of equal bytes up to this length cost less if they are stored as changed ones.
const MAX_BRIDGED_BYTES: usize = 4;

/// The frames of a film: of each only the differences from the one before.
#[derive(Debug, Default)]
pub(super) struct FrameDeltas {
    size: (u32, u32),
    frames: Vec<Vec<u8>>,
    /// The bytes of the last frame.
    last: Vec<u8>,
}

impl FrameDeltas {
    /// Width and height of a frame (pixels).
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Adds a frame, of the size of the first.
    pub fn push(&mut self, size: (u32, u32), bytes: &[u8]) {
        if self.frames.is_empty() {
            self.size = size;
            self.last = vec![0; bytes.len()];
        }
        debug_assert_eq!((self.size, self.last.len()), (size, bytes.len()));
        self.frames.push(pack(&self.last, bytes));
        self.last.clear();
        self.last.extend(bytes);
    }

    /// Takes frames off the end; none is added after that, but to none.
    pub fn truncate(&mut self, len: usize) {
        self.frames.truncate(len);
    }

    /// Forgets every second picture, from the second on.
    pub fn halve(&mut self) {
        let mut kept = Self::default();
        let mut even = false;
        self.play(1, |bytes| {
            even = !even;
            if even {
                kept.push(self.size, bytes);
            }
        });
        *self = kept;
    }

    /// Shows every `step`-th frame from the first on.
    pub fn play(&self, step: usize, mut show: impl FnMut(&[u8])) {
        // Nothing fails in it.
        let _ = self.try_play(step, |bytes| {
            show(bytes);
            Ok::<(), std::convert::Infallible>(())
        });
    }

    /// Shows every `step`-th frame from the first on, until one fails.
    pub fn try_play<E>(&self, step: usize, mut show: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut bytes = vec![0; self.last.len()];
        for (i, frame) in self.frames.iter().enumerate() {
            unpack(&mut bytes, frame);
            if i.is_multiple_of(step) {
                show(&bytes)?;
            }
        }
        Ok(())
    }
}

/// The changes that turn `old` into `new`: the number of bytes that stay, the number of changed ones after them, these, and so on.
fn pack(old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut at, end) = (0, new.len());
    let equal = |from: usize| {
        // Eight at a time while all are equal.
        let words = old[from..].chunks_exact(8).zip(new[from..].chunks_exact(8));
        let from = from + 8 * words.take_while(|(old, new)| old == new).count();
        from + old[from..].iter().zip(&new[from..]).take_while(|(old, new)| old == new).count()
    };
    loop {
        let start = equal(at);
        if start == end {
            return out;
        }
        let mut stop = start + 1;
        while stop < end && (stop..end.min(stop + MAX_BRIDGED_BYTES)).any(|i| old[i] != new[i]) {
            stop += 1;
        }
        number(&mut out, start - at);
        number(&mut out, stop - start);
        out.extend(&new[start..stop]);
        at = stop;
    }
}

fn number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn unpack(pixels: &mut [u8], frame: &[u8]) {
    let mut rest = frame.iter();
    let next = |rest: &mut std::slice::Iter<u8>| {
        let (mut number, mut shift) = (0, 0);
        for &byte in rest.by_ref() {
            number |= usize::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                break;
            }
        }
        number
    };
    let mut at = 0;
    while !rest.as_slice().is_empty() {
        at += next(&mut rest);
        let length = next(&mut rest);
        let (bytes, after) = rest.as_slice().split_at(length);
        pixels[at..at + length].copy_from_slice(bytes);
        rest = after.iter();
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pictures_come_back(frames in prop::collection::vec(prop::collection::vec(0..3_u8, 600), 1..12), step in 1..4_usize) {
            let mut deltas = FrameDeltas::default();
            for frame in &frames {
                deltas.push((30, 20), frame);
            }
            let played = |deltas: &FrameDeltas, step| {
                let mut all = Vec::new();
                deltas.play(step, |bytes| all.push(bytes.to_vec()));
                all
            };
            let every = |step| frames.iter().step_by(step).cloned().collect::<Vec<_>>();
            prop_assert_eq!(played(&deltas, step), every(step));
            deltas.halve();
            prop_assert_eq!(played(&deltas, 1), every(2));
        }
    }

    #[test]
    fn what_stays_costs_nothing() {
        let mut deltas = FrameDeltas::default();
        let mut bytes = vec![1; 1_000_000];
        deltas.push((1000, 1000), &bytes);
        bytes[123_456] = 3;
        deltas.push((1000, 1000), &bytes);
        assert_eq!((deltas.frames[0].len(), deltas.frames[1].len()), (1_000_004, 5));
    }
}
