//! The map, and on it the content of a frame.

use super::caption::Caption;
use super::density::Density;
use super::legend::Legend;
use super::strength::Strength;
use super::{Camera, Picture, RenderOptions, palette};
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// Side of the mark of a death (m); one pixel at least.
const FALLEN_MARK_M: f32 = 0.5;

/// Draws the frames of one run, all of one size.
#[derive(Debug)]
pub(super) struct FrameRenderer {
    options: RenderOptions,
    camera: Camera,
    revision: u32,
    /// The map with the marks of all deaths so far.
    base: Picture,
    density: Option<Density>,
    strength: Option<Strength>,
    legend: Option<Legend>,
}

impl FrameRenderer {
    pub fn new(grid: &Grid, options: RenderOptions) -> Self {
        let (camera, width, height) = options.camera(grid);
        let base = Picture::view(grid, camera, width, height);
        Self {
            options,
            camera,
            revision: grid.revision(),
            density: options.overlays.density.then(|| Density::new(grid, camera, width, height)),
            strength: options.overlays.strength.then(|| Strength::new(&base)),
            legend: None,
            base,
        }
    }

    /// Takes in a state of the run, whether it is drawn or not: the present map and the deaths.
    pub fn show(&mut self, frame: &Frame) {
        if let Some(grid) = frame.grid.as_ref().filter(|grid| grid.revision() != self.revision) {
            self.revision = grid.revision();
            let map = Picture::view(grid, self.camera, self.base.width, self.base.height);
            let old = std::mem::replace(&mut self.base, map);
            for (pixel, old) in self.base.pixels.iter_mut().zip(old.pixels) {
                if old == palette::FALLEN {
                    *pixel = old;
                }
            }
            if let Some(density) = &mut self.density {
                *density = Density::new(grid, self.camera, self.base.width, self.base.height);
            }
        }
        let side = (FALLEN_MARK_M * self.camera.scale).round().max(1.0);
        for &place in &frame.fallen {
            let corner = (self.camera.to_pixel(place) - Vec2::splat((side - 1.0) * 0.5)).floor();
            self.base.fill(corner.x as i32, corner.y as i32, side as i32, side as i32, palette::FALLEN);
        }
        if let Some(strength) = &mut self.strength {
            strength.add(frame);
        }
    }

    /// The picture of a state.
    pub fn draw(&mut self, frame: &Frame) -> Picture {
        let mut picture = self.base.clone();
        let (camera, rows) = (self.camera, picture.height);
        if let Some(grid) = &frame.grid {
            for &(cell, share) in &frame.ramparts {
                picture.draw_cells(camera, grid.lattice(), [cell], palette::rampart(share));
            }
        }
        picture.draw_links(camera, &frame.links);
        let colours: Vec<u8> = frame.army.iter().map(|&army| palette::army(army.0.into())).collect();
        let agents = |picture: &mut Picture| {
            picture.draw_agents(camera, &frame.position, &frame.heading, &frame.radius, &colours);
        };
        match &mut self.density {
            // Bodies a few pixels wide would hide it.
            Some(density) if camera.scale < MIN_SEE_THROUGH_PX_PER_M => {
                agents(&mut picture);
                density.draw(&mut picture, camera, &frame.position);
            }
            Some(density) => {
                density.draw(&mut picture, camera, &frame.position);
                agents(&mut picture);
            }
            None => agents(&mut picture),
        }
        picture.draw_shots(camera, &frame.shots);
        if self.options.overlays.routes {
            picture.draw_routes(camera, &frame.remaining_routes);
        }
        if let Some(strength) = &self.strength {
            strength.draw(&mut picture, frame.time);
        }
        if self.options.legend {
            let legend = self
                .legend
                .get_or_insert_with(|| Legend::new(&frame.armies, self.options.overlays, camera.scale, picture.width));
            picture.height += legend.height();
            picture.pixels.resize(picture.width as usize * picture.height as usize, palette::BAR);
            legend.draw(&mut picture, rows, &Caption::of(frame));
        }
        picture
    }
}

/// The least zoom (pixels a metre) at which the ground is seen between the bodies of a crowd.
const MIN_SEE_THROUGH_PX_PER_M: f32 = 6.0;
