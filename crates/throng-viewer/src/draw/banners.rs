//! Banners over the map: one a squad at any zoom, where there is room, and what is under the pointer.

use super::motion::Motion;
use super::oblique::view_of;
use super::order_sign;
use super::palette;
use super::style::PLATE;
use crate::Theme;
use crate::battle::groups::ControlGroups;
use crate::shell::camera::Camera;
use egui::{
    Align2, Color32, ColorImage, Context, Painter, Pos2, Rect, TextStyle, TextureHandle, TextureOptions, pos2, vec2,
};
use std::collections::{BTreeMap, BTreeSet};
use throng_grid::geom::Vec2;
use throng_scene::painter::banner::{Banner, Banners, Spot};
use throng_scene::painter::companies::{Company, MOST_BANNERS, banner_size, companies};
use throng_scene::sprite::look;
use throng_sim::world::{Frame, SquadId};

/// Of crowds larger than this the places of squads are found once a tick, and not as their soldiers slide.
const MAX_SLIDING_AGENTS: usize = 8_000;

/// What a banner covers from the foot of its pole: left, up, right and up to where (pixels at size 1).
const BANNER_EXTENT_PX: [f32; 4] = [-3.0, -42.0, 29.0, -14.0];

/// More signs of orders would cost a software driver more than all else: the other banners have none.
const MAX_SIGNS: usize = 100;

/// Pictures that are kept on the card.
const MAX_PICTURES: usize = 600;

/// The banners of so many squads have names by which tests know them.
const MAX_NAMED_BANNERS: u32 = 8;

/// A banner in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedBanner {
    pub squad: SquadId,
    /// The foot of its pole (pixels).
    pub spot: Spot,
    pub banner: Banner,
}

impl PlacedBanner {
    /// The corners of what it covers (pixels).
    fn corners(&self) -> [Vec2; 2] {
        let [left, top, right, bottom] = BANNER_EXTENT_PX.map(|part| part * self.banner.size);
        let foot = Vec2::new(self.spot.x, self.spot.y);
        [foot + Vec2::new(left, top), foot + Vec2::new(right, bottom)]
    }

    /// What it covers (points).
    pub fn area(&self, scale: f32) -> Rect {
        let [low, high] = self.corners().map(|corner| corner / scale);
        Rect::from_min_max(pos2(low.x, low.y), pos2(high.x, high.y))
    }
}

/// What is shown of a picture of a banner.
type Key = (u8, [u8; 3], u8, u8, u16, bool);

/// The banners of a frame.
#[derive(Default)]
pub(crate) struct BannerBoard {
    companies: Vec<Company>,
    seen: Option<u64>,
    places: Vec<Vec2>,
    /// Those that are shown, the selected ones first.
    pub placed: Vec<PlacedBanner>,
    stamps: Banners,
    pictures: BTreeMap<Key, (TextureHandle, Vec2)>,
}

impl BannerBoard {
    /// Places the banners of the squads that a camera sees in a window (pixels, of which `scale` are a point). Those that would
    /// lie over another are moved aside, or left out; selected squads come first, then large ones. O(agents), or O(squads) where
    /// nothing has moved, for crowds.
    pub fn gather(
        &mut self,
        (frame, motion): (&Frame, &Motion),
        selected: &BTreeSet<SquadId>,
        (camera, window, scale): (&Camera, Vec2, f32),
        theme: Theme,
    ) {
        if self.seen != Some(frame.tick) || frame.id.len() <= MAX_SLIDING_AGENTS {
            self.seen = Some(frame.tick);
            self.places.clear();
            self.places.extend((0..frame.id.len()).map(|row| motion.place(frame, row)));
            self.companies = companies(frame, &self.places);
        }
        let size = banner_size(camera.zoom / scale, window.x / scale) * scale;
        let view = view_of(camera);
        let at = |company: &Company| match theme {
            Theme::Plan => camera.to_pixel(company.place),
            Theme::Battle | Theme::Building => view.to_pixel(company.place.extend(look::height(company.banner.look))),
        };
        let seen = self.companies.iter().map(|company| (at(company), company));
        let seen = seen.filter(|(at, _)| at.cmpgt(Vec2::ZERO).all() && at.cmplt(window).all());
        let mut seen: Vec<(Vec2, &Company, bool)> =
            seen.map(|(at, company)| (at, company, selected.contains(&company.squad))).collect();
        seen.sort_by(|(_, a, is_a), (_, b, is_b)| {
            is_b.cmp(is_a).then(b.banner.size.total_cmp(&a.banner.size)).then(a.squad.cmp(&b.squad))
        });
        let mut room = TakenRoom::new(size);
        self.placed.clear();
        for (at, company, is_selected) in seen {
            if self.placed.len() == MOST_BANNERS {
                break;
            }
            let Some(at) = room.take(at) else { continue };
            let colour = palette::army_of(frame, theme, company.army.index());
            let banner = Banner { colour, is_selected, size: size * company.banner.size, ..company.banner };
            self.placed.push(PlacedBanner { squad: company.squad, spot: Spot { x: at.x, y: at.y }, banner });
        }
    }

    /// The squad whose banner is at a pixel.
    pub fn at(&self, pixel: Vec2) -> Option<&PlacedBanner> {
        self.placed.iter().find(|placed| {
            let [low, high] = placed.corners();
            pixel.cmpge(low).all() && pixel.cmple(high).all()
        })
    }

    /// Tells where the banners of the first squads are in the part of the window that panels leave free.
    pub fn tell(&self, places: &mut Vec<(crate::shell::panel_output::Name, Rect)>, scale: f32, free: Rect) {
        for placed in &self.placed {
            let area = placed.area(scale);
            if placed.squad.0 < MAX_NAMED_BANNERS && free.contains_rect(area) {
                places.push((format!("banner-{}", placed.squad).into(), area));
            }
        }
    }

    /// Where most of a squad stand (m).
    pub fn place_of(&self, squad: SquadId) -> Option<Vec2> {
        self.companies.iter().find(|company| company.squad == squad).map(|company| company.place)
    }

    /// Draws the banners themselves, where the plan is shown: a landscape has them already.
    pub fn draw(&mut self, painter: &Painter, scale: f32) {
        for placed in self.placed.iter().rev() {
            let banner = Banner { wave: 0.25, ..placed.banner };
            let (texture, foot) = picture(&mut self.pictures, &mut self.stamps, painter.ctx(), &banner);
            let corner = (Vec2::new(placed.spot.x, placed.spot.y) - *foot).round() / scale;
            let [width, height] = texture.size().map(|side| side as f32 / scale);
            let area = Rect::from_min_size(pos2(corner.x, corner.y), vec2(width, height));
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            painter.image(texture.id(), area, whole, Color32::WHITE);
        }
    }

    /// Draws the order of each squad beside its banner, and the number of its control group.
    pub fn draw_signs(&self, painter: &Painter, scale: f32, frame: &Frame, groups: &ControlGroups) {
        for (number, placed) in self.placed.iter().enumerate() {
            let area = placed.area(scale);
            let radius = (6.5 * placed.banner.size / scale).clamp(5.0, 9.0);
            let count = frame.squads.get(placed.squad.index()).filter(|_| number < MAX_SIGNS);
            if let Some(count) = count {
                order_sign::draw(painter, area.right_bottom() - vec2(radius * 0.5, radius * 0.3), radius, count.order);
            }
            if let Some(group) = groups.number_of(placed.squad) {
                let font = TextStyle::Small.resolve(&painter.ctx().global_style());
                let words = painter.layout_no_wrap(group.to_string(), font, Color32::WHITE);
                let place = Align2::RIGHT_TOP.anchor_size(area.left_top(), words.size());
                painter.rect_filled(place.expand2(vec2(3.0, 0.0)), 3.0, PLATE);
                painter.galley(place.min, words, Color32::WHITE);
            }
        }
    }

    /// The picture of a squad's flag for its card.
    pub fn picture(&mut self, context: &Context, banner: &Banner) -> &TextureHandle {
        &picture(&mut self.pictures, &mut self.stamps, context, banner).0
    }
}

/// The picture of a banner, and where the foot of its pole is in it (pixels).
fn picture<'a>(
    pictures: &'a mut BTreeMap<Key, (TextureHandle, Vec2)>,
    stamps: &mut Banners,
    context: &Context,
    banner: &Banner,
) -> &'a (TextureHandle, Vec2) {
    let steps = |share: f32, steps: f32| (share.clamp(0.0, 1.0) * steps).round() as u8;
    let key = (
        banner.look as u8,
        banner.colour,
        steps(banner.strength, 22.0),
        steps(banner.morale, 4.0),
        (banner.size * 64.0) as u16,
        banner.is_selected,
    );
    if pictures.len() > MAX_PICTURES && !pictures.contains_key(&key) {
        pictures.clear();
    }
    pictures.entry(key).or_insert_with(|| {
        let (stamp, (x, y)) = stamps.stamp(banner);
        let pixels = stamp.pixels.iter().map(|&[r, g, b, a]| Color32::from_rgba_premultiplied(r, g, b, a)).collect();
        let image = ColorImage::new([stamp.width, stamp.height], pixels);
        (context.load_texture("banner", image, TextureOptions::LINEAR), Vec2::new(x as f32, y as f32))
    })
}

/// The room that banners of a size have taken.
struct TakenRoom {
    size: f32,
    taken: BTreeMap<(i32, i32), Vec<Vec2>>,
}

impl TakenRoom {
    fn new(size: f32) -> Self {
        Self { size: size.max(0.1), taken: BTreeMap::new() }
    }

    fn apart(&self) -> Vec2 {
        Vec2::new(28.0, 26.0) * self.size
    }

    fn square(&self, at: Vec2) -> (i32, i32) {
        let square = (at / self.apart()).floor();
        (square.x as i32, square.y as i32)
    }

    fn is_free(&self, at: Vec2) -> bool {
        let (x, y) = self.square(at);
        let mut around = (-1..=1).flat_map(|right| (-1..=1).map(move |down| (x + right, y + down)));
        let is_clear = |other: &Vec2| !(at - *other).abs().cmplt(self.apart()).all();
        around.all(|square| self.taken.get(&square).is_none_or(|others| others.iter().all(is_clear)))
    }

    /// Takes the room of a banner at a pixel, or beside it, where there is some.
    fn take(&mut self, at: Vec2) -> Option<Vec2> {
        let aside = 29.0 * self.size;
        let places = [Vec2::ZERO, Vec2::new(aside, 0.0), Vec2::new(-aside, 0.0)].map(|by| at + by);
        let place = places.into_iter().find(|&place| self.is_free(place))?;
        self.taken.entry(self.square(place)).or_default().push(place);
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::{ArmyId, UnitId};

    /// Squads of one soldier each in a square of a side (m).
    fn crowd(count: usize, side: f32) -> Frame {
        let across = count.isqrt().max(1);
        let place = |i: usize| Vec2::new((i % across) as f32, (i / across) as f32) * (side / across as f32) + 1.0;
        Frame {
            id: (0..count as u32).collect(),
            squad: (0..count as u32).map(|squad| Some(SquadId(squad))).collect(),
            position: (0..count).map(place).collect(),
            army: vec![ArmyId(0); count],
            unit: vec![UnitId(0); count],
            health: vec![1.0; count],
            enlisted: vec![1; count],
            ..Frame::default()
        }
    }

    #[test]
    fn banners_of_five_thousand_squads_are_few_and_not_over_one_another() {
        let frame = crowd(5000, 500.0);
        let camera = Camera::new(Vec2::splat(512.0), Vec2::new(1280.0, 720.0), 0.0);
        let mut board = BannerBoard::default();
        let selected = BTreeSet::from([4321, 77].map(SquadId));
        let window = Vec2::new(1280.0, 720.0);
        board.gather((&frame, &Motion::default()), &selected, (&camera, window, 1.0), Theme::Plan);
        assert!(board.placed.len() > 50 && board.placed.len() <= MOST_BANNERS, "{} banners", board.placed.len());
        assert_eq!([0, 1].map(|first| board.placed[first].squad), [77, 4321].map(SquadId));
        for (i, one) in board.placed.iter().enumerate() {
            for other in &board.placed[..i] {
                let (x, y) = ((one.spot.x - other.spot.x).abs(), (one.spot.y - other.spot.y).abs());
                assert!(x >= 17.0 || y >= 15.0, "{one:?} is over {other:?}");
            }
        }
    }

    #[test]
    fn a_banner_is_found_where_it_is_seen() {
        let frame = crowd(4, 400.0);
        let camera = Camera::new(Vec2::splat(512.0), Vec2::new(1280.0, 720.0), 0.0);
        let mut board = BannerBoard::default();
        let window = Vec2::new(1280.0, 720.0);
        board.gather((&frame, &Motion::default()), &BTreeSet::new(), (&camera, window, 1.0), Theme::Plan);
        for squad in (0..4).map(SquadId) {
            let placed = board.placed.iter().find(|placed| placed.squad == squad).copied().unwrap();
            let middle = placed.area(1.0).center();
            assert_eq!(board.at(Vec2::new(middle.x, middle.y)).unwrap().squad, squad);
            assert!(board.at(camera.to_pixel(frame.position[squad.index()]) + Vec2::new(0.0, 5.0)).is_none());
        }
    }
}
