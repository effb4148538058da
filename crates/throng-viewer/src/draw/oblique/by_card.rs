//! The look of a battle made ready for the card.

use super::card::{Card, InstanceLayer};
use super::instances::{self, Instance};
use super::past::Past;
use super::sheet::SheetTexture;
use super::signs::{sprite, view_of};
use super::stuck;
use super::{Backend, Oblique};
use crate::shell::camera::Camera;
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_scene::painter::clouds::{self, CloudMaterial};
use throng_scene::painter::moment::Change;
use throng_scene::sprite::{Atlas, Puff};

/// The sheet of signs (pixels), and the place of one.
const SIGN_SHEET: [u32; 2] = [2048, 2048];
const SIGN_SIZE: [u32; 2] = [80, 104];
const COLUMNS: u32 = SIGN_SHEET[0] / SIGN_SIZE[0];
/// Places of banners. Behind them are a row of clouds, two of stuck arrows, two of rings by their radius.
const BANNERS: u32 = COLUMNS * (SIGN_SHEET[1] / SIGN_SIZE[1] - 5);
const CLOUDS: u32 = BANNERS;
const STUCK: u32 = CLOUDS + COLUMNS;
const RINGS: u32 = STUCK + 2 * COLUMNS;
const _: () = assert!(stuck::KINDS <= 2 * COLUMNS, "stuck arrows have two rows");
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

/// A sheet with all clouds in it.
fn new_sheet(card: &Card) -> SheetTexture {
    let sheet = card.sheet(SIGN_SHEET);
    let puffs = Puff::all();
    let clouds = CloudMaterial::ALL.iter().flat_map(|material| puffs.iter().map(move |puff| (*material, puff)));
    for (slot, (material, puff)) in (CLOUDS..).zip(clouds) {
        let pixels = clouds::paint(puff, material, CLOUD_RADIUS, 1.0);
        sheet.write(card.queue(), place(slot), [2 * u32::from(CLOUD_RADIUS); 2], &pixels, None);
    }
    sheet
}

impl Oblique {
    pub(super) fn prepare_card(&mut self, camera: &Camera, atlas: Option<&Arc<Atlas>>, past: &Past) {
        let Self { place: Backend::Card(card), line, instances, fallen, laid, window, .. } = self else { return };
        if let Some(atlas) = atlas {
            card.take(atlas);
            card.write(InstanceLayer::Living, instances);
            let state = (camera.clone(), past.state(), Arc::as_ptr(atlas) as usize);
            if laid.as_ref() != Some(&state) {
                *laid = Some(state);
                line.up(super::bodies(past.lying(0)), atlas, camera, *window, fallen);
                card.write(InstanceLayer::Fallen, fallen);
                self.write_stuck(camera, past);
            }
        }
        self.write_signs(camera);
        let [strokes, shadows] = &mut self.sprites;
        strokes.clear();
        shadows.clear();
        for arrow in &self.signs.arrows {
            shadows.push(sprite(&arrow.shadow(camera.zoom), camera));
            strokes.extend(arrow.strokes(camera.zoom).map(|stroke| sprite(&stroke, camera)));
        }
    }

    /// Sends the arrows in the ground that are seen to the card.
    fn write_stuck(&mut self, camera: &Camera, past: &Past) {
        let Self { place: Backend::Card(card), instances, sheet, stuck, window, .. } = self else { return };
        let sheet = sheet.get_or_insert_with(|| new_sheet(card));
        instances.clear();
        if let Some((half, ratio)) = stuck.set_zoom(camera.zoom) {
            let horizon = instances::horizon(camera);
            let (size, seen) = ([2 * half; 2], [(2.0 * half as f32 * ratio).round() as u32; 2]);
            let [right, bottom] = window.map(|side| side as i32);
            let side = seen[0] as i32;
            for change in past.lying(0) {
                let &Change::Stuck { place, velocity } = change else { continue };
                let corner = (camera.to_pixel(place) - half as f32 * ratio).round().to_array().map(|part| part as i32);
                let [x, y] = corner;
                if x > right || y > bottom || x + side < 0 || y + side < 0 {
                    continue;
                }
                let kind = stuck::kind(velocity);
                if let Some(pixels) = stuck.draw(kind, half) {
                    sheet.write(card.queue(), self::place(STUCK + kind), size, &pixels, None);
                }
                instances.push(sign(STUCK + kind, size, corner, seen, instances::foot(place.y - horizon), 1.0));
            }
        }
        card.write(InstanceLayer::Stuck, instances);
    }

    /// Sends rings, clouds and banners to the card.
    fn write_signs(&mut self, camera: &Camera) {
        let Self { place: Backend::Card(card), instances, signs, banners, sheet, rings, ring_places, window, .. } =
            self
        else {
            return;
        };
        let sheet = sheet.get_or_insert_with(|| new_sheet(card));
        instances.clear();
        let mut written = BTreeSet::new();
        for ring in ring_places.iter() {
            let slot = RINGS + ring.radius;
            let picture = rings.picture(ring.radius, camera.slant());
            let size = [picture.width as u32, (picture.pixels.len() / picture.width) as u32];
            if written.insert(ring.radius) {
                sheet.write(card.queue(), place(slot), size, &picture.pixels, None);
            }
            instances.push(sign(slot, size, ring.corner, size, ring.foot, 1.0));
        }
        card.write(InstanceLayer::Rings, instances);
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
                    CLOUDS + cloud.material as u32 * Puff::COUNT as u32 + u32::from(cloud.seed) % Puff::COUNT as u32;
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
        card.write(InstanceLayer::Signs, instances);
    }
}
