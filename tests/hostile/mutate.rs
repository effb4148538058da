//! Changes of bytes, as chance and malice make them.

use rand::RngExt;
use rand_pcg::Pcg32;

/// Numbers that a reader may not have thought of.
const FLOATS: [f32; 12] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    1e30,
    -1e30,
    1e9,
    f32::MIN_POSITIVE,
    1e-42,
    -0.0,
    0.0,
];

/// Changes bytes from `from` on, in one to four places.
pub fn bytes(bytes: &mut Vec<u8>, from: usize, random: &mut Pcg32) {
    for _ in 0..random.random_range(1..=4) {
        if bytes.len() <= from + 4 {
            return;
        }
        // The beginning, which says of what kind all else is, as often as all else.
        let end = if random.random() { bytes.len() - 4 } else { (bytes.len() - 4).min(from + 500) };
        let at = random.random_range(from..end);
        match random.random_range(0..9) {
            0 => bytes[at] ^= 1 << random.random_range(0..8),
            1 => bytes[at] = random.random(),
            2 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][random.random_range(0..5)],
            // Somewhere in a number, and where one seems to be.
            3 => bytes[at..at + 4].copy_from_slice(&FLOATS[random.random_range(0..FLOATS.len())].to_le_bytes()),
            4 | 5 => {
                let is_number = |at: &usize| {
                    let number = f32::from_le_bytes(bytes[*at..at + 4].try_into().unwrap());
                    (0.01..1e4).contains(&number.abs())
                };
                if let Some(at) = (at..bytes.len() - 4).find(is_number) {
                    bytes[at..at + 4].copy_from_slice(&FLOATS[random.random_range(0..FLOATS.len())].to_le_bytes());
                }
            }
            // A large number of as many bytes as it takes.
            6 => {
                bytes.splice(at..=at, [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
            }
            7 => {
                let length = random.random_range(1..=8).min(bytes.len() - at);
                bytes.drain(at..at + length);
            }
            _ => {
                let length = random.random_range(1..=16).min(bytes.len() - at);
                let piece = bytes[at..at + length].to_vec();
                let to = random.random_range(from..bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
}

/// Texts in the place of a number.
pub const NUMBERS: [&str; 17] = [
    "0",
    "-0",
    "-1",
    "1",
    "0.5",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1e308",
    "1e999",
    "1e-400",
    "65536",
    "4294967296",
    "-9223372036854775808",
    "99999999999999999999",
    "2147483648.5",
];

/// Where the numbers of a text stand.
pub fn numbers(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = (at..text.len()).find(|&end| !is_part(text[end])).unwrap_or(text.len());
        let is_word = at > 0 && (text[at - 1].is_ascii_alphanumeric() || text[at - 1] == b'_');
        if end > at && text[at].is_ascii_digit() && !is_word {
            let begin = if at > 0 && text[at - 1] == b'-' { at - 1 } else { at };
            found.push(begin..end);
        }
        at = end.max(at + 1);
    }
    found
}

/// Changes a text in one to three places: numbers, lines, brackets, letters that are none.
pub fn text(text: &mut Vec<u8>, random: &mut Pcg32) {
    for _ in 0..random.random_range(1..=3) {
        if text.is_empty() {
            return;
        }
        let lines: Vec<usize> =
            [0].into_iter().chain((1..text.len()).filter(|&at| text[at - 1] == b'\n')).chain([text.len()]).collect();
        let line = random.random_range(0..lines.len() - 1);
        let (begin, end) = (lines[line], lines[line + 1]);
        let at = random.random_range(0..text.len());
        match random.random_range(0..10) {
            0..=3 => {
                let all = numbers(text);
                if !all.is_empty() {
                    let place = all[random.random_range(0..all.len())].clone();
                    text.splice(place, NUMBERS[random.random_range(0..NUMBERS.len())].bytes());
                }
            }
            4 => drop(text.drain(begin..end)),
            5 => {
                let again = text[begin..end].to_vec();
                let to = lines[random.random_range(0..lines.len())];
                text.splice(to..to, again);
            }
            6 => text.truncate(at),
            7 => {
                let sign = b"[{(<\"'#,;:&\\\0\xFF\xEF"[random.random_range(0..15)];
                let count = [1, 1, 2, 3000][random.random_range(0..4)];
                text.splice(at..at, std::iter::repeat_n(sign, count));
            }
            8 => text[at] = random.random(),
            _ => {
                let length = random.random_range(1..=20).min(text.len() - at);
                text.drain(at..at + length);
            }
        }
    }
}
