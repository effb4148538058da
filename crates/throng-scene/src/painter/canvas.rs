//! A picture that is painted on, in red, green, blue; the fourth byte stays as it was.

use throng_grid::geom::Vec2;

/// A sheet of opaque pixels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Canvas {
    /// Pixels a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue and a byte that means nothing, row by row.
    pub pixels: Vec<[u8; 4]>,
}

/// A picture with see-through parts: colours are multiplied by opacity already.
#[derive(Clone, Copy, Debug)]
pub struct Stamp<'a> {
    /// Pixels a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// From the first pixel of a row to that of the next.
    pub stride: usize,
    /// Red, green, blue, opacity, row by row.
    pub pixels: &'a [[u8; 4]],
}

impl<'a> Stamp<'a> {
    /// A picture whose rows lie one after the other.
    pub fn new(width: usize, pixels: &'a [[u8; 4]]) -> Self {
        Self { width, height: pixels.len() / width.max(1), stride: width, pixels }
    }
}

/// From this opacity on a pixel hides what stands behind it; shadows are below.
const SOLID: u8 = 128;

/// What stands on the ground of a canvas, pixel by pixel.
#[derive(Clone, Copy, Debug)]
pub struct Screen<'a> {
    /// How far south the foot of what is built at a pixel stands (1/16 m, plus one), 0 = bare ground: from the pixel that the
    /// upper left one of the canvas shows, row by row.
    pub front: &'a [u16],
    /// From the first pixel of a row of `front` to that of the next.
    pub stride: usize,
    /// Of what is behind: the foot's distance to the south (1/16 m, plus one).
    pub foot: u16,
    /// The colour in which what is hidden shines through, and how much of it, 0 to 256.
    pub ghost: ([u8; 3], u16),
}

impl Canvas {
    /// A sheet of one colour.
    pub fn new(width: usize, height: usize, [r, g, b]: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![[r, g, b, 255]; width * height] }
    }

    /// The rows and columns of a picture of this size, its corner at (x, y), that are on the canvas: of the canvas the
    /// first row, column and number of columns; of the picture the first row and column; rows.
    fn overlap(&self, x: i32, y: i32, width: usize, height: usize) -> Option<Overlap> {
        let (left, top) = (x.max(0) as usize, y.max(0) as usize);
        let right = (x.saturating_add(width as i32)).clamp(0, self.width as i32) as usize;
        let bottom = (y.saturating_add(height as i32)).clamp(0, self.height as i32) as usize;
        (left < right && top < bottom).then(|| Overlap {
            left,
            top,
            columns: right - left,
            rows: bottom - top,
            from_left: (left as i32 - x) as usize,
            from_top: (top as i32 - y) as usize,
        })
    }

    /// Lays a picture on the canvas, its upper left corner at (x, y). O(pixels of the picture).
    pub fn blend(&mut self, stamp: Stamp, x: i32, y: i32) {
        let Some(at) = self.overlap(x, y, stamp.width, stamp.height) else { return };
        for row in 0..at.rows {
            let (from, to) = at.starts(row, stamp.stride, self.width);
            let source = &stamp.pixels[from..from + at.columns];
            for (under, &over) in self.pixels[to..to + at.columns].iter_mut().zip(source) {
                *under = over_opaque(*under, over);
            }
        }
    }

    /// Lays a picture on the canvas as [`blend`](Self::blend), `light` / 256 as bright.
    pub fn blend_lit(&mut self, stamp: Stamp, x: i32, y: i32, light: u32) {
        let Some(at) = self.overlap(x, y, stamp.width, stamp.height) else { return };
        for row in 0..at.rows {
            let (from, to) = at.starts(row, stamp.stride, self.width);
            let source = &stamp.pixels[from..from + at.columns];
            for (under, &over) in self.pixels[to..to + at.columns].iter_mut().zip(source) {
                *under = over_opaque(*under, lit(over, light));
            }
        }
    }

    /// True where some of a picture of this size is on the canvas.
    pub fn is_seen(&self, x: i32, y: i32, width: usize, height: usize) -> bool {
        self.overlap(x, y, width, height).is_some()
    }

    /// True where something built may hide a picture of this size.
    pub fn is_built(&self, screen: &Screen, x: i32, y: i32, width: usize, height: usize) -> bool {
        let Some(at) = self.overlap(x, y, width, height) else { return false };
        (0..at.rows).any(|row| {
            let from = (at.top + row) * screen.stride + at.left;
            screen.front[from..from + at.columns].iter().any(|&front| front != 0)
        })
    }

    /// Lays a picture on the canvas as [`blend_lit`](Self::blend_lit), behind what stands further south; there its figure
    /// shines through by the share of army colour in `shares`, a byte a pixel of the stamp's rows.
    pub fn blend_behind(&mut self, stamp: Stamp, shares: &[u8], x: i32, y: i32, screen: &Screen, light: u32) {
        let Some(at) = self.overlap(x, y, stamp.width, stamp.height) else { return };
        let ([r, g, b], strength) = screen.ghost;
        for row in 0..at.rows {
            let (from, to) = at.starts(row, stamp.stride, self.width);
            let hidden = &screen.front[(at.top + row) * screen.stride + at.left..];
            for (column, (under, &front)) in self.pixels[to..to + at.columns].iter_mut().zip(hidden).enumerate() {
                let over = if front > screen.foot {
                    let share = shares.get(from + column).copied().unwrap_or(0);
                    let seen = u32::from(share) * u32::from(strength) / 256;
                    let part = |channel: u8| (u32::from(channel) * seen / 255) as u8;
                    [part(r), part(g), part(b), seen as u8]
                } else {
                    lit(stamp.pixels[from + column], light)
                };
                *under = over_opaque(*under, over);
            }
        }
    }

    /// Lays a picture on the canvas, behind what stands further south, and notes in `front` that it stands there itself.
    pub fn stand(&mut self, stamp: Stamp, x: i32, y: i32, foot: u16, front: &mut [u16]) {
        let Some(at) = self.overlap(x, y, stamp.width, stamp.height) else { return };
        for row in 0..at.rows {
            let (from, to) = at.starts(row, stamp.stride, self.width);
            for column in 0..at.columns {
                let over = stamp.pixels[from + column];
                if front[to + column] <= foot && over[3] > 0 {
                    self.pixels[to + column] = over_opaque(self.pixels[to + column], over);
                    if over[3] >= SOLID {
                        front[to + column] = foot;
                    }
                }
            }
        }
    }

    /// Draws a straight line with smooth edges, `width` pixels wide, in a colour of this opacity (0 to 1).
    pub fn streak(&mut self, from: Vec2, to: Vec2, width: f32, colour: [u8; 3], opacity: f32) {
        let reach = Vec2::splat(width * 0.5 + 1.0);
        let (least, most) = (from.min(to) - reach, from.max(to) + reach);
        if !(least.is_finite() && most.is_finite()) {
            return;
        }
        let columns =
            least.x.clamp(0.0, self.width as f32) as usize..most.x.ceil().clamp(0.0, self.width as f32) as usize;
        let rows =
            least.y.clamp(0.0, self.height as f32) as usize..most.y.ceil().clamp(0.0, self.height as f32) as usize;
        let way = to - from;
        let per_length = 1.0 / way.length_squared().max(1e-6);
        for y in rows {
            for x in columns.clone() {
                let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - from;
                let share = (point.dot(way) * per_length).clamp(0.0, 1.0);
                let cover = (width * 0.5 + 0.5 - (point - way * share).length()).clamp(0.0, 1.0) * opacity;
                if cover > 0.0 {
                    let alpha = (cover * 255.0) as u8;
                    let part = |channel: u8| (u16::from(channel) * u16::from(alpha) / 255) as u8;
                    let under = &mut self.pixels[y * self.width + x];
                    *under = over_opaque(*under, [part(colour[0]), part(colour[1]), part(colour[2]), alpha]);
                }
            }
        }
    }
}

/// Where a picture and the canvas overlap.
struct Overlap {
    left: usize,
    top: usize,
    columns: usize,
    rows: usize,
    from_left: usize,
    from_top: usize,
}

impl Overlap {
    /// The first pixel of a row: in the picture and on the canvas.
    #[inline]
    fn starts(&self, row: usize, stride: usize, width: usize) -> (usize, usize) {
        ((self.from_top + row) * stride + self.from_left, (self.top + row) * width + self.left)
    }
}

/// A premultiplied colour, `light` / 256 as bright.
#[inline]
fn lit([r, g, b, a]: [u8; 4], light: u32) -> [u8; 4] {
    // No channel exceeds the opacity, however bright it is.
    let part = |channel: u8| ((u32::from(channel) * light) >> 8).min(u32::from(a)) as u8;
    [part(r), part(g), part(b), a]
}

/// A premultiplied colour over an opaque one, whose fourth byte stays.
#[inline]
fn over_opaque(under: [u8; 4], over: [u8; 4]) -> [u8; 4] {
    let ([.., last], under, over) = (under, u32::from_le_bytes(under), u32::from_le_bytes(over));
    let keep = 256 - (over >> 24);
    let even = (((under & 0x00FF_00FF) * keep) >> 8) & 0x00FF_00FF;
    let green = (((under >> 8) & 0xFF) * keep) >> 8;
    // Premultiplied colours are at most their opacity, so that a channel exceeds 255 by rounding alone.
    let even = even + (over & 0x00FF_00FF);
    let even = (even | (((even >> 8) & 0x0001_0001) * 0xFF)) & 0x00FF_00FF;
    let green = (green + ((over >> 8) & 0xFF)).min(255);
    let [r, _, b, _] = even.to_le_bytes();
    [r, green as u8, b, last]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blending_is_that_of_porter_and_duff(under: [u8; 3], over: [u8; 3], opacity: u8) {
            let premultiplied = over.map(|channel| (u16::from(channel) * u16::from(opacity) / 255) as u8);
            let [r, g, b] = premultiplied;
            let out = over_opaque([under[0], under[1], under[2], 255], [r, g, b, opacity]);
            for channel in 0..3 {
                let exact = f32::from(premultiplied[channel]) + f32::from(under[channel]) * (1.0 - f32::from(opacity) / 255.0);
                prop_assert!((f32::from(out[channel]) - exact).abs() <= 2.0, "{} for {exact}", out[channel]);
            }
        }

        #[test]
        fn nothing_is_painted_beyond_the_edge(x in -30_i32..30, y in -30_i32..30, width in 1_usize..12, height in 1_usize..12) {
            let mut canvas = Canvas::new(16, 9, [10, 20, 30]);
            let pixels = vec![[200, 100, 50, 255]; width * height];
            canvas.blend(Stamp::new(width, &pixels), x, y);
            let painted = canvas.pixels.iter().filter(|pixel| pixel[0] == 200).count() as i32;
            let columns = (x + width as i32).min(16) - x.max(0);
            let rows = (y + height as i32).min(9) - y.max(0);
            prop_assert_eq!(painted, columns.max(0) * rows.max(0));
        }
    }

    #[test]
    fn what_stands_further_south_hides_and_lets_shine_through() {
        let mut canvas = Canvas::new(3, 1, [100, 100, 100]);
        let stamp = Stamp::new(3, &[[200, 0, 0, 255]; 3]);
        let screen = Screen { front: &[0, 10, 30], stride: 3, foot: 20, ghost: ([255, 0, 0], 128) };
        canvas.blend_behind(stamp, &[255; 3], 0, 0, &screen, 256);
        assert_eq!(canvas.pixels[0][..3], [200, 0, 0]);
        assert_eq!(canvas.pixels[1][..3], [200, 0, 0]);
        assert!(canvas.pixels[2][0] > 150 && canvas.pixels[2][1] > 40, "{:?}", canvas.pixels[2]);
    }

    #[test]
    fn lines_of_no_place_are_nothing() {
        let blank = Canvas::new(8, 8, [0; 3]);
        let mut canvas = blank.clone();
        canvas.streak(Vec2::NAN, Vec2::ONE, 2.0, [255; 3], 1.0);
        canvas.streak(Vec2::splat(-50.0), Vec2::splat(-40.0), 2.0, [255; 3], 1.0);
        assert_eq!(canvas, blank);
    }
}
