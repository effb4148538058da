//! The look of a battle painted by the processor.

use super::past::Past;
use super::signs::view_of;
use super::{Backend, Oblique};
use crate::shell::camera::Camera;
use ggez::graphics::GraphicsContext;
use std::sync::Arc;
use throng_scene::painter::canvas::Stamp;
use throng_scene::sprite::Atlas;

impl Oblique {
    pub(super) fn paint(&mut self, gfx: &GraphicsContext, camera: &Camera, atlas: Option<&Arc<Atlas>>, past: &Past) {
        let Self { place: Backend::Processor(processor), line, instances, signs, banners, clouds, .. } = self else {
            return;
        };
        if let Some(atlas) = atlas {
            processor.take(atlas);
        }
        let window = self.window;
        processor.lay(camera, window, (past, self.complete), |changes, out| {
            if let Some(atlas) = atlas {
                line.up(super::bodies(changes), atlas, camera, window, out);
            }
        });
        let canvas = &mut processor.canvas;
        for arrow in &signs.arrows {
            arrow.shadow(camera.zoom).draw(canvas);
        }
        for ring in &self.ring_places {
            let picture = self.rings.picture(ring.radius, camera.slant());
            processor.stamp(Stamp::new(picture.width, &picture.pixels), ring.corner, ring.foot);
        }
        if atlas.is_some() {
            processor.paint(instances, camera);
        }
        let canvas = &mut processor.canvas;
        clouds.paint(&signs.clouds, view_of(camera), canvas);
        for arrow in &signs.arrows {
            arrow.strokes(camera.zoom).for_each(|stroke| stroke.draw(canvas));
        }
        for (spot, banner) in &signs.banners {
            let (stamp, (right, down)) = banners.stamp(banner);
            canvas.blend(stamp, spot.x.round() as i32 - right, spot.y.round() as i32 - down);
        }
        processor.write(gfx);
    }
}
