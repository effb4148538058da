//! The part of the world that the window shows.

use throng_grid::geom::Vec2;

/// Maps metres on the map to pixels of the window, by one linear map: from straight above, or from the south at a slant,
/// which makes ways to the north shorter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Camera {
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
    /// What keeps fitting the window when that changes, until the user moves the camera.
    fitted: Option<Fitted>,
    /// A zoom that is under way.
    ease: Option<Ease>,
}

/// What is fitted to the window.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fitted {
    /// The whole map.
    Map,
    /// A part of it: its upper left and lower right corner (m).
    Part([Vec2; 2]),
}

/// A zoom that is under way.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ease {
    /// The zoom at its end (pixels a metre).
    zoom: f32,
    /// The pixel whose point of the map (m) stays where it is.
    cursor: Vec2,
    held: Vec2,
    /// Time that is left (s).
    left: f32,
}

/// How long a zoom takes (s).
const EASE_TIME_S: f32 = 0.15;
/// What is left free around a part of the map that fits (m), and its least width and height.
const PART_MARGIN_M: f32 = 10.0;
const MIN_PART_M: f32 = 40.0;

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
            fitted: None,
            ease: None,
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
        self.refit();
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
        self.refit();
    }

    /// Shows the whole map.
    pub fn fit(&mut self) {
        let covered = self.covered();
        self.zoom = self.whole();
        self.centre = self.map * 0.5 - Vec2::new(covered, -self.bar) / (2.0 * self.scale());
        (self.fitted, self.ease) = (Some(Fitted::Map), None);
    }

    /// Shows the part of the map between two corners (m), with some ground around it, beside the panels.
    pub fn fit_part(&mut self, [low, high]: [Vec2; 2]) {
        let size = (high - low + 2.0 * PART_MARGIN_M).max(Vec2::splat(MIN_PART_M)).min(self.map);
        let centre = low.midpoint(high).clamp(size * 0.5, self.map - size * 0.5);
        let panel = if self.window.x < 3.0 * self.panel { 0.0 } else { self.panel };
        let room = (self.window - Vec2::splat(2.0 * self.margin) - Vec2::new(panel, self.bar)).max(Vec2::ONE);
        self.zoom = (room / (size * Vec2::new(1.0, self.slant))).min_element().min(MAX_ZOOM_PX_PER_M);
        self.centre = centre - Vec2::new(panel, -self.bar) / (2.0 * self.scale());
        (self.fitted, self.ease) = (Some(Fitted::Part([low, high])), None);
    }

    /// True where a part of the map was fitted and has not been moved since.
    pub fn is_fitted_to_part(&self) -> bool {
        matches!(self.fitted, Some(Fitted::Part(_)))
    }

    /// Fits anew what is fitted.
    fn refit(&mut self) {
        match self.fitted {
            Some(Fitted::Map) => self.fit(),
            Some(Fitted::Part(part)) => self.fit_part(part),
            None => {}
        }
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
        self.refit();
    }

    /// Zooms by `factor`; the point of the map under `cursor` (pixels) stays there.
    pub fn zoom_at(&mut self, cursor: Vec2, factor: f32) {
        self.zoom_toward(cursor, factor);
        self.settle();
    }

    /// The same within [`EASE_TIME_S`], as [`advance`](Self::advance) is called. A zoom that is under way is gone on with.
    pub fn zoom_toward(&mut self, cursor: Vec2, factor: f32) {
        let whole = self.whole();
        let zoom = (self.goal() * factor).clamp(whole * 0.5, MAX_ZOOM_PX_PER_M.max(whole));
        self.ease = Some(Ease { zoom, cursor, held: self.to_world(cursor), left: EASE_TIME_S });
        self.fitted = None;
    }

    /// The zoom at the end of one that is under way, or as it is (pixels a metre).
    pub fn goal(&self) -> f32 {
        self.ease.map_or(self.zoom, |ease| ease.zoom)
    }

    /// True while a zoom is under way.
    pub fn is_moving(&self) -> bool {
        self.ease.is_some()
    }

    /// Lets time pass (s).
    pub fn advance(&mut self, seconds: f32) {
        let Some(ease) = &mut self.ease else { return };
        // As far as a cubic of the time that is left: quick at first, soft in the end.
        let before = ease.left;
        ease.left = (before - seconds).max(0.0);
        let left = (ease.left / before).powi(3);
        let Ease { zoom, cursor, held, .. } = *ease;
        self.zoom = if ease.left > 0.0 { zoom * (self.zoom / zoom).powf(left) } else { zoom };
        if ease.left == 0.0 {
            self.ease = None;
        }
        self.centre = held - (cursor - self.window * 0.5) / self.scale();
    }

    /// Brings a zoom that is under way to its end.
    fn settle(&mut self) {
        self.advance(f32::INFINITY);
    }

    /// Drags the map by `pixels`. The middle of the window stays on the map.
    pub fn pan(&mut self, pixels: Vec2) {
        self.settle();
        self.centre = (self.centre - pixels / self.scale()).clamp(Vec2::ZERO, self.map);
        self.fitted = None;
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
        if let Some(ease) = &mut self.ease {
            // A zoom that is under way goes on around the middle.
            let middle = Vec2::new(self.window.x + self.panel, self.window.y - self.bar) * 0.5;
            (ease.cursor, ease.held) = (middle, point);
        }
        self.fitted = None;
    }

    /// The point (m) in the middle of what the panels leave free.
    pub fn looks_at(&self) -> Vec2 {
        let [low, high] = self.clear_view();
        low.midpoint(high)
    }

    /// Where it is, to be [returned](Self::return_to) to: the point in the middle (m), and the zoom (pixels a metre).
    pub fn bookmark(&self) -> (Vec2, f32) {
        (self.looks_at(), self.goal())
    }

    /// Goes to where it was.
    pub fn return_to(&mut self, (point, zoom): (Vec2, f32)) {
        (self.ease, self.zoom) = (None, zoom);
        self.look_at(point);
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

    #[test]
    fn a_part_fits_beside_the_panels_whatever_the_window() {
        let mut camera = Camera::new(Vec2::new(400.0, 300.0), Vec2::new(1280.0, 720.0), 0.0);
        camera.set_slant(0.8);
        let part = [Vec2::new(150.0, 60.0), Vec2::new(250.0, 90.0)];
        camera.fit_part(part);
        camera.set_panels([264.0, 34.0]);
        for window in [Vec2::new(1280.0, 720.0), Vec2::new(900.0, 900.0)] {
            camera.resize(window);
            assert!(camera.is_fitted_to_part());
            let [low, high] = part.map(|corner| camera.to_pixel(corner));
            assert!(low.x > 264.0 && low.y > 0.0 && high.x < window.x && high.y < window.y - 34.0, "{low} {high}");
            assert!(high.x - low.x > 0.6 * (window.x - 264.0));
            assert!(camera.looks_at().distance(part[0].midpoint(part[1])) < 1.0);
        }
        // A single agent in a corner is not seen from as near as could be, nor is the land beyond the map.
        camera.fit_part([Vec2::ONE; 2]);
        assert!(camera.zoom < 30.0);
        assert!(camera.to_pixel(Vec2::ZERO).x >= 264.0);
    }

    #[test]
    fn a_zoom_comes_to_its_end_and_the_point_under_the_cursor_stays_on_the_way() {
        let mut camera = Camera::new(Vec2::new(512.0, 300.0), Vec2::new(1280.0, 720.0), 264.0);
        let (cursor, first) = (Vec2::new(900.0, 200.0), camera.zoom);
        let held = camera.to_world(cursor);
        camera.zoom_toward(cursor, 2.0);
        assert!(camera.is_moving() && camera.zoom.to_bits() == first.to_bits());
        let mut before = first;
        for _ in 0..3 {
            camera.advance(0.02);
            assert!(camera.zoom > before && camera.to_world(cursor).distance(held) < 0.01);
            before = camera.zoom;
        }
        // Another turn of the wheel on the way adds to the first.
        camera.zoom_toward(cursor, 2.0);
        assert!((camera.goal() - 4.0 * first).abs() < 1e-3);
        camera.advance(0.2);
        assert!(!camera.is_moving() && (camera.zoom - 4.0 * first).abs() < 1e-3);
        assert!(camera.to_world(cursor).distance(held) < 0.01);
        // Where it was is found again.
        let here = camera.bookmark();
        camera.pan(Vec2::new(90.0, 40.0));
        camera.return_to(here);
        assert!(camera.to_world(cursor).distance(held) < 0.01);
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
