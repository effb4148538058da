//! The program as all tests of this folder start it.

use std::path::Path;
use std::process::{Command, Output};

/// The program in a folder. It tells no progress: how often it would do so depends on how fast the machine is.
pub fn throng(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.current_dir(folder).env("THRONG_PROGRESS", "none");
    command
}

/// Exit code, standard output and standard error of a command line.
pub fn run(folder: &Path, args: &str) -> (i32, String, String) {
    ended(throng(folder).args(args.split_whitespace()))
}

/// The same of a command.
pub fn ended(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}
