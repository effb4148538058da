//! Where the program speaks and writes.

use super::CliError;
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether only the files, warnings and errors are wanted.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether a program listens.
static JSON: AtomicBool = AtomicBool::new(false);

/// The first failure of standard output.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// For commands whose result can be read by programs.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct JsonArgs {
    /// Print the result as one JSON object, and messages as one JSON object a line on standard error
    #[arg(long, help_heading = None::<&str>)]
    json: bool,
}

impl JsonArgs {
    /// From now on.
    pub(super) fn speak(self) {
        if self.json {
            speak_json();
        }
    }
}

/// From now on, messages are for programs.
pub(super) fn speak_json() {
    JSON.store(true, Ordering::Relaxed);
}

/// From now on, nothing is said but warnings and errors.
pub(super) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub(super) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub(super) fn is_json() -> bool {
    JSON.load(Ordering::Relaxed)
}

/// A line on standard output, whatever was asked for. Where it is not taken, the command goes on, since it may have files to
/// write, and [`lost`] says so at its end.
pub(super) fn print(line: &str) {
    note_loss(writeln!(io::stdout(), "{line}"));
}

/// Keeps in mind that standard output has not taken all. The first failure is the cause of those after it.
pub(super) fn note_loss(written: io::Result<()>) {
    if let Err(error) = written {
        let _ = LOST.set(error);
    }
}

/// The reason why some of the output is lost.
pub(super) fn lost() -> Option<&'static io::Error> {
    note_loss(io::stdout().flush());
    LOST.get()
}

/// True where the program was called with its standard output closed (`>&-`). Rust then opens `/dev/null` in its place, for
/// reading and writing, which a shell's `> /dev/null` does not. A few callers (Python's `subprocess.DEVNULL`) do, and mean to
/// throw away what comes; so this is asked where the output is the whole result: for `--json`, a video, a picture.
pub(super) fn is_closed() -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::PermissionsExt;
        let output = Path::new("/proc/self/fd/1");
        let can_be_read = || std::fs::symlink_metadata(output).is_ok_and(|link| link.permissions().mode() & 0o400 != 0);
        std::fs::read_link(output).is_ok_and(|file| file == Path::new("/dev/null")) && can_be_read()
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// Keeps in mind that standard output is closed.
pub(super) fn note_closed() {
    note_loss(Err(io::Error::other("it is closed")));
}

/// A line of the result, for people.
pub(super) fn say(line: &str) {
    if !is_quiet() && !is_json() {
        print(line);
    }
}

/// The whole result, for programs.
pub(super) fn result(result: &impl Serialize) {
    if is_json() {
        if is_closed() {
            note_closed();
        }
        let text = serde_json::to_string_pretty(result);
        print(&text.unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string()));
    }
}

/// A line beside the result.
pub(super) fn note(line: &str) {
    if !is_quiet() {
        beside("note", line);
    }
}

/// A line beside the result that is shown even with --quiet: `kind` is a warning, an error or a broken promise.
pub(super) fn tell(kind: &str, text: &str) {
    let line = if is_json() { text.to_owned() } else { format!("{kind}: {text}") };
    beside(kind, &line);
}

fn beside(kind: &str, line: &str) {
    if is_json() {
        object(&json!({ kind: line }));
    } else {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// A line on standard error, for programs.
pub(super) fn object(value: &Value) {
    let _ = writeln!(io::stderr(), "{value}");
}

/// Makes the folder where it is absent and tries whether a file can be written in it, under none of the names in
/// `taken` by folders.
pub(super) fn check_folder(folder: &Path, names: &[String]) -> Result<(), CliError> {
    let attempt = || {
        std::fs::create_dir_all(folder)?;
        probe(folder)?;
        match names.iter().find(|name| folder.join(name).is_dir()) {
            Some(name) => Err(io::Error::new(io::ErrorKind::IsADirectory, format!("{name} is a folder"))),
            None => Ok(()),
        }
    };
    attempt().map_err(|source: io::Error| CliError::Folder { folder: folder.to_path_buf(), source })
}

/// Makes the folder of `file` where it is absent, as that of `--out`, and tries whether `file` can be written.
pub(super) fn check_file(file: &Path, option: &'static str) -> Result<(), CliError> {
    let end = throng::grid::whole_file::end(file);
    let folder = end.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let attempt = || match std::fs::metadata(file) {
        Ok(found) if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        // A device or a pipe takes any output.
        Ok(found) if !found.is_file() => Ok(()),
        _ => std::fs::create_dir_all(folder).and_then(|()| probe(folder)),
    };
    attempt().map_err(|source: io::Error| CliError::File { file: file.to_path_buf(), option, source })
}

/// True where both names lead to one file, there or not yet there. A device takes the output of many.
pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    let place = |file: &Path| {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let named = || Some(std::fs::canonicalize(folder).ok()?.join(file.file_name()?));
        std::fs::canonicalize(file).ok().or_else(named)
    };
    let is_special = std::fs::metadata(one).is_ok_and(|found| !found.is_file());
    !is_special && (one == other || place(one).is_some_and(|place_of_one| Some(place_of_one) == place(other)))
}

/// An input file must not be overwritten.
pub(super) fn check_not_read(file: &Path, option: &'static str, inputs: &[&Path]) -> Result<(), CliError> {
    let whole = |path: &Path| std::fs::canonicalize(path).ok();
    match whole(file) {
        Some(found) if inputs.iter().any(|input| whole(input).as_ref() == Some(&found)) => {
            Err(CliError::Input { file: file.to_path_buf(), option })
        }
        _ => Ok(()),
    }
}

/// Makes a file in `folder` and removes it.
fn probe(folder: &Path) -> io::Result<()> {
    // A new file under a name of its own: nothing that is there is written, and no link is followed.
    tempfile::tempfile_in(folder).map(drop)
}

/// A whole number with its thousands set apart.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The lines of a table whose first column is of names and whose others are of numbers.
pub(super) fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let line = |row: &Vec<String>| {
        let name = format!("{:1$}", row[0], widths[0]);
        let cells = row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("{cell:>width$}"));
        std::iter::once(name).chain(cells).collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 999, 1000, 1_234_567].map(super::grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
