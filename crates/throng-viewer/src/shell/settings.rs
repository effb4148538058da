//! What a user has set for all windows, kept in a file of its own.

use super::speed::Speed;
use crate::Theme;
use directories::ProjectDirs;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::PathBuf;
use throng_grid::whole_file::WholeFile;

/// The settings.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Size of words and panels (percent).
    pub text_percent: u32,
    /// The look of battles that ask for none.
    pub look: Theme,
    /// The armies' colours.
    pub colours: ArmyColours,
    /// How fast a battle begins.
    pub speed: Speed,
}

/// Which colours armies have.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ArmyColours {
    /// Those of the scenario, where it has some.
    #[default]
    Own,
    /// Colours that people of any colour vision tell apart.
    Distinct,
}

impl Default for Settings {
    fn default() -> Self {
        Self { text_percent: 100, look: Theme::Battle, colours: ArmyColours::Own, speed: Speed::REAL }
    }
}

/// The sizes of words that can be chosen (percent).
pub(super) const TEXT_PERCENTS: [u32; 5] = [100, 115, 130, 150, 175];

impl Settings {
    /// Those of the file; the usual ones where there is none, or it cannot be read.
    pub fn load() -> Self {
        let text = file().and_then(|file| std::fs::read_to_string(file).ok());
        let settings: Self = text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default();
        Self { text_percent: settings.text_percent.clamp(TEXT_PERCENTS[0], 200), ..settings }
    }

    /// Keeps them for the next time.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save(self) -> std::io::Result<()> {
        let Some(file) = file() else { return Ok(()) };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = toml::to_string(&self).map_err(std::io::Error::other)?;
        let mut out = WholeFile::create(&file)?;
        out.write_all(text.as_bytes())?;
        out.finish()
    }
}

fn file() -> Option<PathBuf> {
    ProjectDirs::from("", "", "throng").map(|folders| folders.config_dir().join("window.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_were_written() {
        let settings = Settings {
            text_percent: 130,
            look: Theme::Plan,
            colours: ArmyColours::Distinct,
            speed: Speed::REAL.faster().faster(),
        };
        let text = toml::to_string(&settings).unwrap();
        assert_eq!(toml::from_str::<Settings>(&text).unwrap(), settings, "{text}");
        assert_eq!(toml::from_str::<Settings>("").unwrap(), Settings::default());
    }
}
