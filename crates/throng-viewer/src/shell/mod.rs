//! The parts that every window has: the event loop, input, the camera, panels, menu, tabs, settings, files that are opened.
//! A battle or a laboratory is its [`Content`], which says what keys do and draws each frame.

mod app;
pub(crate) mod brush;
pub(crate) mod camera;
mod content;
mod dialog;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod example;
mod frame_times;
pub(crate) mod graphics;
mod handover;
mod hints;
pub(crate) mod input;
#[cfg(test)]
pub(crate) mod layout_check;
pub(crate) mod menu;
pub(crate) mod open_error;
pub(crate) mod opening;
pub(crate) mod panel_output;
pub(crate) mod settings;
pub(crate) mod speed;
mod tabs;
pub(crate) mod ui;
pub(crate) mod undo_stack;
pub(crate) mod view_options;
pub(crate) mod window;
pub(crate) mod worker;

pub(crate) use app::{App, Shell};
pub(crate) use content::Content;
