//! The look of a battle made ready for the card.

use super::card::Rank;
use super::instances::{self, Instance};
use super::past::Past;
use super::signs::{sprite, view_of};
use super::{Oblique, Place};
use crate::camera::Camera;
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_scene::painter::clouds::{self, Material};
use throng_scene::sprite::{Atlas, Puff};

/// The sheet of signs (pixels), and the place of one.
const SIGN_SHEET: [u32; 2] = [2048, 2048];
const SIGN_SIZE: [u32; 2] = [80, 104];
const COLUMNS: u32 = SIGN_SHEET[0] / SIGN_SIZE[0];
/// Places of banners. Behind them is a row of clouds, then rings by their radius.
const BANNERS: u32 = COLUMNS * (SIGN_SHEET[1] / SIGN_SIZE[1] - 3);
/// The radius of clouds in the sheet (pixels); they are drawn in any size.
const CLOUD_RADIUS: u16 = 40;

/// The upper left corner of a place in the sheet (pixels).
fn place(slot: u32) -> [u32; 2] {
    [slot % COLUMNS * SIGN_SIZE[0], slot / COLUMNS * SIGN_SIZE[1]]
}

/// The picture of a place in the sheet, over the figures unless it has a foot.
fn sign(slot: u32, size: [u32; 2], corner: [i32; 2], seen: [u32; 2], foot: u16, opacity: f32) -> Instance {
    Instance {
        corner: corner.map(|part| part as i16),
        at: place(slot).map(|part| part as u16),
        size: size.map(|part| part as u16),
        anchor: seen.map(|part| part as i16),
        foot,
        ink: instances::INKS as u8,
        shade: (opacity.clamp(0.0, 1.0) * 255.0 + 0.5) as u8,
    }
}

impl Oblique {
    pub(super) fn prepare_card(&mut self, camera: &Camera, atlas: Option<&Arc<Atlas>>, past: &Past) {
        let Self { place: Place::Card(card), line, instances, fallen, laid, window, .. } = self else { return };
        if let Some(atlas) = atlas {
            card.take(atlas);
            let state = (camera.clone(), past.state(), Arc::as_ptr(atlas) as usize);
            if laid.as_ref() != Some(&state) {
                *laid = Some(state);
                line.up(super::bodies(past.lying(0)), atlas, camera, *window, fallen);
                card.write(Rank::Fallen, fallen);
            }
            card.write(Rank::Living, instances);
        }
        self.write_signs(camera);
        let [strokes, shadows] = &mut self.sprites;
        strokes.clear();
        shadows.clear();
        for arrow in &self.signs.arrows {
            shadows.push(sprite(&arrow.shadow(camera.zoom), camera));
            // The card's strokes have no rim.
            let strokes_of = arrow.strokes(camera.zoom).enumerate().filter(|(index, _)| *index != 1);
            strokes.extend(strokes_of.map(|(_, stroke)| sprite(&stroke, camera)));
        }
    }

    /// Sends rings, clouds and banners to the card.
    fn write_signs(&mut self, camera: &Camera) {
        let Self { place: Place::Card(card), instances, signs, banners, sheet, rings, ring_places, window, .. } = self
        else {
            return;
        };
        let sheet = sheet.get_or_insert_with(|| {
            let sheet = card.sheet(SIGN_SHEET);
            for (slot, (material, puff)) in (BANNERS..).zip(
                Material::ALL.iter().flat_map(|&material| Puff::all().into_iter().map(move |puff| (material, puff))),
            ) {
                let side = 2 * u32::from(CLOUD_RADIUS);
                let pixels = clouds::paint(&puff, material, CLOUD_RADIUS, 1.0);
                sheet.write(card.queue(), place(slot), [side; 2], &pixels, None);
            }
            sheet
        });
        instances.clear();
        let mut written = BTreeSet::new();
        for ring in ring_places.iter() {
            let slot = BANNERS + COLUMNS + ring.radius;
            let picture = rings.picture(ring.radius, camera.slant());
            let size = [picture.width as u32, (picture.pixels.len() / picture.width) as u32];
            if written.insert(ring.radius) {
                sheet.write(card.queue(), place(slot), size, &picture.pixels, None);
            }
            instances.push(sign(slot, size, ring.corner, size, ring.foot, 1.0));
        }
        card.write(Rank::Rings, instances);
        instances.clear();
        let seen = view_of(camera);
        for cloud in &signs.clouds {
            let radius = (cloud.radius * seen.scale + 0.5) as i32;
            let middle = seen.to_pixel(cloud.middle).floor();
            let [x, y] = (middle - radius as f32).to_array().map(|part| part as i32);
            let side = 2 * radius as u32;
            let [right, bottom] = window.map(|side| side as i32);
            let is_seen = x < right && y < bottom && x + 2 * radius > 0 && y + 2 * radius > 0;
            if radius > 0 && is_seen {
                let slot =
                    BANNERS + cloud.material as u32 * Puff::COUNT as u32 + u32::from(cloud.seed) % Puff::COUNT as u32;
                let full = [2 * u32::from(CLOUD_RADIUS); 2];
                instances.push(sign(slot, full, [x, y], [side; 2], u16::MAX, cloud.opacity));
            }
        }
        for (slot, (spot, banner)) in (0..BANNERS).zip(&signs.banners) {
            let (stamp, foot) = banners.stamp(banner);
            let size = [stamp.width as u32, stamp.height as u32];
            if size[0] > SIGN_SIZE[0] || size[1] > SIGN_SIZE[1] {
                continue;
            }
            sheet.write(card.queue(), place(slot), size, stamp.pixels, None);
            let corner = [spot.x.round() as i32 - foot.0, spot.y.round() as i32 - foot.1];
            instances.push(sign(slot, size, corner, size, u16::MAX, 1.0));
        }
        card.write(Rank::Signs, instances);
    }
}
