//! The panes of the planners in the window.

use crate::draw::int_rect::IntRect;
use throng_grid::geom::Vec2;

/// Pixels between panes (logical).
const GAP_PX: f32 = 8.0;
/// Height of the line at the bottom of the window (logical).
const FOOTER_HEIGHT_PX: f32 = 44.0;
/// From this width of a pane on (logical) its caption is one line.
const MIN_WIDE_CAPTION_PX: f32 = 590.0;
/// Height of a caption of one line and of two (logical).
const CAPTION_HEIGHTS_PX: [f32; 2] = [36.0, 58.0];
/// Two rows of two are taken unless another layout shows the map larger by this factor.
const TWO_ROWS_BONUS: f32 = 1.25;

/// A planner's part of the window (pixels).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pane {
    /// The map.
    pub map: IntRect,
    /// The caption below it.
    pub caption: IntRect,
}

/// The part of a pane that a pixel is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Map,
    Caption,
}

/// All panes; their maps are of one size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub panes: Vec<Pane>,
    /// The line at the bottom.
    pub footer: IntRect,
    /// True where captions are one line.
    pub wide: bool,
}

impl Layout {
    /// The columns and rows of panes that show a map of this size (m) largest, in a window (pixels) with
    /// `scale` pixels for a logical one, of which panels cover `covered` at the left and at the bottom.
    pub fn new(count: usize, window: Vec2, scale: f32, map: Vec2, covered: Vec2) -> Self {
        let window = (window - covered).max(Vec2::ONE);
        let before = covered.x as u32;
        let zoom = |columns: u32| {
            let (size, _) = Self::pane(count, columns, window, scale);
            let zoom = (size / map).min_element();
            if count == 4 && columns == 2 { zoom * TWO_ROWS_BONUS } else { zoom }
        };
        let columns = (1..=count.max(1) as u32).max_by(|&a, &b| zoom(a).total_cmp(&zoom(b)).then(b.cmp(&a)));
        let columns = columns.unwrap_or(1);
        let (size, wide) = Self::pane(count, columns, window, scale);
        let gap = (GAP_PX * scale).round() as u32;
        let caption = caption(wide, scale);
        let [width, height] = size.to_array().map(|side| side as u32);
        let panes = (0..count as u32).map(|index| {
            let left = before + gap + index % columns * (width + gap);
            let top = gap + index / columns * (height + caption + gap);
            let (right, bottom) = (left + width, top + height);
            Pane {
                map: IntRect { left, top, right, bottom },
                caption: IntRect { left, top: bottom, right, bottom: bottom + caption },
            }
        });
        let [right, bottom] = window.to_array().map(|side| side as u32);
        let top = bottom.saturating_sub((FOOTER_HEIGHT_PX * scale).round() as u32);
        Self { panes: panes.collect(), footer: IntRect { left: before, top, right: before + right, bottom }, wide }
    }

    /// Size of the map of a pane, in whole pixels, and whether its caption is one line.
    fn pane(count: usize, columns: u32, window: Vec2, scale: f32) -> (Vec2, bool) {
        let rows = (count.max(1) as u32).div_ceil(columns);
        let gap = (GAP_PX * scale).round();
        let share = |room: f32, parts: u32| (room - gap * (parts + 1) as f32) / parts as f32;
        let width = share(window.x, columns);
        let wide = width >= MIN_WIDE_CAPTION_PX * scale;
        // The last gap lies in the footer.
        let height = share(window.y - (FOOTER_HEIGHT_PX * scale).round() + gap, rows) - caption(wide, scale) as f32;
        (Vec2::new(width, height).floor().max(Vec2::ONE), wide)
    }

    /// The pane and its part that a pixel is in.
    pub fn at(&self, pixel: Vec2) -> Option<(usize, Part)> {
        self.panes.iter().enumerate().find_map(|(index, pane)| {
            let part = [(pane.map, Part::Map), (pane.caption, Part::Caption)];
            part.into_iter().find(|(area, _)| area.covers(pixel)).map(|(_, part)| (index, part))
        })
    }

    /// The pane whose map is nearest to a pixel.
    pub fn nearest(&self, pixel: Vec2) -> usize {
        let distance = |pane: &Pane| {
            let [left, top, right, bottom] =
                [pane.map.left, pane.map.top, pane.map.right, pane.map.bottom].map(|edge| edge as f32);
            pixel.distance_squared(pixel.clamp(Vec2::new(left, top), Vec2::new(right, bottom)))
        };
        let panes = self.panes.iter().enumerate();
        panes.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map_or(0, |(index, _)| index)
    }

    /// Size of the map of any pane (pixels).
    pub fn size(&self) -> Vec2 {
        self.panes.first().map_or(Vec2::ONE, |pane| pane.map.size())
    }
}

fn caption(wide: bool, scale: f32) -> u32 {
    (CAPTION_HEIGHTS_PX[usize::from(!wide)] * scale).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(layout: &Layout) -> usize {
        layout.panes.iter().filter(|pane| pane.map.top == layout.panes[0].map.top).count()
    }

    #[test]
    fn four_are_two_rows_of_two_and_others_as_the_map_asks() {
        let window = Vec2::new(1280.0, 720.0);
        let square = Vec2::splat(384.0);
        assert_eq!([1, 2, 3, 4].map(|n| columns(&Layout::new(n, window, 1.0, square, Vec2::ZERO))), [1, 2, 3, 2]);
        assert_eq!(columns(&Layout::new(2, window, 1.0, Vec2::new(1000.0, 100.0), Vec2::ZERO)), 1);
        assert_eq!(columns(&Layout::new(4, window, 1.0, Vec2::new(50.0, 500.0), Vec2::ZERO)), 4);
    }

    #[test]
    fn panes_are_of_one_size_inside_the_window_and_apart() {
        for window in [Vec2::new(1280.0, 720.0), Vec2::new(333.0, 251.0), Vec2::new(2000.0, 500.0)] {
            for (count, scale) in [(1, 1.0), (2, 1.5), (3, 1.0), (4, 1.0), (4, 2.0), (5, 1.0), (6, 1.0)] {
                let layout = Layout::new(count, window, scale, Vec2::new(64.0, 48.0), Vec2::ZERO);
                let all = || layout.panes.iter().flat_map(|pane| [pane.map, pane.caption]);
                for area in all() {
                    assert!(area.right as f32 <= window.x && !area.is_empty(), "{area:?} in {window}");
                    assert!(area.bottom <= layout.footer.top || window.y < 600.0, "{area:?} {window} {scale}");
                }
                for (index, pane) in layout.panes.iter().enumerate() {
                    assert_eq!((pane.map.width(), pane.map.height()), {
                        let size = layout.size();
                        (size.x as u32, size.y as u32)
                    });
                    let middle = |area: IntRect| {
                        Vec2::new((area.left + area.right) as f32, (area.top + area.bottom) as f32) * 0.5
                    };
                    assert_eq!(layout.at(middle(pane.map)), Some((index, Part::Map)));
                    assert_eq!(layout.at(middle(pane.caption)), Some((index, Part::Caption)));
                    assert_eq!(layout.nearest(middle(pane.caption)), index);
                }
            }
        }
        let layout = Layout::new(4, Vec2::new(1280.0, 720.0), 1.0, Vec2::ONE, Vec2::ZERO);
        assert_eq!(layout.at(Vec2::new(2.0, 2.0)), None);
    }

    #[test]
    fn a_panel_moves_the_panes_aside() {
        let layout = Layout::new(6, Vec2::new(1280.0, 720.0), 1.0, Vec2::splat(100.0), Vec2::new(264.0, 40.0));
        assert!(layout.panes.iter().all(|pane| pane.map.left >= 264 && pane.map.right <= 1280));
        assert_eq!(
            (columns(&layout), layout.footer.left, layout.footer.right, layout.footer.bottom),
            (3, 264, 1280, 680)
        );
    }
}
