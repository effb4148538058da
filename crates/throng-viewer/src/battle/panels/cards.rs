//! Squad cards along the bottom: one a squad, grouped by army.

use super::facts::BattleFacts;
use crate::battle::action::BattleAction;
use crate::battle::groups::ControlGroups;
use crate::battle::selection::Pick;
use crate::battle::squad_table::{SquadRow, SquadTable};
use crate::draw::banners::BannerBoard;
use crate::draw::ink::color;
use crate::draw::order_sign;
use crate::shell::panel_output::PanelOutput;
use egui::{
    Align, Color32, Context, CornerRadius, Label, Layout, Panel, Pos2, Rect, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use std::collections::BTreeSet;
use throng_scene::painter::banner::Banner;
use throng_sim::world::{ArmyId, SquadId};

/// A card (points).
const CARD: egui::Vec2 = vec2(118.0, 62.0);
const GAP_PX: f32 = 5.0;
/// Heights of the panel (points): open, and folded into one row.
const OPEN_HEIGHT_PX: f32 = 102.0;
const FOLDED_HEIGHT_PX: f32 = 30.0;
/// In a window that is lower than this (points) there are no cards, unless they were asked for.
const MIN_WINDOW_HEIGHT_PX: f32 = 500.0;
/// The variable that begins without cards where it is `none`.
const CARDS_VARIABLE: &str = "THRONG_CARDS";
const SELECTED: Color32 = Color32::from_rgb(255, 244, 170);
const CARD_FILL: Color32 = Color32::from_rgb(36, 40, 48);
const BAR_FILL: Color32 = Color32::from_rgb(14, 15, 18);
const HEALTH: Color32 = Color32::from_rgb(64, 200, 110);
const MORALE: Color32 = Color32::from_rgb(120, 176, 244);

/// Whether cards are shown, and which.
pub(crate) struct Cards {
    /// What the user asked for.
    asked: Option<bool>,
    begins: bool,
    /// The army that alone is shown.
    army: Option<ArmyId>,
    is_open: bool,
}

impl Default for Cards {
    fn default() -> Self {
        let begins = std::env::var(CARDS_VARIABLE).as_deref() != Ok("none");
        Self { asked: None, begins, army: None, is_open: false }
    }
}

/// All that cards show beside the facts.
pub(crate) struct Deck<'a> {
    pub table: &'a SquadTable,
    pub board: &'a mut BannerBoard,
    pub groups: &'a ControlGroups,
    pub selected: &'a BTreeSet<SquadId>,
}

impl Cards {
    /// True while they are open.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Opens or folds them.
    pub fn turn(&mut self) {
        self.asked = Some(!self.is_open);
    }

    /// Lays them out above what is at the bottom already.
    pub fn lay_out(
        &mut self,
        ui: &mut Ui,
        facts: &BattleFacts<'_>,
        deck: &mut Deck<'_>,
        output: &mut PanelOutput<BattleAction>,
    ) {
        let has_room = ui.ctx().content_rect().height() >= MIN_WINDOW_HEIGHT_PX;
        let has_cards = !deck.table.rows().is_empty();
        self.is_open = has_cards && self.asked.unwrap_or(has_room && self.begins);
        if !has_cards || !(self.is_open || has_room && self.begins) {
            return;
        }
        let height = if self.is_open { OPEN_HEIGHT_PX } else { FOLDED_HEIGHT_PX };
        Panel::bottom("cards").exact_size(height).show(ui, |ui| {
            self.head(ui, facts, output);
            if self.is_open {
                self.strip(ui, facts, deck, output);
            }
        });
    }

    /// The button that folds them, and the choice of an army.
    fn head(&mut self, ui: &mut Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
        ui.horizontal(|ui| {
            let sign = if self.is_open { "⏷ squads" } else { "⏵ squads" };
            let fold = ui.button(sign).on_hover_text("open or fold the squad cards  (J)");
            output.on_press("cards-fold", &fold, BattleAction::Cards);
            if !self.is_open {
                return;
            }
            let all = ui.selectable_label(self.army.is_none(), "all").on_hover_text("cards of all armies");
            if output.has("cards-all", &all) {
                self.army = None;
            }
            ScrollArea::horizontal().id_salt("armies").show(ui, |ui| {
                for (id, army) in (0..).map(ArmyId).zip(&facts.frame.armies) {
                    let name = RichText::new(&army.name).color(crate::draw::ink::ink(facts.army(id.index())));
                    let is_on = self.army == Some(id);
                    let choice = ui.selectable_label(is_on, name);
                    let choice = choice.on_hover_text(format!("cards of {} alone", army.name));
                    let pressed = output.has(format!("cards-army-{id}"), &choice);
                    if pressed {
                        self.army = Some(id).filter(|_| !is_on);
                    }
                }
            });
        });
    }

    /// The cards, of which only those that are seen are laid out.
    fn strip(
        &mut self,
        ui: &mut Ui,
        facts: &BattleFacts<'_>,
        deck: &mut Deck<'_>,
        output: &mut PanelOutput<BattleAction>,
    ) {
        let rows = deck.table.rows();
        // They come by army.
        let start = self.army.map_or(0, |army| rows.partition_point(|row| row.army < army));
        let end = self.army.map_or(rows.len(), |army| rows.partition_point(|row| row.army <= army));
        let rows = &rows[start..end];
        let step = CARD.x + GAP_PX;
        let scroll = ScrollArea::horizontal().id_salt("squads").auto_shrink(false).show_viewport(ui, |ui, seen| {
            let corner = ui.max_rect().min;
            ui.allocate_rect(Rect::from_min_size(corner, vec2(step * rows.len() as f32, CARD.y)), Sense::hover());
            let first = (seen.left() / step).max(0.0) as usize;
            let last = ((seen.right() / step).max(0.0) as usize + 1).min(rows.len());
            for (index, row) in rows.iter().enumerate().take(last).skip(first) {
                let place = Rect::from_min_size(corner + vec2(step * index as f32, 0.0), CARD);
                card(ui, place, row, facts, deck, output);
            }
        });
        output.place("scroll-cards", scroll.inner_rect);
    }
}

fn card(
    ui: &mut Ui,
    place: Rect,
    row: &SquadRow,
    facts: &BattleFacts<'_>,
    deck: &mut Deck<'_>,
    output: &mut PanelOutput<BattleAction>,
) {
    let response = ui.interact(place, ui.id().with(("card", row.squad)), Sense::click());
    output.has(format!("card-{}", row.squad), &response);
    let is_selected = deck.selected.contains(&row.squad);
    let painter = ui.painter();
    painter.rect_filled(place, 4.0, CARD_FILL);
    let army = color(facts.army(row.army.index()));
    let band = Rect::from_min_max(place.min, pos2(place.left() + 4.0, place.bottom()));
    painter.rect_filled(band, CornerRadius { nw: 4, sw: 4, ne: 0, se: 0 }, army);
    let pen = if is_selected {
        Stroke::new(2.5, SELECTED)
    } else {
        Stroke::new(1.0, if response.hovered() { Color32::WHITE } else { Color32::from_gray(90) })
    };
    painter.rect_stroke(place, 4.0, pen, StrokeKind::Inside);
    flag(ui.ctx(), painter, place.min + vec2(7.0, 4.0), row, facts, deck.board);
    let inner = Rect::from_min_max(place.min + vec2(36.0, 2.0), place.max - vec2(5.0, 0.0));
    let mut part = ui.new_child(UiBuilder::new().max_rect(inner).layout(Layout::top_down(Align::Min)));
    part.spacing_mut().item_spacing = vec2(4.0, 1.0);
    part.horizontal(|ui| {
        if let Some(group) = deck.groups.number_of(row.squad) {
            ui.strong(group.to_string());
        }
        ui.add(Label::new(row.kind(facts.frame)).truncate().selectable(false));
    });
    part.horizontal(|ui| {
        let words = if row.living == row.all { row.all.to_string() } else { format!("{}/{}", row.living, row.all) };
        ui.add(Label::new(words).truncate().selectable(false));
        if let Some(shots) = row.shots {
            ui.add(Label::new(RichText::new(format!("»{shots}")).weak()).truncate().selectable(false));
        }
    });
    let painter = ui.painter();
    if let Some(order) = row.order {
        order_sign::draw(painter, pos2(place.left() + 18.0, place.bottom() - 12.0), 8.0, order);
    }
    // Health is a full bar, morale a thinner one: they are told apart without their colours.
    bar(painter, pos2(inner.left(), place.bottom() - 18.0), [inner.width(), 6.0], row.health * share(row), HEALTH);
    bar(painter, pos2(inner.left(), place.bottom() - 9.0), [inner.width(), 3.0], row.morale * share(row), MORALE);
    if row.living == 0 {
        painter.line_segment([place.left_top(), place.right_bottom()], Stroke::new(1.5, Color32::from_gray(150)));
    }
    if response.double_clicked() {
        output.actions.push(BattleAction::Pick(row.squad, Pick::Kind { adds: false }));
    } else if response.clicked() {
        let keys = ui.input(|input| input.modifiers);
        let pick = if keys.shift || keys.command { Pick::Toggle } else { Pick::Only };
        output.actions.push(BattleAction::Pick(row.squad, pick));
    }
    response.on_hover_ui(|ui| {
        ui.label(row.words(facts.frame, facts.reply, deck.groups));
    });
}

/// 1 where a member lives.
fn share(row: &SquadRow) -> f32 {
    if row.living > 0 { 1.0 } else { 0.0 }
}

/// The squad's flag with its emblem.
fn flag(
    context: &Context,
    painter: &egui::Painter,
    corner: Pos2,
    row: &SquadRow,
    facts: &BattleFacts<'_>,
    board: &mut BannerBoard,
) {
    let colour = facts.army(row.army.index());
    let banner =
        Banner { look: row.look, colour, strength: 1.0, morale: 1.0, size: 1.0, wave: 0.25, is_selected: false };
    let picture = board.picture(context, &banner);
    // Its cloth alone: from the pole, 26 by 16 pixels.
    let [width, height] = picture.size().map(|side| side as f32);
    let cloth = Rect::from_min_max(pos2(2.0 / width, 4.0 / height), pos2(32.0 / width, 25.0 / height));
    painter.image(picture.id(), Rect::from_min_size(corner, vec2(27.0, 19.0)), cloth, Color32::WHITE);
}

fn bar(painter: &egui::Painter, corner: Pos2, [width, height]: [f32; 2], share: f32, ink: Color32) {
    painter.rect_filled(Rect::from_min_size(corner, vec2(width, height)), 1.0, BAR_FILL);
    painter.rect_filled(Rect::from_min_size(corner, vec2(width * share.clamp(0.0, 1.0), height)), 1.0, ink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::chronicle::Chronicle;
    use crate::battle::inspect::InspectReply;
    use crate::battle::tick_history::TickHistory;
    use crate::draw::theme::Theme;
    use crate::shell::layout_check::{SIZES, troubles};
    use crate::shell::speed::Speed;
    use throng_sim::battle::Order;
    use throng_sim::world::UnitId;
    use throng_sim::world::{ArmyCount, Condition, Frame, SquadCount};

    /// Squads of two soldiers each, of three armies.
    fn frame(squads: u32) -> Frame {
        let armies = ["the red ones of the north", "blue", "green"];
        let count =
            |squad: u32| SquadCount { army: ArmyId((squad % 3) as u8), order: Order::Attack, ..SquadCount::default() };
        Frame {
            tick: 3,
            squad: (0..2 * squads).map(|row| Some(SquadId(row / 2))).collect(),
            army: (0..2 * squads).map(|row| ArmyId((row / 2 % 3) as u8)).collect(),
            unit: vec![UnitId(0); 2 * squads as usize],
            health: vec![0.7; 2 * squads as usize],
            enlisted: vec![2000; squads as usize],
            squads: (0..squads).map(count).collect(),
            armies: armies.map(|name| ArmyCount { name: name.into(), ..ArmyCount::default() }).to_vec(),
            units: vec!["heavy swordsmen of the guard".into()],
            ..Frame::default()
        }
    }

    /// What is wrong with their words, whether they are open, and how many are laid out.
    fn check(squads: u32, size: [f32; 2], asked: Option<bool>) -> (Vec<String>, bool, usize) {
        let (frame, history, chronicle) = (frame(squads), TickHistory::default(), Chronicle::default());
        let condition = Condition { living: 2, fleeing: 1, health: 0.7, morale: 0.4, shots: 12_345 };
        let reply = InspectReply { conditions: vec![condition; squads as usize], ..InspectReply::default() };
        let facts = BattleFacts {
            title: "",
            frame: &frame,
            theme: Theme::Plan,
            history: &history,
            reply: &reply,
            speed: Speed::REAL,
            paused: true,
            ticks_per_second: 0.0,
            frames_per_second: 0.0,
            live: true,
            span: None,
            target: None,
            chronicle: &chronicle,
            measured: &[],
            film: None,
            directs: false,
        };
        let (mut table, mut board, mut groups) =
            (SquadTable::default(), BannerBoard::default(), ControlGroups::default());
        groups.store(1, &BTreeSet::from([0, 3].map(SquadId)));
        table.see(&frame, &reply);
        let mut cards = Cards { asked, begins: true, army: None, is_open: false };
        let (selected, mut laid) = (BTreeSet::from([SquadId(0)]), 0);
        let found = troubles(size, |ui, output| {
            let mut deck = Deck { table: &table, board: &mut board, groups: &groups, selected: &selected };
            cards.lay_out(ui, &facts, &mut deck, output);
            laid = output.places.iter().filter(|(name, _)| name.starts_with("card-")).count();
        });
        (found, cards.is_open(), laid)
    }

    #[test]
    fn all_words_on_cards_can_be_read() {
        for size in SIZES {
            // The last card may be cut by the edge: it is scrolled to.
            let whole = ((size[0] - 16.0) / (CARD.x + GAP_PX)) as u32;
            assert_eq!(check(whole, size, Some(true)), (Vec::new(), true, whole as usize));
            assert_eq!(check(whole, size, Some(false)).0, Vec::<String>::new());
        }
    }

    #[test]
    fn low_windows_have_cards_only_where_they_were_asked_for() {
        assert!(!check(3, [640.0, 360.0], None).1 && check(3, [640.0, 360.0], Some(true)).1);
        assert!(check(3, [1280.0, 720.0], None).1 && !check(0, [1280.0, 720.0], Some(true)).1);
    }

    #[test]
    fn only_the_cards_that_are_seen_are_laid_out() {
        let laid = check(20_000, [1280.0, 720.0], Some(true)).2;
        assert!((2..=2 + (1280.0 / CARD.x) as usize).contains(&laid), "{laid}");
    }
}
