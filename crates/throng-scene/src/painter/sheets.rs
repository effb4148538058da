//! An atlas in the colours of all armies, graded as the backdrop is.

use super::canvas::Stamp;
use super::grade::Grade;
use super::tones::Drab;
use crate::sprite::{Atlas, Cell, Pose};
use throng_sim::battle::Look;
use throng_sim::world::ArmyId;

/// Sprites of figures in the colours of armies.
#[derive(Clone, Debug)]
pub struct Sheets {
    atlas: Atlas,
    /// By army, placed as the atlas is.
    tinted: Vec<Vec<[u8; 4]>>,
    graded: Vec<[u8; 4]>,
    colours: Vec<[u8; 3]>,
}

impl Sheets {
    /// Bakes some looks at so many pixels a metre, in the colours of armies. With them comes the leader.
    pub fn bake(scale: f32, looks: &[Look], colours: &[[u8; 3]], grade: &Grade) -> Self {
        let looks: Vec<Look> = looks.iter().copied().chain([Look::Leader]).collect();
        let atlas = Atlas::bake(scale, &looks);
        let colours = if colours.is_empty() { vec![[128; 3]] } else { colours.to_vec() };
        let tinted = colours.iter().map(|&colour| {
            let mut pixels = atlas.tinted(colour);
            grade.premultiplied(&mut pixels);
            pixels
        });
        let tinted = tinted.collect();
        let mut graded = atlas.pixels().to_vec();
        grade.premultiplied(&mut graded);
        Self { atlas, tinted, graded, colours }
    }

    /// The colour of an army; beyond the last they repeat.
    pub fn colour(&self, army: ArmyId) -> [u8; 3] {
        self.colours[army.index() % self.colours.len()]
    }

    /// The cell of a figure; that of a swordsman, or of the leader, where its look was not baked.
    pub fn cell(&self, look: Look, direction: u8, pose: Pose) -> Option<&Cell> {
        let cell = |look| self.atlas.cell(look, direction, pose);
        cell(look).or_else(|| cell(Look::Swordsman)).or_else(|| cell(Look::Leader))
    }

    /// The pixels of a cell in the colour of an army, and their shares of that colour from the same first pixel on.
    #[inline]
    pub fn stamp(&self, cell: &Cell, army: ArmyId) -> (Stamp<'_>, &[u8]) {
        let first = self.atlas.index(cell, 0);
        let pixels = &self.tinted[army.index() % self.tinted.len()][first..];
        let (width, height) = (usize::from(cell.width), usize::from(cell.height));
        (Stamp { width, height, stride: self.atlas.width(), pixels }, &self.atlas.shares()[first..])
    }

    /// A cell as of a fallen agent: drab and dark. The pixels are row by row.
    pub fn fallen(&self, cell: &Cell, army: ArmyId) -> Vec<[u8; 4]> {
        let drab = Drab::new(self.colour(army), self.atlas.scale());
        let mut out = Vec::with_capacity(usize::from(cell.width) * usize::from(cell.height));
        for row in 0..usize::from(cell.height) {
            let first = self.atlas.index(cell, row);
            let range = first..first + usize::from(cell.width);
            let pixels = self.graded[range.clone()].iter().zip(&self.atlas.shares()[range]);
            out.extend(pixels.map(|(&pixel, &share)| drab.pixel(pixel, share)));
        }
        out
    }
}
