//! Maps of robots: a YAML file of a few keys that names an image of how surely each place is occupied.
//!
//! Of YAML this reads what such files have: `key: value` line by line, comments, quotes, and lists in brackets or with a dash a
//! line. Source: the package `map_server` of ROS, <https://wiki.ros.org/map_server>, and `nav2_map_server` of ROS 2.

use super::ascii::CELL_SIZES;
use super::source::{Source, quoted};
use super::tones::Tones;
use crate::MapError;
use std::path::PathBuf;

/// What a file says.
#[derive(Debug, PartialEq)]
pub(super) struct RobotMap {
    /// The image, from where the program runs.
    pub image: PathBuf,
    /// Where the file names it (bytes).
    pub named_at: usize,
    /// Side of a cell (m).
    pub cell_size: f32,
    pub tones: Tones,
}

const KEYS: &str = "image, resolution, origin, negate, occupied_thresh, free_thresh or mode";

/// Where nothing is said, a place is occupied from this share of black on, and free below the other one.
const OCCUPIED: f64 = 0.65;
const FREE: f64 = 0.196;

/// How greys are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// Free, occupied, or unknown between the two.
    #[default]
    Trinary,
    /// Between the two a place is more or less surely free.
    Scale,
    /// The number of a pixel is its occupancy, 0 to 100.
    Raw,
}

/// The greys that are free in an image of which nothing more is known.
pub(super) fn usual_tones() -> Tones {
    tones(Mode::Trinary, false, OCCUPIED, FREE)
}

/// Where nobody has looked, nobody shall walk: only what is free is open, and with `scale` what is not occupied.
fn tones(mode: Mode, negate: bool, occupied: f64, free: f64) -> Tones {
    Tones::of(|grey| {
        let grey = if negate { 255 - grey } else { grey };
        let share = f64::from(255 - grey) / 255.0;
        match mode {
            Mode::Trinary => share < free && share <= occupied,
            Mode::Scale => share <= occupied,
            Mode::Raw => f64::from(grey) < occupied * 100.0,
        }
    })
}

/// A key with its value, and where both begin (bytes).
struct Entry<'a> {
    key: &'a str,
    key_at: usize,
    at: usize,
    /// One value, or those of a list.
    values: Vec<&'a str>,
    is_list: bool,
}

/// Reads a file. O(its length).
pub(super) fn read(source: Source) -> Result<RobotMap, MapError> {
    if source.text.trim().is_empty() {
        let expected = "a map of a robot, \"image: map.pgm\" first";
        return Err(MapError::Empty { file: source.file.to_path_buf(), expected });
    }
    let entries = entries(source)?;
    let find = |key: &str| entries.iter().find(|entry| entry.key == key);
    for (number, entry) in entries.iter().enumerate() {
        let is_known = KEYS.split([',', ' ']).any(|known| known == entry.key && known != "or");
        if !is_known || entries[..number].iter().any(|earlier| earlier.key == entry.key) {
            let expected = if is_known { "each key once" } else { KEYS };
            return Err(source.wrong(entry.key_at, format!("the key {}", quoted(entry.key)), expected));
        }
    }
    let missing = |key: &str| {
        let last = source.text.trim_end().len();
        source.wrong(last, format!("no key {key:?}"), format!("one, {KEYS}"))
    };
    let image = find("image").ok_or_else(|| missing("image"))?;
    let name = text(source, image, "the name of an image")?;
    if let Some(origin) = find("origin") {
        check_origin(source, origin)?;
    }
    let size = find("resolution").ok_or_else(|| missing("resolution"))?;
    let sizes = f64::from(*CELL_SIZES.start())..=f64::from(*CELL_SIZES.end());
    let cell_size = number(source, size, sizes, "the side of a cell in metres, from 0.001 to 1000")? as f32;
    let share = |key, usual| match find(key) {
        Some(entry) => number(source, entry, 0.0..=1.0, "a share of black, from 0 to 1"),
        None => Ok(usual),
    };
    let (occupied, free) = (share("occupied_thresh", OCCUPIED)?, share("free_thresh", FREE)?);
    if let Some(entry) = find("free_thresh").or(find("occupied_thresh")).filter(|_| free > occupied) {
        let found = format!("free_thresh {free} above occupied_thresh {occupied}");
        return Err(source.wrong(entry.at, found, "free_thresh at most occupied_thresh"));
    }
    let negate = find("negate").map_or(Ok(false), |entry| flag(source, entry))?;
    let mode = find("mode").map_or(Ok(Mode::default()), |entry| mode(source, entry))?;
    let image_file = source.file.parent().map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
    Ok(RobotMap { image: image_file, named_at: image.at, cell_size, tones: tones(mode, negate, occupied, free) })
}

fn mode(source: Source, entry: &Entry) -> Result<Mode, MapError> {
    let expected = "trinary, scale or raw";
    match text(source, entry, expected)? {
        "trinary" => Ok(Mode::Trinary),
        "scale" => Ok(Mode::Scale),
        "raw" => Ok(Mode::Raw),
        found => Err(source.wrong(entry.at, quoted(found), expected)),
    }
}

fn flag(source: Source, entry: &Entry) -> Result<bool, MapError> {
    let expected = "0 or 1";
    match text(source, entry, expected)? {
        "0" | "false" | "False" => Ok(false),
        "1" | "true" | "True" => Ok(true),
        found => Err(source.wrong(entry.at, quoted(found), expected)),
    }
}

/// Where the lower left corner lies, and how the map is turned; nothing here asks for either.
fn check_origin(source: Source, entry: &Entry) -> Result<(), MapError> {
    let is_number = |value: &&str| value.parse().is_ok_and(f64::is_finite);
    if entry.is_list && (2..=3).contains(&entry.values.len()) && entry.values.iter().all(is_number) {
        return Ok(());
    }
    Err(source.wrong(entry.at, quoted(&entry.values.join(", ")), "a list of three numbers, [x, y, yaw]"))
}

/// The one value of an entry.
fn text<'a>(source: Source, entry: &Entry<'a>, expected: &str) -> Result<&'a str, MapError> {
    match entry.values[..] {
        [value] if !entry.is_list && !value.is_empty() => Ok(value),
        _ => {
            let found = if entry.is_list { "a list" } else { "nothing" };
            Err(source.wrong(entry.at, found, expected))
        }
    }
}

fn number(
    source: Source,
    entry: &Entry,
    range: std::ops::RangeInclusive<f64>,
    expected: &str,
) -> Result<f64, MapError> {
    let found = text(source, entry, expected)?;
    let number = found.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| source.wrong(entry.at, quoted(found), expected))
}

/// The keys and values of a text.
fn entries(source: Source<'_>) -> Result<Vec<Entry<'_>>, MapError> {
    let mut entries: Vec<Entry> = Vec::new();
    // Whether a list in brackets goes on.
    let mut is_open = false;
    for line in source.text.lines() {
        let plain = without_comment(line);
        let begin = source.offset(line);
        let word = plain.trim();
        let is_mark = word == "---" || word == "..." || word.starts_with('%');
        if word.is_empty() || (is_mark && !is_open) {
            continue;
        }
        let at = begin + (plain.len() - plain.trim_start().len());
        match entries.last_mut() {
            Some(last) if is_open => is_open = last.add(word),
            Some(last) if word.starts_with("- ") && (last.is_list || last.values == [""]) => {
                if !last.is_list {
                    (last.is_list, last.at) = (true, at);
                    last.values.clear();
                }
                last.values.push(unquoted(word[2..].trim()));
            }
            _ => {
                let (key, value) = match word.split_once(':') {
                    Some((key, value)) if at == begin && (value.is_empty() || value.starts_with([' ', '\t'])) => {
                        (key.trim_end(), value)
                    }
                    _ => {
                        return Err(source.wrong(
                            at,
                            quoted(word),
                            format!("a key and a value, as in \"image: map.pgm\"; keys are {KEYS}"),
                        ));
                    }
                };
                let trimmed = value.trim();
                let value_at = at + word.len() - value.len() + (value.len() - value.trim_start().len());
                let mut entry =
                    Entry { key: unquoted(key), key_at: at, at: value_at, values: Vec::new(), is_list: false };
                match trimmed.strip_prefix('[') {
                    Some(list) => {
                        entry.is_list = true;
                        is_open = entry.add(list);
                    }
                    None => entry.values.push(unquoted(trimmed)),
                }
                entries.push(entry);
            }
        }
    }
    match entries.last() {
        Some(last) if is_open => Err(source.wrong(last.at, "a list without an end", "\"]\" at its end")),
        _ => Ok(entries),
    }
}

impl<'a> Entry<'a> {
    /// Adds the values of a part of a list in brackets; true where it goes on.
    fn add(&mut self, part: &'a str) -> bool {
        let end = part.find(']');
        let inner = &part[..end.unwrap_or(part.len())];
        self.values.extend(inner.split(',').map(str::trim).filter(|value| !value.is_empty()).map(unquoted));
        end.is_none()
    }
}

/// A line up to its comment: a `#` after a blank or at the beginning, outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '#' && before.is_whitespace() => return &line[..at],
            None if matches!(letter, '"' | '\'') && before.is_whitespace() => quote = Some(letter),
            _ => {}
        }
        before = letter;
    }
    line
}

fn unquoted(value: &str) -> &str {
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn parsed(text: &str) -> Result<RobotMap, String> {
        read(Source { text, file: Path::new("maps/a.yaml") }).map_err(|error| error.to_string())
    }

    #[test]
    fn each_form_of_the_same_map_is_the_same() {
        let plain = parsed("image: a.pgm\nresolution: 0.05\norigin: [-1.5, 2, 0.0]\n").unwrap();
        assert_eq!((plain.image.as_path(), plain.cell_size), (Path::new("maps/a.pgm"), 0.05));
        assert_eq!(plain.tones, usual_tones());
        for text in [
            "%YAML 1.2\n---\n# made by hand\nimage:   \"a.pgm\"  # of today\n\nresolution: 5.0e-02\norigin:\n- -1.5\n- 2\n- 0\n...\n",
            "resolution: .05\r\nimage: 'a.pgm'\r\norigin: [ -1.5,\r\n  2, 0 ]\r\nnegate: 0\r\nmode: trinary\r\n",
            "image: a.pgm\nresolution: 0.05\noccupied_thresh: 0.65\nfree_thresh: 0.196\nnegate: false\n",
        ] {
            let RobotMap { image, cell_size, tones, .. } = parsed(text).unwrap();
            assert_eq!((&image, cell_size, &tones), (&plain.image, 0.05, &plain.tones), "{text}");
        }
    }

    #[test]
    fn greys_are_free_as_the_file_says() {
        let open = |keys: &str| {
            let map = parsed(&format!("image: a.pgm\nresolution: 1\n{keys}")).unwrap();
            [0, 100, 205, 230, 254].map(|grey| map.tones.is_open(grey))
        };
        assert_eq!(open(""), [false, false, false, true, true]);
        assert_eq!(open("free_thresh: 0.25"), [false, false, true, true, true]);
        assert_eq!(open("negate: 1"), [true, false, false, false, false]);
        assert_eq!(open("mode: scale"), [false, true, true, true, true]);
        assert_eq!(open("mode: raw"), [true, false, false, false, false]);
    }

    #[test]
    fn what_is_no_such_file_is_refused_in_words() {
        for (text, expected) in [
            ("image: a.pgm\n", ":1:13: found no key \"resolution\", expected one, "),
            ("image a.pgm\n", ":1:1: found \"image a.pgm\", expected a key and a value, "),
            ("image: a.pgm\nresolution: fine\n", ":2:13: found \"fine\", expected the side of a cell in metres"),
            ("image: a.pgm\nresolution: 0\n", ":2:13: found \"0\", expected the side of a cell in metres"),
            ("image: a.pgm\nimage: b.pgm\n", ":2:1: found the key \"image\", expected each key once"),
            ("image: a.pgm\nresolutoin: 1\n", ":2:1: found the key \"resolutoin\", expected image, resolution"),
            ("image: a.pgm\nresolution: 1\norigin: [1, 2\n", ":3:9: found a list without an end, expected \"]\""),
            ("image: a.pgm\nresolution: 1\norigin: 3\n", ":3:9: found \"3\", expected a list of three numbers"),
            (
                "image: a.pgm\nresolution: 1\nfree_thresh: 0.8\n",
                ":3:14: found free_thresh 0.8 above occupied_thresh 0.65",
            ),
            ("image: a.pgm\nresolution: 1\nmode: grey\n", ":3:7: found \"grey\", expected trinary, scale or raw"),
            ("image: a.pgm\nresolution: [1, 2]\n", ":2:13: found a list, expected the side of a cell"),
            ("image:\nresolution: 1\n", ":1:7: found nothing, expected the name of an image"),
        ] {
            let found = parsed(text).unwrap_err();
            assert!(found.starts_with(&format!("maps/a.yaml{expected}")), "{text:?}: {found}");
        }
    }
}
