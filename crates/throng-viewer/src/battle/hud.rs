//! How a battle ended, over the picture.

use crate::draw::overlay;
use egui::Rect;
use throng_sim::world::{Frame, Verdict};

/// How the battle ended, in words: "victory for red", "draw".
pub(super) fn result(frame: &Frame) -> Option<String> {
    Some(match frame.verdict? {
        Verdict::Winner(army) => {
            let name = frame.armies.get(usize::from(army.0)).map_or("an unknown army", |army| army.name.as_str());
            format!("victory for {name}")
        }
        Verdict::Draw => "draw".to_owned(),
    })
}

/// Draws why the simulation has stopped, at the top of `free`.
pub(super) fn lay_out(ui: &egui::Ui, free: Rect, failure: Option<&str>) {
    if let Some(failure) = failure {
        overlay::trouble(ui, free, &format!("the simulation has stopped: {failure}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::{ArmyCount, ArmyId};

    #[test]
    fn results_are_named() {
        let armies =
            ["red", "blue"].map(|name| ArmyCount { name: name.into(), alive: 1, ..ArmyCount::default() }).to_vec();
        let mut frame = Frame { armies, ..Frame::default() };
        assert_eq!(result(&frame), None);
        frame.verdict = Some(Verdict::Winner(ArmyId(1)));
        assert_eq!(result(&frame).as_deref(), Some("victory for blue"));
        frame.verdict = Some(Verdict::Draw);
        assert_eq!(result(&frame).as_deref(), Some("draw"));
    }
}
