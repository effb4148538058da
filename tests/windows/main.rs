//! The program with its window open, on a display of its own.
#![cfg(all(feature = "viewer", target_os = "linux"))]
#![allow(clippy::unwrap_used, missing_docs)]

mod battle_window;
mod camera_window;
mod command_window;
mod compare_window;
mod drop_window;
mod index_window;
mod look_window;
mod measure_window;
mod menu_window;
mod minimised_window;
mod painters_window;
mod panel_window;
mod replay_window;
mod screen;
mod time_window;
mod volume_window;
mod window;
