//! Soft edges by means over boxes, in whole numbers: so they do not depend on where the sums began.

/// A blur in two rounds of a box, which is near to a bell curve of this deviation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blur {
    radius: usize,
}

impl Blur {
    /// A blur with this deviation (pixels): two boxes of radius r deviate by `sqrt(((2r + 1)^2 - 1) / 6)`.
    pub(super) fn new(deviation: f32) -> Self {
        let side = (1.0 + 6.0 * deviation * deviation).sqrt();
        Self { radius: libm::roundf((side - 1.0) / 2.0).max(0.0) as usize }
    }

    /// From how far a pixel takes (pixels).
    pub(super) fn reach(self) -> i32 {
        2 * self.radius as i32
    }

    /// Blurs a picture of `width` columns in place; outside of it all is 0. O(pixels).
    pub(super) fn apply(self, pixels: &mut [u8], width: usize, scratch: &mut Vec<u8>) {
        if self.radius == 0 || pixels.is_empty() {
            return;
        }
        scratch.clear();
        scratch.resize(pixels.len(), 0);
        for _ in 0..2 {
            self.rows(pixels, scratch, width);
            self.columns(scratch, pixels, width);
        }
    }

    fn share(self) -> u32 {
        (1 << 16) / (2 * self.radius as u32 + 1)
    }

    fn rows(self, from: &[u8], to: &mut [u8], width: usize) {
        let (r, share) = (self.radius, self.share());
        for (from, to) in from.chunks_exact(width).zip(to.chunks_exact_mut(width)) {
            if from.iter().all(|&v| v == 0) {
                to.fill(0);
                continue;
            }
            let mut sum: u32 = from[..r.min(width)].iter().map(|&v| u32::from(v)).sum();
            for (x, to) in to.iter_mut().enumerate() {
                if let Some(&next) = from.get(x + r) {
                    sum += u32::from(next);
                }
                if x > r {
                    sum -= u32::from(from[x - r - 1]);
                }
                *to = ((sum * share + (1 << 15)) >> 16) as u8;
            }
        }
    }

    fn columns(self, from: &[u8], to: &mut [u8], width: usize) {
        let (r, share, height) = (self.radius, self.share(), from.len() / width);
        let row = |y: usize| &from[y * width..(y + 1) * width];
        let mut sums = vec![0_u32; width];
        for y in 0..r.min(height) {
            sums.iter_mut().zip(row(y)).for_each(|(sum, &v)| *sum += u32::from(v));
        }
        for (y, to) in to.chunks_exact_mut(width).enumerate() {
            if y + r < height {
                sums.iter_mut().zip(row(y + r)).for_each(|(sum, &v)| *sum += u32::from(v));
            }
            if y > r {
                sums.iter_mut().zip(row(y - r - 1)).for_each(|(sum, &v)| *sum -= u32::from(v));
            }
            for (to, sum) in to.iter_mut().zip(&sums) {
                *to = ((sum * share + (1 << 15)) >> 16) as u8;
            }
        }
    }
}
