//! The part of the world that the window shows.

use throng_grid::geom::Vec2;

/// Maps metres on the map to pixels of the window, by one linear map: from straight above, or from the south at a slant,
/// which makes ways to the north shorter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Camera {
    /// The point of the map in the middle of the window (m).
    pub centre: Vec2,
    /// Pixels a metre to the east.
    pub zoom: f32,
    /// Pixels a metre to the south, as a share of those to the east: 1 from straight above.
    slant: f32,
    /// Size of the window (pixels).
    window: Vec2,
    /// Width of the panel at the left edge of the window (pixels).
    panel: f32,
    /// Height of the panel at its lower edge (pixels).
    bar: f32,
    /// Pixels left free around a map that fits.
    margin: f32,
    /// Size of the map (m).
    map: Vec2,
    /// True until the user moves the camera: the map then keeps fitting the window when that changes.
    fitted: bool,
}

/// Pixels left free around a map that fits, unless said otherwise.
const FIT_MARGIN_PX: f32 = 14.0;
/// How far soldiers may stick out of their place (m).
const BODY_REACH_M: f32 = 4.0;
/// The closest look (pixels a metre).
const MAX_ZOOM_PX_PER_M: f32 = 160.0;

impl Camera {
    /// A camera that shows the whole map, beside a panel at the left edge where that would cover some of it.
    pub fn new(map: Vec2, window: Vec2, panel: f32) -> Self {
        let mut camera = Self {
            centre: map * 0.5,
            zoom: 1.0,
            slant: 1.0,
            window,
            panel,
            bar: 0.0,
            margin: FIT_MARGIN_PX,
            map,
            fitted: true,
        };
        camera.fit();
        camera
    }

    /// Sets the pixels that are left free around a map that fits.
    pub fn with_margin(mut self, margin: f32) -> Self {
        self.margin = margin;
        self.fit();
        self
    }

    /// Looks from straight above (1), or so that a metre to the south is as long as this share of one to the east.
    pub fn set_slant(&mut self, slant: f32) {
        self.slant = slant;
        if self.fitted {
            self.fit();
        }
    }

    /// Pixels a metre to the south, as a share of those to the east.
    pub fn slant(&self) -> f32 {
        self.slant
    }

    /// Pixels a metre to the east and to the south.
    pub fn scale(&self) -> Vec2 {
        Vec2::new(self.zoom, self.zoom * self.slant)
    }

    /// The pixel of the map's upper left corner.
    pub fn origin(&self) -> Vec2 {
        self.window * 0.5 - self.centre * self.scale()
    }

    /// Sets the place of the panels: the width of the one at the left edge, the height of the one at the lower edge (pixels).
    pub fn set_panels(&mut self, [panel, bar]: [f32; 2]) {
        (self.panel, self.bar) = (panel, bar);
        if self.fitted {
            self.fit();
        }
    }

    /// Shows the whole map.
    pub fn fit(&mut self) {
        let covered = self.covered();
        self.zoom = self.whole();
        self.centre = self.map * 0.5 - Vec2::new(covered, -self.bar) / (2.0 * self.scale());
        self.fitted = true;
    }

    /// The zoom at which the whole map is seen.
    fn whole(&self) -> f32 {
        self.zoom_beside(self.covered())
    }

    /// The zoom that shows the whole map beside a panel of `covered` pixels.
    fn zoom_beside(&self, covered: f32) -> f32 {
        let room = (self.window - Vec2::splat(2.0 * self.margin) - Vec2::new(covered, self.bar)).max(Vec2::ONE);
        (room / (self.map * Vec2::new(1.0, self.slant))).min_element()
    }

    /// The pixels at the left edge that the map has to leave to the panel: none where it does not reach there, nor in a
    /// window so narrow that too little would be left.
    fn covered(&self) -> f32 {
        let free = (self.window.x - self.map.x * self.zoom_beside(0.0)) * 0.5;
        if free >= self.panel || self.window.x < 3.0 * self.panel { 0.0 } else { self.panel }
    }

    /// Follows the window to another size (pixels).
    pub fn resize(&mut self, window: Vec2) {
        self.window = window.max(Vec2::ONE);
        if self.fitted {
            self.fit();
        }
    }

    /// Zooms by `factor`; the point of the map under `cursor` (pixels) stays there.
    pub fn zoom_at(&mut self, cursor: Vec2, factor: f32) {
        let held = self.to_world(cursor);
        let whole = self.whole();
        self.zoom = (self.zoom * factor).clamp(whole * 0.5, MAX_ZOOM_PX_PER_M.max(whole));
        self.centre = held - (cursor - self.window * 0.5) / self.scale();
        self.fitted = false;
    }

    /// Drags the map by `pixels`. The middle of the window stays on the map.
    pub fn pan(&mut self, pixels: Vec2) {
        self.centre = (self.centre - pixels / self.scale()).clamp(Vec2::ZERO, self.map);
        self.fitted = false;
    }

    /// The point of the map (m) under a pixel.
    pub fn to_world(&self, pixel: Vec2) -> Vec2 {
        self.centre + (pixel - self.window * 0.5) / self.scale()
    }

    /// The pixel over a point of the map (m).
    pub fn to_pixel(&self, point: Vec2) -> Vec2 {
        (point - self.centre) * self.scale() + self.window * 0.5
    }

    /// The visible part of the world: its upper left and lower right corner (m).
    pub fn view(&self) -> [Vec2; 2] {
        let half = self.window * 0.5 / self.scale();
        [self.centre - half, self.centre + half]
    }

    /// The part of the world that the panels leave free: its upper left and lower right corner (m).
    pub fn clear_view(&self) -> [Vec2; 2] {
        let free = Vec2::new(self.window.x - self.panel, self.window.y - self.bar).max(Vec2::ONE);
        let corner = Vec2::new(self.window.x - free.x, 0.0);
        [corner, corner + free].map(|pixel| self.to_world(pixel))
    }

    /// Looks at a point (m), which comes to the middle of what the panels leave free.
    pub fn look_at(&mut self, point: Vec2) {
        let aside = Vec2::new(self.panel, -self.bar) / (2.0 * self.scale());
        self.centre = (point - aside).clamp(Vec2::ZERO, self.map);
        self.fitted = false;
    }

    /// True where something of a few metres around a point (m) may be in the window.
    pub fn sees(&self, point: Vec2) -> bool {
        (point - self.centre).abs().cmple(self.window * 0.5 / self.scale() + BODY_REACH_M).all()
    }

    /// Factor and offset that turn metres into the coordinates of the graphics card (-1 to 1, y up).
    pub fn clip(&self) -> (Vec2, Vec2) {
        let scale = Vec2::new(2.0, -2.0) * self.scale() / self.window;
        (scale, -self.centre * scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_new_camera_shows_the_whole_map_and_keeps_doing_so() {
        let mut camera = Camera::new(Vec2::new(400.0, 100.0), Vec2::new(1280.0, 720.0), 290.0);
        for window in [Vec2::new(1280.0, 720.0), Vec2::new(300.0, 900.0)] {
            camera.resize(window);
            let (scale, offset) = camera.clip();
            for corner in [Vec2::ZERO, Vec2::new(400.0, 100.0)] {
                let clip = corner * scale + offset;
                assert!(clip.abs().max_element() < 1.0, "{corner} falls on {clip}");
            }
            let left = camera.to_pixel(Vec2::ZERO).x;
            assert!(left >= 290.0 || window.x < 3.0 * 290.0, "the panel covers the map from {left} on");
        }
        camera.pan(Vec2::new(-1e6, 0.0));
        assert_eq!(camera.centre, Vec2::new(400.0, 50.0));
    }

    proptest! {
        #[test]
        fn the_point_under_the_cursor_stays(
            x in 0.0_f32..1280.0, y in 0.0_f32..720.0, factors in prop::collection::vec(0.3_f32..3.0, 1..20),
            slant in prop::sample::select(vec![1.0_f32, 0.8]),
        ) {
            let mut camera = Camera::new(Vec2::new(512.0, 300.0), Vec2::new(1280.0, 720.0), 290.0);
            camera.set_slant(slant);
            let cursor = Vec2::new(x, y);
            let held = camera.to_world(cursor);
            for factor in factors {
                camera.zoom_at(cursor, factor);
                prop_assert!(camera.to_world(cursor).distance(held) * camera.zoom < 0.5);
                prop_assert!(camera.zoom <= MAX_ZOOM_PX_PER_M && camera.sees(held));
                prop_assert!(camera.to_pixel(held).distance(cursor) < 0.5);
            }
        }

        #[test]
        fn pixels_and_ground_are_one_another_s_inverse(
            x in -400.0_f32..1700.0, y in -400.0_f32..1200.0, zoom in 0.1_f32..8.0, pan in (-300.0_f32..300.0, -300.0_f32..300.0),
            slant in prop::sample::select(vec![1.0_f32, 0.8]),
        ) {
            let mut camera = Camera::new(Vec2::new(512.0, 300.0), Vec2::new(1280.0, 720.0), 290.0);
            camera.set_slant(slant);
            camera.zoom_at(Vec2::new(600.0, 300.0), zoom);
            camera.pan(Vec2::from(pan));
            let pixel = Vec2::new(x, y);
            let ground = camera.to_world(pixel);
            prop_assert!(camera.to_pixel(ground).distance(pixel) < 0.02);
            prop_assert!((camera.origin() + ground * camera.scale()).distance(pixel) < 0.05);
            // The card's coordinates are the same place.
            let (scale, offset) = camera.clip();
            let clip = (ground * scale + offset) * Vec2::new(0.5, -0.5) + 0.5;
            prop_assert!((clip * Vec2::new(1280.0, 720.0)).distance(pixel) < 0.05);
            // A metre to the south is as long as the slant says, one to the east as the zoom says.
            let step = camera.to_pixel(ground + Vec2::ONE) - pixel;
            prop_assert!((step - Vec2::new(camera.zoom, camera.zoom * slant)).length() < 0.05 + 0.001 * camera.zoom);
        }
    }
}
