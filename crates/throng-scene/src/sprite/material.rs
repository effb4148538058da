//! What surfaces are made of.

/// How a surface looks at one level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coat {
    /// Red, green and blue, 1 = full; of army colour this is the factor of that colour.
    pub colour: [f32; 3],
    /// How much of it takes the army's colour, 0 to 1.
    pub army: f32,
    /// Strength of its highlight.
    pub gloss: f32,
}

impl Coat {
    const fn new(colour: [f32; 3], army: f32, gloss: f32) -> Self {
        Self { colour, army, gloss }
    }
}

/// What a surface is made of: how it looks from near, and what it turns into from afar, where only heads and colours count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// From near.
    pub near: Coat,
    /// From afar: brighter, and more of the army's colour.
    pub afar: Coat,
}

impl Material {
    /// A dull surface of one colour, from near and from afar.
    pub const fn plain(colour: [f32; 3]) -> Self {
        Self::glossy(colour, 0.0)
    }

    const fn glossy(colour: [f32; 3], gloss: f32) -> Self {
        let coat = Coat::new(colour, 0.0, gloss);
        Self { near: coat, afar: coat }
    }

    /// Its look between near (`simple` = 0) and afar (1).
    pub fn coat(&self, simple: f32) -> Coat {
        let mix = |a: f32, b: f32| a * (1.0 - simple) + b * simple;
        let (near, afar) = (&self.near, &self.afar);
        Coat {
            colour: [0, 1, 2].map(|i| mix(near.colour[i], afar.colour[i])),
            army: mix(near.army, afar.army),
            gloss: mix(near.gloss, afar.gloss),
        }
    }
}

const fn both(near: Coat, afar: Coat) -> Material {
    Material { near, afar }
}

const fn grey(value: f32) -> [f32; 3] {
    [value, value, value]
}

/// Cloth in the army's colour.
pub const ARMY: Material = both(Coat::new(grey(1.0), 1.0, 0.0), Coat::new(grey(1.08), 1.0, 0.0));
/// Cloth in a dark shade of the army's colour.
pub const ARMY_DARK: Material = both(Coat::new(grey(0.62), 1.0, 0.0), Coat::new(grey(0.9), 1.0, 0.0));
/// Sleeves in the army's colour.
pub const SLEEVE: Material = both(Coat::new(grey(0.80), 1.0, 0.0), Coat::new(grey(1.0), 1.0, 0.0));
/// Rings of iron.
pub const MAIL: Material = both(Coat::new([0.56, 0.57, 0.60], 0.25, 0.3), Coat::new(grey(1.0), 0.95, 0.0));
/// Polished helmets and bosses.
pub const STEEL: Material = both(Coat::new([0.60, 0.63, 0.68], 0.0, 0.55), Coat::new([1.32, 1.28, 1.12], 0.80, 0.25));
/// Dark iron.
pub const IRON: Material = both(Coat::new([0.44, 0.45, 0.48], 0.0, 0.35), Coat::new([1.1, 1.08, 1.0], 0.85, 0.0));
/// Blades and points.
pub const BLADE: Material = both(Coat::new([0.80, 0.83, 0.88], 0.0, 0.6), Coat::new(grey(1.0), 0.1, 0.0));
/// Gold.
pub const GOLD: Material = both(Coat::new([0.93, 0.74, 0.30], 0.0, 0.6), Coat::new([1.0, 0.9, 0.6], 0.3, 0.0));
/// Faces and hands.
pub const SKIN: Material = both(Coat::new([0.86, 0.64, 0.48], 0.0, 0.0), Coat::new([1.0, 0.88, 0.72], 0.4, 0.0));
/// Belts, trousers and quivers.
pub const LEATHER: Material = both(Coat::new([0.42, 0.29, 0.19], 0.0, 0.0), Coat::new([0.72, 0.70, 0.66], 0.85, 0.0));
/// Boots and tarred wood.
pub const DARK: Material = both(Coat::new([0.22, 0.18, 0.16], 0.0, 0.0), Coat::new([0.42, 0.38, 0.36], 0.5, 0.0));
/// Bleached linen.
pub const LINEN: Material = both(Coat::new([0.86, 0.80, 0.66], 0.0, 0.0), Coat::new([1.05, 1.0, 0.9], 0.6, 0.0));
/// Undyed wool, of those without arms: from afar it keeps its own colour, which tells them from soldiers.
pub const WOOL: Material = both(Coat::new([0.60, 0.51, 0.38], 0.0, 0.0), Coat::new([0.84, 0.76, 0.60], 0.22, 0.0));
/// Straw hats and baskets.
pub const STRAW: Material = both(Coat::new([0.84, 0.70, 0.40], 0.0, 0.0), Coat::new([1.12, 1.0, 0.70], 0.20, 0.0));
/// Turned wood.
pub const WOOD: Material = Material::plain([0.52, 0.38, 0.23]);
/// Sawn wood.
pub const PLANK: Material = Material::plain([0.58, 0.45, 0.30]);
/// Raw hide.
pub const HIDE: Material = Material::plain([0.50, 0.39, 0.29]);
/// A horse's coat.
pub const HORSE: Material = Material::glossy([0.44, 0.29, 0.19], 0.15);
/// A horse's mane and hoofs.
pub const MANE: Material = Material::plain([0.16, 0.12, 0.10]);
/// A giant's skin.
pub const OGRE: Material = Material::glossy([0.62, 0.60, 0.46], 0.05);
