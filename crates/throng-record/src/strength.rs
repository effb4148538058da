//! The living of each army over time, as a small graph in a corner.

use super::samples::Samples;
use super::{Picture, font, palette};
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// Times that are remembered at most.
const MAX_SAMPLES: usize = 1024;

/// A picture must be so wide and high (pixels) to have room for a graph.
const MIN_PICTURE_PX: (u32, u32) = (240, 120);

/// The living of each army so far.
#[derive(Debug)]
pub(super) struct Strength {
    /// Left, top, width, height of the graph (pixels); `None` where there is no room for one.
    place: Option<[i32; 4]>,
    /// The side of a dot of the font (pixels).
    size: u32,
    /// The living of each army.
    alive: Samples,
}

impl Strength {
    /// In the corner of a map with the least ground.
    pub fn new(map: &Picture) -> Self {
        let mut strength = Self { place: None, size: 1, alive: Samples::new(MAX_SAMPLES) };
        strength.fit(map);
        strength
    }

    /// Goes to the corner of another map with the least ground.
    pub fn fit(&mut self, map: &Picture) {
        let size = map.dot();
        self.size = size;
        self.place = (map.width >= MIN_PICTURE_PX.0 && map.height >= MIN_PICTURE_PX.1).then(|| {
            let (width, height) = ((map.width / 4).max(100), (map.height / 6).clamp(54, (map.width / 6).max(54)));
            let edge = 6 * size;
            let (right, bottom) = (map.width - width - edge, map.height - height - edge);
            let ground = |&(left, top): &(u32, u32)| {
                let row = |y: u32| &map.pixels[(y * map.width + left) as usize..][..width as usize];
                (top..top + height)
                    .map(|y| row(y).iter().filter(|&&pixel| !palette::is_wall(pixel)).count())
                    .sum::<usize>()
            };
            let corners = [(right, edge), (edge, edge), (right, bottom), (edge, bottom)];
            let (left, top) = corners.into_iter().min_by_key(ground).unwrap_or((edge, edge));
            [left, top, width, height].map(|pixels| pixels as i32)
        });
    }

    /// Takes in a state.
    pub fn add(&mut self, frame: &Frame) {
        self.alive.push(frame.time, frame.armies.iter().map(|army| f64::from(army.alive)));
    }

    /// Draws the curves up to a time (s).
    pub fn draw(&self, picture: &mut Picture, until: f64) {
        let Some([left, top, width, height]) = self.place else { return };
        let size = self.size as i32;
        let letters = font::HEIGHT as i32 * size;
        picture.fill(left, top, width, height, palette::BAR);
        let most = self.alive.most(0..self.alive.columns()).max(1.0);
        let (start, end) = self.alive.span();
        let end = end.min(until);
        let (pad, head) = (4 * size, letters + 8 * size);
        let most_text = super::legend::grouped(most as u64);
        let x = picture.draw_text(left + pad, top + pad, self.size, &most_text, palette::TEXT);
        picture.draw_text(x + pad, top + pad, self.size, "alive", palette::RULE);
        // The field of the curves.
        let (x0, x1) = ((left + pad) as f32, (left + width - pad) as f32);
        let (y0, y1) = ((top + head) as f32, (top + height - pad) as f32);
        for part in 0..=2 {
            let y = (y0 + (y1 - y0) * part as f32 / 2.0) as i32;
            picture.fill(left + pad, y, width - 2 * pad, 1, palette::RULE);
        }
        let span = (end - start).max(f64::MIN_POSITIVE);
        let x_of = |time: f64| x0 + (x1 - x0) * ((time - start) / span) as f32;
        let y_of = |alive: f64| y1 - (y1 - y0) * (alive / most) as f32;
        for army in 0..self.alive.columns() {
            let colour = palette::bright(palette::army(army as u32));
            let mut before = None;
            for (time, alive) in self.alive.curve(army).take_while(|&(time, _)| time <= end) {
                let point = Vec2::new(x_of(time), y_of(alive));
                match before {
                    // Less than a pixel further: the next one will tell.
                    Some(old) if point.distance_squared(old) < 1.0 && time != end => continue,
                    Some(old) => picture.draw_line(old, point, size as f32 + 0.5, colour),
                    None => {}
                }
                before = Some(point);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::ArmyCount;

    #[test]
    fn curves_go_from_the_first_tick_to_the_last() {
        let mut strength = Strength::new(&Picture::new(400, 300, palette::FLOOR));
        for tick in 0..10_000_u32 {
            let armies = [10_000 - tick, 5].map(|alive| ArmyCount { alive, ..ArmyCount::default() }).to_vec();
            strength.add(&Frame { time: f64::from(tick), armies, ..Frame::default() });
        }
        let mut picture = Picture::new(400, 300, palette::FLOOR);
        strength.draw(&mut picture, f64::INFINITY);
        let [left, top, width, height] = strength.place.unwrap();
        let is = |x: i32, y: i32, army: u32| {
            let colour = palette::bright(palette::army(army));
            (-2..=2).any(|dy| picture.pixels[((y + dy) * 400 + x) as usize] == colour)
        };
        // The first falls from the upper left to the lower right, the second lies at the bottom.
        assert_eq!(strength.size, 1);
        let (first, last) = (left + 4, left + width - 4);
        let (upper, lower) = (top + font::HEIGHT as i32 + 8, top + height - 4);
        assert!(is(first + 4, upper + 2, 0), "upper left");
        assert!(is(last - 6, lower - 3, 0), "lower right");
        assert!(is(i32::midpoint(first, last), lower, 1), "bottom");
    }
}
