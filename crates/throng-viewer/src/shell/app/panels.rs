//! The panels of any window: those of its content, and over them the menu, the keys and the news.

use super::Shell;
use crate::draw::overlay::{self, Dismissed, Keys, Overlay};
use crate::shell::event::Event;
use crate::shell::menu::MenuFacts;
use crate::shell::panel_output::{Name, PanelOutput};

impl Shell {
    /// Tells the places of buttons and the like that have moved: middle and size (pixels).
    fn tell_places(&mut self, places: Vec<(Name, egui::Rect)>) {
        if self.options.events.is_none() {
            return;
        }
        let scale = self.scale();
        for (name, place) in places {
            let [middle, size] = [place.center().to_vec2(), place.size()].map(|of| (of * scale).round());
            let place = [middle.x, middle.y, size.x, size.y].map(|part| part as i32);
            if self.places.insert(name.clone(), place) != Some(place) {
                let [x, y, width, height] = place;
                self.tell(&Event::Place { name: name.into_owned(), middle: [x, y], size: [width, height] });
            }
        }
    }

    /// Lays the panels out by `lay`, tells where they are and which were pressed, and returns the user's actions.
    pub fn lay_out<A>(&mut self, keys: Keys, lay: impl FnMut(&mut egui::Ui, &mut PanelOutput<A>)) -> Vec<A> {
        self.lay_out_on(true, keys, lay)
    }

    /// The same; without `fills` what is drawn below has the colour of panels where they are.
    pub fn lay_out_on<A>(
        &mut self,
        fills: bool,
        keys: Keys,
        mut lay: impl FnMut(&mut egui::Ui, &mut PanelOutput<A>),
    ) -> Vec<A> {
        self.ui.fill_panels(fills);
        let mut output = PanelOutput::default();
        let notice = self.notice.as_ref().map(|(text, _)| text.as_str());
        let overlay = Overlay { keys, help: self.help, notice, trouble: self.trouble.as_deref() };
        let facts = MenuFacts {
            kind: self.kind,
            title: &self.title,
            recent: self.opening.recent(),
            settings: self.settings,
            opening: self.opening.coming(),
        };
        let menu = &mut self.menu;
        let (mut choices, mut dismissed) = (PanelOutput::default(), Dismissed::default());
        self.ui.lay_out(self.graphics.gfx.window(), |ui| {
            // egui may lay out twice.
            output = PanelOutput::default();
            lay(ui, &mut output);
            choices = PanelOutput::default();
            if menu.is_open {
                menu.lay_out(ui, &facts, &mut choices);
            }
            dismissed = overlay::lay_out(ui, ui.available_rect_before_wrap(), &overlay, &mut output);
        });
        if dismissed.keys {
            self.turn_help();
        }
        if dismissed.trouble {
            self.trouble = None;
            self.touched = true;
        }
        // What was pressed is seen in the next frame.
        self.touched |= !output.actions.is_empty() || !output.pressed.is_empty();
        output.places.append(&mut choices.places);
        output.pressed.append(&mut choices.pressed);
        choices.actions.into_iter().for_each(|action| self.choose(action));
        self.tell_places(output.places);
        for name in output.pressed {
            self.tell(&Event::Pressed { name: name.into_owned() });
        }
        output.actions
    }
}
