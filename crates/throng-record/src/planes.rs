//! Pictures as video has them: brightness of every pixel, colour of every four.

use super::{ColourPicture, ColourTable, Picture};

/// Shares of red, green and blue (1/65536) in brightness and in the two differences of colour: ITU-R BT.601-7 (2011), in
/// the range of 16 to 235 and of 16 to 240.
const LUMA: [i32; 3] = [16_829, 33_039, 6_416];
const BLUE: [i32; 3] = [-9_714, -19_070, 28_784];
const RED: [i32; 3] = [28_784, -24_103, -4_681];

/// A picture with an even number of columns and of rows, which encoders want: the last of an odd number is there twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Planes {
    pub width: u32,
    pub height: u32,
    /// Brightness row by row, then how blue and how red each square of two by two pixels is.
    pub bytes: Vec<u8>,
}

impl Planes {
    pub fn of(picture: &ColourPicture) -> Self {
        Self::convert(picture.width, picture.height, &picture.pixels, |&pixel| pixel)
    }

    /// The same of a picture in the colours of a table.
    pub fn indexed(picture: &Picture, table: &ColourTable) -> Self {
        Self::convert(picture.width, picture.height, &picture.pixels, |&index| table.rgb(index))
    }

    fn convert<T>(width: u32, height: u32, pixels: &[T], rgb: impl Fn(&T) -> [u8; 3]) -> Self {
        let (columns, rows) = (width as usize, height as usize);
        let (wide, high) = (columns.next_multiple_of(2), rows.next_multiple_of(2));
        let mut bytes = vec![0; wide * high * 3 / 2];
        let (luma, chroma) = bytes.split_at_mut(wide * high);
        let (blue, red) = chroma.split_at_mut(wide * high / 4);
        let mut pairs = luma.chunks_exact_mut(2 * wide.max(1)).zip(blue.chunks_exact_mut(wide.max(2) / 2));
        for (pair, red) in (0..).zip(red.chunks_exact_mut(wide.max(2) / 2)) {
            let Some((luma, blue)) = pairs.next() else { break };
            let row = |y: usize| &pixels[y.min(rows - 1) * columns..][..columns];
            let (upper, lower) = (row(2 * pair), row(2 * pair + 1));
            let (luma_above, luma_below) = luma.split_at_mut(wide);
            for (x, (blue, red)) in blue.iter_mut().zip(red).enumerate() {
                let (left, right) = (2 * x, (2 * x + 1).min(columns - 1));
                let four = [&upper[left], &upper[right], &lower[left], &lower[right]].map(&rgb);
                let [a, b, c, d] = four.map(|pixel| (mixed(LUMA, pixel.map(i32::from), 16) + 16) as u8);
                luma_above[left..left + 2].copy_from_slice(&[a, b]);
                luma_below[left..left + 2].copy_from_slice(&[c, d]);
                let sum = [0, 1, 2].map(|channel| four.iter().map(|pixel| i32::from(pixel[channel])).sum());
                *blue = (mixed(BLUE, sum, 18) + 128) as u8;
                *red = (mixed(RED, sum, 18) + 128) as u8;
            }
        }
        Self { width: wide as u32, height: high as u32, bytes }
    }
}

/// The sum of shares of some channels, rounded, over two to the power of `bits`.
#[inline]
fn mixed(shares: [i32; 3], [red, green, blue]: [i32; 3], bits: u32) -> i32 {
    (shares[0] * red + shares[1] * green + shares[2] * blue + (1 << (bits - 1))) >> bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Red, green and blue by the inverse of the standard's equations.
    fn back([luma, blue, red]: [u8; 3]) -> [f64; 3] {
        let [y, b, r] = [f64::from(luma) - 16.0, f64::from(blue) - 128.0, f64::from(red) - 128.0];
        let y = y * 255.0 / 219.0;
        let (b, r) = (b * 255.0 / 112.0 * 0.886, r * 255.0 / 112.0 * 0.701);
        [y + r, y - b * 0.114 / 0.587 - r * 0.299 / 0.587, y + b]
    }

    proptest! {
        #[test]
        fn a_plain_colour_comes_back(colour: [u8; 3], width in 1_u32..9, height in 1_u32..9) {
            let planes = Planes::of(&ColourPicture::new(width, height, colour));
            let (wide, high) = (width.next_multiple_of(2), height.next_multiple_of(2));
            prop_assert_eq!((planes.width, planes.height), (wide, high));
            let count = (wide * high) as usize;
            prop_assert_eq!(planes.bytes.len(), count * 3 / 2);
            let triple = [0, count, count * 5 / 4].map(|at| planes.bytes[at]);
            prop_assert!(planes.bytes[..count].iter().all(|&byte| byte == triple[0]));
            prop_assert!(planes.bytes[count..count * 5 / 4].iter().all(|&byte| byte == triple[1]));
            prop_assert!(planes.bytes[count * 5 / 4..].iter().all(|&byte| byte == triple[2]));
            for (found, channel) in back(triple).into_iter().zip(colour) {
                prop_assert!((found - f64::from(channel)).abs() < 2.2, "{found} for {channel}");
            }
        }
    }

    #[test]
    fn black_white_and_the_primaries_are_those_of_the_standard() {
        let of = |colour| {
            let planes = Planes::of(&ColourPicture::new(2, 2, colour));
            [0, 4, 5].map(|at| planes.bytes[at])
        };
        assert_eq!([of([0; 3]), of([255; 3]), of([128; 3])], [[16, 128, 128], [235, 128, 128], [126, 128, 128]]);
        let primaries = [[255, 0, 0], [0, 255, 0], [0, 0, 255]].map(of);
        assert_eq!(primaries, [[81, 90, 240], [145, 54, 34], [41, 240, 110]]);
    }

    #[test]
    fn odd_sides_repeat_their_last_pixel_and_four_pixels_share_a_colour() {
        let mut picture = ColourPicture::new(3, 3, [255; 3]);
        picture.pixels[8] = [0; 3];
        picture.pixels[0] = [255, 0, 0];
        let planes = Planes::of(&picture);
        assert_eq!(planes.bytes[..4], [81, 235, 235, 235]);
        assert_eq!(planes.bytes[8..16], [235, 235, 16, 16, 235, 235, 16, 16]);
        // A quarter of red's distance from grey.
        assert_eq!((planes.bytes[16], planes.bytes[20]), (128 - 9, 128 + 28));
        assert!(Planes::of(&ColourPicture::default()).bytes.is_empty());
        let table = ColourTable::new(vec![[255; 3], [0; 3], [255, 0, 0]]);
        let indexed = Picture { width: 3, height: 3, pixels: vec![2, 0, 0, 0, 0, 0, 0, 0, 1] };
        assert_eq!(Planes::indexed(&indexed, &table), planes);
    }
}
