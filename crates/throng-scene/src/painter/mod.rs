//! Pictures of a battle, painted without a graphics card.
//!
//! | module | contents |
//! |---|---|
//! | [`canvas`] | pixels, and pictures laid on them |
//! | [`backdrop`] | all that stands still: the land, its trees, the fallen |
//! | [`watcher`] | a run followed from state to state |
//! | [`moment`] | what is seen of a state, placed in the picture |
//! | [`traces`] | what a battle leaves behind: the fallen, stuck arrows, dust, fire |
//! | [`battle_painter`] | moments painted on their backdrop |
//! | [`plants`] | trees, tufts and stones |
//! | [`arrows`] | arrows in the air and in the ground |
//! | [`banner`], [`emblem`] | a flag over each squad |
//! | [`clouds`] | dust, smoke and flames |
//! | [`companies`] | where squads stand, and how strong they are |
//! | [`sheets`], [`tones`] | sprites in the colours of the armies, in light and shade |
//! | [`director`] | a camera that goes to where the fighting is hottest |
//! | [`grade`] | the last touch of brightness and contrast |
//!
//! A [`Watcher`] follows a run and makes a [`Moment`] of each state that shall be painted; a [`BattlePainter`] paints it.
//! They are apart because a moment is small: a film keeps moments and paints those that are left at its end.

pub mod arrows;
pub mod backdrop;
pub mod banner;
pub mod battle_painter;
pub mod canvas;
pub mod clouds;
pub mod companies;
mod depth;
pub mod director;
pub mod emblem;
pub mod grade;
pub mod moment;
pub mod plants;
pub mod sheets;
pub mod tones;
pub mod traces;
pub mod watcher;

pub use battle_painter::BattlePainter;
pub use canvas::Canvas;
pub use director::Director;
pub use moment::Moment;
pub use watcher::Watcher;

#[cfg(test)]
mod tests;
