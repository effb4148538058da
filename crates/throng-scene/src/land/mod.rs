//! A map as a landscape: what its closed cells are, told by their shape, and where its ground is worn.

use throng_grid::geom::Vec2;
use throng_grid::{Lattice, Layer};

/// A closed line through these points (m); the last is joined to the first.
pub type Outline = Vec<Vec2>;

/// A disc on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its middle (m).
    pub centre: Vec2,
    /// Its radius (m).
    pub radius: f32,
}

/// A round tower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tower {
    /// Where it stands.
    pub disc: Disc,
    /// Whether it has a cone for a roof, as the towers of a keep; else it has a platform with battlements.
    pub is_roofed: bool,
}

/// A rectangle of any direction, under one gable roof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wing {
    /// Its middle (m).
    pub centre: Vec2,
    /// The unit vector along its longer side, which is that of the ridge.
    pub along: Vec2,
    /// Half its length (m).
    pub half_length: f32,
    /// Half its width (m).
    pub half_width: f32,
}

/// A house of up to four wings.
#[derive(Clone, Debug, PartialEq)]
pub struct House {
    /// Its parts; they may overlap.
    pub wings: Vec<Wing>,
}

/// What the closed cells of a map are, and what its open ground looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Land {
    /// The geometry of the map.
    pub lattice: Lattice,
    /// Thin walls with a walk on top.
    pub walls: Vec<Outline>,
    /// Thick square parts of walls, beside gates.
    pub blocks: Vec<Outline>,
    /// Towers of walls.
    pub towers: Vec<Tower>,
    /// Ditches with water, a little below the ground; also any water of the map.
    pub moats: Vec<Outline>,
    /// Hedges.
    pub hedges: Vec<Outline>,
    /// Houses.
    pub houses: Vec<House>,
    /// Trees, by their crowns.
    pub trees: Vec<Disc>,
    /// Single rocks.
    pub rocks: Vec<Disc>,
    /// What has fallen off walls: closed cells.
    pub rubble: Vec<Disc>,
    /// Where walls end without a tower (m): their heights fall off there.
    pub breaches: Vec<Vec2>,
    /// Stones strewn around breaches; for the eye alone.
    pub debris: Vec<Disc>,
    /// Whether a cell is enclosed by walls.
    pub inside: Layer<bool>,
    /// Whether a cell is in a paved court.
    pub court: Layer<bool>,
    /// How much of a wood a cell is in: squares of the radii of the trees around it (m²), blurred.
    pub wood: Layer<f32>,
    /// How worn by traffic a cell is, 0 to 1: roads from gate to gate.
    pub road: Layer<f32>,
    /// How far from the nearest closed cell a cell is (cells), at most 12.
    pub clearance: Layer<f32>,
}
