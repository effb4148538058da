//! What a window shows, as the parts that all windows share see it.

use super::app::Shell;
use super::camera::Camera;
use super::event::{ContentInfo, Event};
use ggez::GameResult;
use ggez::winit::event::{ElementState, KeyEvent, MouseButton};
use std::path::Path;
use throng_grid::geom::Vec2;

/// The content of a window.
pub(crate) trait Content {
    /// Its camera.
    fn camera(&mut self) -> &mut Camera;

    /// The upper left corner (pixels) of the part of the window that the camera fills and that `pixel` is in.
    fn corner(&self, _pixel: Vec2) -> Vec2 {
        Vec2::ZERO
    }

    /// Follows the window to another size (pixels).
    fn resized(&mut self, size: Vec2) {
        self.camera().resize(size);
    }

    /// Shows all of it.
    fn fit(&mut self, shell: &mut Shell) {
        self.camera().fit();
        shell.tell_fit(self.camera());
    }

    /// Moves the map (pixels).
    fn pan(&mut self, shell: &mut Shell, by: Vec2) {
        self.camera().pan(by);
        shell.tell(&Event::Pan { centre: self.camera().centre.to_array() });
    }

    /// Zooms by a factor; the point of the map under a pixel of its part of the window stays there.
    fn zoom(&mut self, shell: &mut Shell, at: Vec2, factor: f32) {
        let camera = self.camera();
        camera.zoom_at(at, factor);
        shell.tell(&Event::Zoom { zoom: camera.zoom, under: Some(camera.to_world(at).to_array()) });
    }

    /// A key that is not one of [`WindowAction`](super::input::WindowAction).
    fn key(&mut self, shell: &mut Shell, event: &KeyEvent);

    /// A button of the mouse.
    fn button(&mut self, _shell: &mut Shell, _button: MouseButton, _state: ElementState) {}

    /// True where the right button has something to do, so that it does not drag the map.
    fn takes_right_button(&self) -> bool {
        false
    }

    /// Clears the selection; false if there is none, and the menu may be opened.
    fn lets_go(&mut self, _shell: &mut Shell) -> bool {
        false
    }

    /// A file was dropped on the window.
    fn dropped(&mut self, shell: &mut Shell, path: &Path) {
        shell.say(&Event::notice(format!("{} cannot be opened here", path.display())));
    }

    /// The pointer is elsewhere.
    fn moved(&mut self, _shell: &mut Shell) {}

    /// Takes new states and lets time pass.
    fn follow(&mut self, shell: &mut Shell);

    /// True if the next picture would be the same without input.
    fn is_still(&self) -> bool;

    /// Draws a frame and shows it.
    fn draw(&mut self, shell: &mut Shell) -> GameResult;

    /// A description of the content, once its first state was drawn; `None` until then.
    fn greeting(&mut self) -> Option<ContentInfo>;

    /// Simulated ticks a second, where there are any.
    fn ticks_per_second(&self) -> f32 {
        0.0
    }

    /// The number of the tick, frame or task that is shown.
    fn moment(&self) -> u64;
}
