//! The system's dialog for files, beside the window.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// The endings of files that can be opened.
const ENDINGS: [&str; 13] =
    ["toml", "throng", "map", "txt", "ascii", "tmx", "tmj", "geojson", "wkt", "png", "bmp", "jpg", "webp"];

/// A dialog that is open.
pub(super) struct Dialog {
    answer: Receiver<Option<PathBuf>>,
    /// It asks for a name to save under.
    pub saves: bool,
}

impl Dialog {
    /// Asks for a file to open, or for a name to save under.
    pub fn open(saves: bool) -> Self {
        let (sender, answer) = channel();
        let ask = move || {
            let dialog = rfd::FileDialog::new();
            let path = if saves {
                dialog.set_title("Save the battle").add_filter("scenario", &["toml"]).save_file()
            } else {
                dialog.set_title("Open a battle").add_filter("scenario, recording, map", &ENDINGS).pick_file()
            };
            // The window may be gone.
            let _ = sender.send(path);
        };
        // Dialogs of macOS belong to the thread of the window.
        if cfg!(target_os = "macos") {
            ask();
        } else {
            // Without a thread there is no answer, which is that nothing was chosen.
            let _ = std::thread::Builder::new().name("dialog".into()).spawn(ask);
        }
        Self { answer, saves }
    }

    /// The path, where one was chosen.
    ///
    /// # Errors
    /// While there is no answer.
    pub fn answer(&self) -> Result<Option<PathBuf>, TryRecvError> {
        match self.answer.try_recv() {
            Err(TryRecvError::Disconnected) => Ok(None),
            answer => answer,
        }
    }
}
