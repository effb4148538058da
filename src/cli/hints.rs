//! Guesses at the meaning of refused arguments. clap suggests names for unknown ones. Here are the other cases: an
//! option that is known, but means something else, a file where a command should be, and a word that is not among the
//! known ones of an option.

use super::file_kind;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;
use throng::grid::MapFormat;
use throng::scenario::did_you_mean;

/// Adds guesses at the meaning to an error. `words` are those that the program was called with.
pub(super) fn hint(error: &mut Error, mut command: Command, words: impl Iterator<Item = OsString>) {
    if let Some(tip) = file_tip(error) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    if error.get(ContextKind::InvalidSubcommand).is_some() {
        return;
    }
    if let Some(near) = known_word(error) {
        error.insert(ContextKind::SuggestedValue, ContextValue::Strings(vec![near]));
        return;
    }
    for word in words {
        if let Some(inner) = command.find_subcommand(&word) {
            command = inner.clone();
        }
    }
    if error.get(ContextKind::SuggestedArg).is_none()
        && let Some(option) = namesake(error, &command)
    {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{option}")));
    }
}

/// Which command takes a file that is where none belongs.
fn file_tip(error: &Error) -> Option<String> {
    let word = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    };
    let command = word(ContextKind::InvalidSubcommand);
    let argument = word(ContextKind::InvalidArg)
        .filter(|word| error.kind() == ErrorKind::UnknownArgument && !word.starts_with('-'));
    let by_content = command.or(argument).and_then(|word| file_kind::told(Path::new(word)));
    by_content.or_else(|| Some(format!("a file comes after a command, as in '{}'", line_for(command?)?)))
}

/// The known word nearest to one that is refused. The messages of such words end in all known ones.
fn known_word(error: &Error) -> Option<String> {
    let message = error.source()?.to_string();
    let (found, known) = message.strip_prefix("unknown ")?.split_once("; known are ")?;
    let found = found.split_once('"')?.1.trim_end_matches('"');
    did_you_mean(found, &known.split(", ").collect::<Vec<_>>()).map(str::to_owned)
}

/// The command that shows a file of this name, where it is one of ours.
fn line_for(word: &str) -> Option<String> {
    let file = Path::new(word);
    let command = match file.extension()?.to_str()? {
        "toml" => "view",
        "throng" => "replay",
        _ => MapFormat::of(file).map(|_| "map info")?,
    };
    Some(format!("throng {command} {word}"))
}

/// The option whose name is that of a refused one with a letter more: --ticks for --tick.
fn namesake(error: &Error, command: &Command) -> Option<String> {
    let longer = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.chars().count() == 1);
    let refused = [ContextKind::InvalidArg, ContextKind::PriorArg].into_iter().filter_map(|kind| error.get(kind));
    let names = refused.flat_map(|value| match value {
        ContextValue::String(name) => std::slice::from_ref(name),
        ContextValue::Strings(names) => names,
        _ => &[],
    });
    let names = names.filter_map(|name| name.strip_prefix("--")?.split([' ', '=']).next());
    let options: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
    let nearly = |name: &str| options.iter().find(|option| longer(option, name));
    names.filter_map(nearly).map(|&option| option.to_owned()).next()
}
