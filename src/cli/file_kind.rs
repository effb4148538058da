//! What a file is, so that one in the wrong place is told what it is and which command takes it.

use super::CliError;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use throng::grid::MapFile;

/// So many bytes tell what a file is.
const HEAD: u64 = 1 << 16;

/// A kind of file that some command reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Folder,
    Empty,
    /// Of a kind with an article.
    Map(&'static str),
    Scenario,
    Units,
    Colours,
    Recording,
    Commands,
    Snapshot,
    Queries,
    Crowd,
    Graph,
    Positions,
    /// None that any command reads.
    Other(&'static str),
}

/// What an argument takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Scenario,
    ScenarioOrMap,
    Map,
    Colours,
    Recording,
    Snapshot,
    Queries,
    Crowd,
    Graph,
    Positions,
}

/// Where a file is not there or plainly another than the wanted one, says what it is and which command takes it. All else is left to
/// the reader of what is wanted.
pub(super) fn check(file: &Path, wanted: Wanted) -> Result<(), CliError> {
    if std::fs::metadata(file).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Err(CliError::Missing { file: file.to_path_buf() });
    }
    match of(file) {
        Some(found) if !wanted.takes(found) => Err(CliError::OtherKind {
            file: file.to_path_buf(),
            found: found.described(),
            expected: wanted.described(),
            advice: found.advice(file),
        }),
        _ => Ok(()),
    }
}

/// What a file is, and the command that takes it, in words; `None` where it is not there, or may be anything.
pub(super) fn told(file: &Path) -> Option<String> {
    let kind = of(file)?;
    Some(format!("{} is {}: {}", file.display(), kind.described(), kind.advice(file)))
}

/// What a file is, by its first bytes; `None` where it cannot be read, or may be anything.
pub(super) fn of(file: &Path) -> Option<FileKind> {
    if file.is_dir() {
        return Some(FileKind::Folder);
    }
    // A pipe would be read once alone.
    if !std::fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut head = Vec::new();
    File::open(file).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    kind(&head, file)
}

fn kind(head: &[u8], file: &Path) -> Option<FileKind> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    if head.trim_ascii().is_empty() {
        return Some(FileKind::Empty);
    } else if starts(b"\x93THRREC") {
        return Some(FileKind::Recording);
    } else if starts(b"\x93THRCMD") {
        return Some(FileKind::Commands);
    } else if starts(b"\x93THRONG") {
        return Some(FileKind::Snapshot);
    } else if let Some(told) = text(head).and_then(|text| told_by_text(text, file)) {
        return Some(told);
    } else if let Some(map) = MapFile::kind_of(head, file) {
        return Some(FileKind::Map(map));
    }
    let known: [(&[u8], &str); 5] = [
        (b"SQLite format 3\0", "an SQLite database"),
        (b"PAR1", "a Parquet table"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1F\x8B", "a gzip archive"),
    ];
    let other = known.iter().find(|(magic, _)| starts(magic)).map(|(_, name)| *name);
    other.or_else(|| text(head).is_none().then_some("binary data")).map(FileKind::Other)
}

/// The bytes as text, of which the last letter may be cut.
fn text(head: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    (!text.contains('\0')).then(|| text.trim_start_matches('\u{feff}'))
}

fn told_by_text(text: &str, file: &Path) -> Option<FileKind> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let columns: Vec<&str> = first.split(',').map(str::trim).collect();
    match columns[..] {
        ["x", "y", "goal_x", "goal_y"] => return Some(FileKind::Crowd),
        ["from", "to"] | ["from", "to", "cost"] => return Some(FileKind::Graph),
        ["node", "x", "y"] => return Some(FileKind::Positions),
        _ => {}
    }
    if matches!(first.split_whitespace().collect::<Vec<_>>()[..], ["version", number] if number.parse::<f64>().is_ok())
    {
        return Some(FileKind::Queries);
    }
    let has_key = |wanted: &str| {
        let key = |line: &str| line.split_once('=').map(|(key, _)| key.trim() == wanted);
        text.lines().any(|line| key(line) == Some(true))
    };
    let has_table = |name: &str| text.lines().any(|line| line.trim().starts_with(name));
    let is_toml = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    if has_table("[[army") || is_toml && has_key("map") {
        Some(FileKind::Scenario)
    } else if has_table("[colours]") {
        Some(FileKind::Colours)
    } else if is_toml && has_table("[[unit]]") {
        Some(FileKind::Units)
    } else {
        None
    }
}

impl FileKind {
    fn described(self) -> String {
        let plain = match self {
            Self::Map(kind) => return format!("a map ({kind})"),
            Self::Folder => "a folder",
            Self::Empty => "an empty file",
            Self::Scenario => "a scenario",
            Self::Units => "a library of units",
            Self::Colours => "a table of colours",
            Self::Recording => "a recording",
            Self::Commands => "a log of commands",
            Self::Snapshot => "a snapshot",
            Self::Queries => "a query file",
            Self::Crowd => "a crowd",
            Self::Graph => "a graph",
            Self::Positions => "a table of the positions of nodes",
            Self::Other(name) => name,
        };
        plain.to_owned()
    }

    /// What to do with it.
    fn advice(self, file: &Path) -> String {
        let file = file.display();
        match self {
            Self::Folder => "name a file in it".to_owned(),
            Self::Empty | Self::Other(_) => "check the path".to_owned(),
            Self::Map(_) => format!("throng view {file} opens it with an army each"),
            Self::Scenario => format!("throng view {file} shows it, throng run {file} runs it"),
            Self::Units => "a scenario names it as its library".to_owned(),
            Self::Colours => format!("throng map info IMAGE --colours {file} takes it"),
            Self::Recording => format!("throng replay {file} shows it"),
            Self::Commands => format!("throng replay {file} does them again"),
            Self::Snapshot => format!("throng run SCENARIO --resume {file} goes on from it"),
            Self::Queries => format!("throng compare MAP --scen {file} takes it"),
            Self::Crowd => format!("throng run --agents {file} runs it"),
            Self::Graph => format!("throng plan --graph {file} --from NODE --to NODE searches it"),
            Self::Positions => format!("throng plan --graph EDGES --nodes {file} --from NODE --to NODE takes it"),
        }
    }
}

impl Wanted {
    #[expect(clippy::match_same_arms, reason = "a table: a row a kind")]
    fn takes(self, found: FileKind) -> bool {
        match (self, found) {
            // Their readers say more.
            (Self::Map, FileKind::Empty | FileKind::Other(_))
            | (Self::Recording | Self::Snapshot, FileKind::Other(_))
            | (Self::Queries | Self::Crowd | Self::Graph | Self::Positions, FileKind::Empty) => true,
            (Self::Scenario | Self::ScenarioOrMap, FileKind::Scenario) => true,
            (Self::Map | Self::ScenarioOrMap, FileKind::Map(_)) => true,
            (Self::Colours, FileKind::Colours) => true,
            (Self::Recording, FileKind::Recording | FileKind::Commands) => true,
            (Self::Snapshot, FileKind::Snapshot) => true,
            (Self::Queries, FileKind::Queries) => true,
            (Self::Crowd, FileKind::Crowd) => true,
            (Self::Graph, FileKind::Graph) => true,
            (Self::Positions, FileKind::Positions) => true,
            _ => false,
        }
    }

    fn described(self) -> &'static str {
        match self {
            Self::Scenario => "a scenario (.toml)",
            Self::ScenarioOrMap => "a scenario (.toml) or a map",
            Self::Map => "a map",
            Self::Colours => "a table of colours (.toml)",
            Self::Recording => "a recording (.throng) or a log of commands",
            Self::Snapshot => "a snapshot, which throng run --snapshot writes",
            Self::Queries => "a query file (.scen)",
            Self::Crowd => "a crowd, a CSV file with the header x,y,goal_x,goal_y",
            Self::Graph => "a graph, a CSV file with the header from,to,cost or from,to",
            Self::Positions => "the positions of nodes, a CSV file with the header node,x,y",
        }
    }
}
