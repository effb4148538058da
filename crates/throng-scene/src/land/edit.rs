//! What changes when cells open or close.

use super::components::{Component, flood};
use super::distance::distance;
use super::guesses::{SOLID, class, measured_again};
use super::kind::{Guess, Kind};
use super::parts::{Drawn, Part, debris};
use super::raster::{Raster, Window};
use super::{Disc, House, Land, MAX_CLEARANCE_CELLS, Outline, Tower};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid};

/// Parts of more cells keep their kind whatever happens to a few of them.
const LARGE_PART_CELLS: usize = 4000;

/// Breaches nearer than this to another are one (m).
const ONE_BREACH: f32 = 3.0;

impl Land {
    /// Follows an edit of the map: `cells` have opened or closed, or turned to water or from it; `grid` is the map after that.
    ///
    /// Parts that cells were taken from or added to are drawn anew; those that come apart become several. A part keeps its
    /// kind unless it is new or grew by a quarter. Where a wall was opened there is a breach. What is enclosed, paved, worn
    /// or wooded stays as it was. Returns the rectangles of the ground (m, lower and higher corner) that look
    /// different now. O(cells of the windows of those parts).
    pub fn edit(&mut self, grid: &Grid, cells: &[Cell]) -> Vec<(Vec2, Vec2)> {
        let mut cells: Vec<Cell> = cells.iter().copied().filter(|&cell| self.lattice.contains(cell)).collect();
        cells.sort_unstable();
        cells.dedup();
        let places: Vec<(usize, usize)> = cells.iter().map(|&cell| self.place(cell)).collect();
        let Some(window) = places.iter().map(|&(x, y)| Window::of(x, y)).reduce(|mut all, one| {
            all.join(one);
            all
        }) else {
            return Vec::new();
        };
        let mut touched: Vec<u32> = Vec::new();
        let mut opened: Vec<(usize, usize)> = Vec::new();
        for &(x, y) in &places {
            self.move_cell(grid, x, y, &mut touched, &mut opened);
        }
        touched.sort_unstable();
        touched.dedup();
        let before: Vec<Drawn> =
            touched.iter().map(|&number| self.guesses.parts[number as usize - 1].drawn.clone()).collect();
        let known = self.guesses.parts.len();
        for &number in &touched {
            self.draw_again(number, &places);
        }
        let mut boxes = Boxes::default();
        for (&number, before) in touched.iter().zip(&before) {
            boxes.compare(before, &self.guesses.parts[number as usize - 1].drawn);
        }
        for part in &self.guesses.parts[known..] {
            boxes.compare(&Drawn::default(), &part.drawn);
        }
        self.heal(grid, &mut boxes);
        self.wound(&opened, &mut boxes);
        self.mend_clearance(grid, window);
        for (&cell, &(x, y)) in cells.iter().zip(&places) {
            self.kinds[cell] = self.kind_at(x, y);
            if let Some(terrain) = &mut self.terrain {
                terrain[cell] = if grid.is_open(cell) { grid.terrain(cell) } else { 0 };
            }
        }
        self.gather();
        let size = self.lattice.cell_size;
        let corner = |x: usize, y: usize| Vec2::new(x as f32, y as f32) * size;
        boxes.add(corner(window.left, window.top), corner(window.right, window.bottom));
        boxes.merged()
    }

    /// Column and row of a cell.
    fn place(&self, cell: Cell) -> (usize, usize) {
        let (x, y) = self.lattice.column_row(cell);
        (x as usize, y as usize)
    }

    fn kind_at(&self, x: usize, y: usize) -> Kind {
        let number = self.guesses.label.at(x, y);
        if number == 0 { Kind::Open } else { self.guesses.parts[number as usize - 1].kind }
    }

    /// Takes a cell out of its part or puts it into one, and says which parts that touched.
    fn move_cell(&mut self, grid: &Grid, x: usize, y: usize, touched: &mut Vec<u32>, opened: &mut Vec<(usize, usize)>) {
        let class = class(grid, x, y);
        let guesses = &mut self.guesses;
        let old = guesses.label.at(x, y);
        let is_water = |number: u32, parts: &[Part]| parts[number as usize - 1].guess == Guess::Water;
        if old > 0 {
            let part = &mut guesses.parts[old as usize - 1];
            if class != 0 && (class == SOLID) != (part.guess == Guess::Water) {
                return;
            }
            if part.kind == Kind::Wall {
                opened.push((x, y));
            }
            part.cells -= 1;
            guesses.label.set(x, y, 0);
            touched.push(old);
        }
        if class == 0 {
            return;
        }
        // It joins the largest part beside it, and so do parts of the same kind.
        let beside =
            [(0, -1), (1, 0), (0, 1), (-1, 0)].map(|(dx, dy)| guesses.label.or(x as i32 + dx, y as i32 + dy, 0));
        let fits = |number: u32| number > 0 && is_water(number, &guesses.parts) == (class != SOLID);
        let into = beside.into_iter().filter(|&number| fits(number));
        let into = into.max_by_key(|&number| (guesses.parts[number as usize - 1].cells, std::cmp::Reverse(number)));
        let number = into.unwrap_or_else(|| {
            let guess = if class == SOLID { Guess::Small } else { Guess::Water };
            guesses.parts.push(Part {
                window: Window::of(x, y),
                cells: 0,
                width: 0.0,
                guess,
                kind: Kind::Open,
                is_fort: false,
                is_square: true,
                drawn: Drawn::default(),
            });
            guesses.parts.len() as u32
        });
        guesses.label.set(x, y, number);
        let part = &mut guesses.parts[number as usize - 1];
        part.cells += 1;
        part.window.join(Window::of(x, y));
        touched.push(number);
        let kind = part.kind;
        for other in beside {
            if other > 0 && other != number && guesses.parts[other as usize - 1].kind == kind && kind != Kind::Open {
                guesses.merge(other, number);
                touched.push(other);
            }
        }
    }

    /// Draws a part anew, and the parts into which it has come apart.
    fn draw_again(&mut self, number: u32, places: &[(usize, usize)]) {
        let parent = self.guesses.parts[number as usize - 1].clone();
        if parent.cells == 0 {
            self.guesses.parts[number as usize - 1].drawn = Drawn::default();
            return;
        }
        for (piece, (number, component)) in self.guesses.pieces(number).into_iter().enumerate() {
            let part = self.guesses.guess_again(number, component, &parent, piece == 0, places);
            let is_other = part.kind != parent.kind;
            self.guesses.parts[number as usize - 1] = part;
            let Window { left, top, right, bottom } = component.window;
            for y in if is_other { top..bottom } else { 0..0 } {
                for x in left..right {
                    if self.guesses.label.at(x, y) == number {
                        let cell = self.lattice.cell(x as u32, y as u32);
                        self.kinds[cell] = self.kind_at(x, y);
                    }
                }
            }
        }
    }

    /// Breaches that are closed again are none.
    fn heal(&mut self, grid: &Grid, boxes: &mut Boxes) {
        let wounds = &mut self.guesses.wounds;
        let lattice = self.lattice;
        let healed: Vec<Vec2> =
            wounds.breaches.iter().copied().filter(|&breach| !grid.is_open(lattice.at(breach))).collect();
        if healed.is_empty() {
            return;
        }
        let kept = std::mem::take(&mut wounds.breaches);
        let before = std::mem::take(&mut wounds.debris);
        for breach in kept.into_iter().filter(|breach| !healed.contains(breach)) {
            wounds.breaches.push(breach);
            debris(breach, &mut wounds.debris);
        }
        boxes.discs(&before);
        boxes.points(&healed);
    }

    /// Opened cells of walls are breaches: one in the middle of those that hang together.
    fn wound(&mut self, opened: &[(usize, usize)], boxes: &mut Boxes) {
        let size = self.lattice.cell_size;
        let mut left = opened.to_vec();
        while let Some(first) = left.pop() {
            let mut group = vec![first];
            let mut next = 0;
            while let Some(&(x, y)) = group.get(next) {
                let is_beside = |&(a, b): &(usize, usize)| a.abs_diff(x) <= 1 && b.abs_diff(y) <= 1;
                while let Some(at) = left.iter().position(is_beside) {
                    group.push(left.swap_remove(at));
                }
                next += 1;
            }
            let sum: Vec2 = group.iter().map(|&(x, y)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5)).sum();
            let mean = sum / group.len() as f32;
            // In the middle of the opened cell next to that, so that one sees whether it is closed again.
            let nearest = group.iter().map(|&(x, y)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
            let nearest = nearest.min_by(|a, b| a.distance_squared(mean).total_cmp(&b.distance_squared(mean)));
            let breach = nearest.unwrap_or(mean) * size;
            let wounds = &mut self.guesses.wounds;
            if wounds.breaches.iter().all(|other| other.distance(breach) > ONE_BREACH) {
                let known = wounds.debris.len();
                wounds.breaches.push(breach);
                debris(breach, &mut wounds.debris);
                boxes.discs(&wounds.debris[known..]);
                boxes.points(&[breach]);
            }
        }
    }

    /// The clearance around changed cells.
    fn mend_clearance(&mut self, grid: &Grid, window: Window) {
        let (width, height) = (self.lattice.width as usize, self.lattice.height as usize);
        let reach = MAX_CLEARANCE_CELLS as usize + 1;
        let inner = window.grown(reach, width, height);
        let outer = inner.grown(reach, width, height);
        let closed =
            Raster::from_fn(outer.width(), outer.height(), |x, y| class(grid, x + outer.left, y + outer.top) != 0);
        let clearance = distance(&closed);
        for y in inner.top..inner.bottom {
            for x in inner.left..inner.right {
                let cell = self.lattice.cell(x as u32, y as u32);
                self.clearance[cell] = clearance.at(x - outer.left, y - outer.top).min(MAX_CLEARANCE_CELLS);
            }
        }
    }
}

impl super::guesses::Guesses {
    /// What a piece of a part is after an edit of these places, and what is drawn for it.
    fn guess_again(
        &self,
        number: u32,
        component: Component,
        parent: &Part,
        is_first: bool,
        places: &[(usize, usize)],
    ) -> Part {
        let Component { window, cells } = component;
        let mut part = Part { window, cells, ..parent.clone() };
        let is_new = parent.kind == Kind::Open;
        let added = places.iter().filter(|&&(x, y)| self.label.at(x, y) == number).count();
        if parent.guess == Guess::Water {
            part.kind = Kind::Water;
        } else if cells <= LARGE_PART_CELLS && (is_new || added * 4 > cells) {
            let (again, shape) = measured_again(&self.label, number, window, cells, self.metre);
            part = again;
            part.kind = self.around().kind(&self.label, number, &part, shape.as_ref());
        } else if parent.kind == Kind::Wall && !is_first && (cells as f32) < 9.0 * self.metre * self.metre {
            part.kind = Kind::Rubble;
        }
        part.drawn = self.around().draw(&self.label, number, &part);
        part
    }

    /// Puts the cells of one part into another.
    fn merge(&mut self, from: u32, into: u32) {
        let gone = &mut self.parts[from as usize - 1];
        let (window, cells) = (gone.window, gone.cells);
        gone.cells = 0;
        for y in window.top..window.bottom {
            for x in window.left..window.right {
                if self.label.at(x, y) == from {
                    self.label.set(x, y, into);
                }
            }
        }
        let part = &mut self.parts[into as usize - 1];
        part.cells += cells;
        part.window.join(window);
    }

    /// The pieces into which a part has come apart, the largest first: that keeps the number, others get new ones.
    fn pieces(&mut self, number: u32) -> Vec<(u32, Component)> {
        let window = self.parts[number as usize - 1].window;
        let class = self.label.cut(window, |label| u8::from(label == number));
        let mut local = class.map(|_| 0_u32);
        let (mut found, mut stack): (Vec<Component>, _) = (Vec::new(), Vec::new());
        for start in 0..class.cells.len() {
            if class.cells[start] != 0 && local.cells[start] == 0 {
                found.push(flood(&class, &mut local, start, found.len() as u32 + 1, &mut stack));
            }
        }
        let largest = (0..found.len()).max_by_key(|&at| (found[at].cells, std::cmp::Reverse(at))).unwrap_or(0);
        let parent = self.parts[number as usize - 1].clone();
        let mut pieces = Vec::new();
        for (at, &Component { window: piece, cells }) in found.iter().enumerate() {
            let shifted = Window {
                left: piece.left + window.left,
                top: piece.top + window.top,
                right: piece.right + window.left,
                bottom: piece.bottom + window.top,
            };
            let component = Component { window: shifted, cells };
            if at == largest {
                pieces.insert(0, (number, component));
                continue;
            }
            self.parts.push(Part { drawn: Drawn::default(), ..parent.clone() });
            let own = self.parts.len() as u32;
            for y in piece.top..piece.bottom {
                for x in piece.left..piece.right {
                    if local.at(x, y) == at as u32 + 1 {
                        self.label.set(x + window.left, y + window.top, own);
                    }
                }
            }
            pieces.push((own, component));
        }
        pieces
    }
}

/// More changed edges than these lie in one box.
const MANY_EDGES: usize = 1000;

/// Rectangles of what looks different (m).
#[derive(Default)]
struct Boxes(Vec<(Vec2, Vec2)>);

/// How far what is drawn reaches beyond its outline (m): parapets, eaves.
const DRAWN_MARGIN_M: f32 = 1.5;

impl Boxes {
    fn add(&mut self, low: Vec2, high: Vec2) {
        self.0.push((low - DRAWN_MARGIN_M, high + DRAWN_MARGIN_M));
    }

    fn points(&mut self, points: &[Vec2]) {
        let low = points.iter().copied().reduce(Vec2::min);
        let high = points.iter().copied().reduce(Vec2::max);
        if let (Some(low), Some(high)) = (low, high) {
            self.add(low, high);
        }
    }

    fn discs(&mut self, discs: &[Disc]) {
        let low = discs.iter().map(|disc| disc.centre - disc.radius).reduce(Vec2::min);
        let high = discs.iter().map(|disc| disc.centre + disc.radius).reduce(Vec2::max);
        if let (Some(low), Some(high)) = (low, high) {
            self.add(low, high);
        }
    }

    /// What one drawing has and the other has not.
    fn compare(&mut self, old: &Drawn, new: &Drawn) {
        for (old, new) in [
            (&old.walls, &new.walls),
            (&old.blocks, &new.blocks),
            (&old.moats, &new.moats),
            (&old.hedges, &new.hedges),
            (&old.cliffs, &new.cliffs),
            (&old.partitions, &new.partitions),
        ] {
            self.outlines(old, new);
        }
        for (old, new) in
            [(&old.trees, &new.trees), (&old.rocks, &new.rocks), (&old.rubble, &new.rubble), (&old.debris, &new.debris)]
        {
            let (old, new) = differing(old, new);
            self.discs(old);
            self.discs(new);
        }
        let (towers, towers_now) = differing(&old.towers, &new.towers);
        for tower in towers.iter().chain(towers_now) {
            let Tower { disc, .. } = *tower;
            self.discs(&[disc]);
        }
        let (houses, houses_now) = differing(&old.houses, &new.houses);
        for House { wings, .. } in houses.iter().chain(houses_now) {
            for wing in wings {
                let reach = wing.along.abs() * wing.half_length + wing.along.perp().abs() * wing.half_width;
                self.add(wing.centre - reach, wing.centre + reach);
            }
        }
        let (breaches, breaches_now) = differing(&old.breaches, &new.breaches);
        self.points(breaches);
        self.points(breaches_now);
    }

    fn outlines(&mut self, old: &[Outline], new: &[Outline]) {
        let (old, new) = differing(old, new);
        if let ([old], [new]) = (old, new) {
            // One line has changed: the part of it that has, with a point more on either side.
            let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
            let most = old.len().min(new.len()) - same;
            let same_end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
            for line in [old, new] {
                let part = line.len() + 2 - same - same_end;
                let points: Vec<Vec2> = (0..part).map(|at| line[(same + line.len() - 1 + at) % line.len()]).collect();
                self.points(&points);
            }
            return;
        }
        // What is filled differs inside of the closed lines that the edges of only one of both make up.
        let mut edges: Vec<[u32; 5]> = Vec::new();
        for (lines, side) in [(old, 0), (new, 1)] {
            for line in lines {
                for (a, b) in line.iter().zip(line.iter().cycle().skip(1)) {
                    edges.push([a.x.to_bits(), a.y.to_bits(), b.x.to_bits(), b.y.to_bits(), side]);
                }
            }
        }
        edges.sort_unstable();
        let mut single: Vec<(Vec2, Vec2)> = Vec::new();
        let mut at = 0;
        while at < edges.len() {
            let has_twin = edges.get(at + 1).is_some_and(|next| next[..4] == edges[at][..4]);
            if !has_twin {
                let [a, b, c, d, _] = edges[at].map(f32::from_bits);
                single.push((Vec2::new(a, b), Vec2::new(c, d)));
            }
            at += if has_twin { 2 } else { 1 };
        }
        if single.len() > MANY_EDGES {
            let all: Vec<Vec2> = single.drain(..).flat_map(|(a, b)| [a, b]).collect();
            self.points(&all);
        }
        // Edges that follow each other lie in one box.
        while let Some((from, to)) = single.pop() {
            let mut points = vec![from, to];
            let mut next = 0;
            while let Some(&point) = points.get(next) {
                while let Some(at) = single.iter().position(|&(a, b)| a == point || b == point) {
                    let (a, b) = single.swap_remove(at);
                    points.push(if a == point { b } else { a });
                }
                next += 1;
            }
            self.points(&points);
        }
    }

    /// Rectangles that meet are one.
    fn merged(mut self) -> Vec<(Vec2, Vec2)> {
        let mut merged: Vec<(Vec2, Vec2)> = Vec::new();
        while let Some((mut low, mut high)) = self.0.pop() {
            while let Some(at) = merged.iter().position(|&(a, b)| low.cmple(b).all() && a.cmple(high).all()) {
                let (a, b) = merged.swap_remove(at);
                (low, high) = (low.min(a), high.max(b));
            }
            merged.push((low, high));
        }
        merged
    }
}

/// Two lists without what they begin and end with alike.
fn differing<'a, T: PartialEq>(old: &'a [T], new: &'a [T]) -> (&'a [T], &'a [T]) {
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[same..], &new[same..]);
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    (&old[..old.len() - same], &new[..new.len() - same])
}
