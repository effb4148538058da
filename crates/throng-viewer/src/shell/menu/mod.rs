//! The menu: what a window can show, how it looks, and the way out. Escape opens and closes it in every window.

mod gallery;
mod new_battle;
mod settings_page;

use super::example::Example;
use super::panel_output::PanelOutput;
use super::settings::Settings;
use crate::draw::style::BRIGHT;
use egui::{Button, Id, Modal, RichText, ScrollArea, TextEdit, vec2};
use gallery::Gallery;
use new_battle::NewBattleForm;
use std::path::{Path, PathBuf};
use throng_scenario::NewBattle;

/// What the menu is about: a window of battles has more to offer than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuKind {
    Battles,
    Other,
}

/// A page of the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MenuPage {
    #[default]
    Battles,
    Open,
    New,
    Save,
    Settings,
}

/// What the user chose.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MenuAction {
    Resume,
    Restart,
    Open(PathBuf),
    Browse,
    New(NewBattle),
    Save(PathBuf),
    BrowseToSave,
    Apply(Settings),
    Keys,
    Quit,
}

/// What the menu shows of the rest.
pub(super) struct MenuFacts<'a> {
    pub kind: MenuKind,
    /// The name of what is shown below.
    pub title: &'a str,
    /// Recently opened files, the last first.
    pub recent: &'a [PathBuf],
    pub settings: Settings,
    /// A file is on its way.
    pub opening: Option<&'a Path>,
}

/// The menu, open or not.
pub(super) struct Menu {
    pub is_open: bool,
    page: MenuPage,
    gallery: Gallery,
    form: NewBattleForm,
    /// The path that is written in the page of files.
    path: String,
    /// The path that a battle is saved under.
    save_path: String,
}

/// The greatest size of the menu, and what is left free around it (points).
const SIZE_PX: egui::Vec2 = vec2(1120.0, 720.0);
const MARGIN_PX: f32 = 24.0;
/// Width of the buttons at its left.
const BUTTONS_PX: f32 = 148.0;

impl Menu {
    pub fn new(examples: Vec<Example>) -> Self {
        Self {
            is_open: false,
            page: MenuPage::default(),
            gallery: Gallery::new(examples),
            form: NewBattleForm::default(),
            path: String::new(),
            save_path: String::new(),
        }
    }

    /// Opens it at its first page, or closes it.
    pub fn turn(&mut self, kind: MenuKind) {
        self.is_open = !self.is_open;
        self.page = if kind == MenuKind::Battles { MenuPage::Battles } else { MenuPage::Settings };
    }

    /// The path that a battle is saved under, unless the user writes another one.
    pub fn suggest(&mut self, path: &Path) {
        self.save_path = path.display().to_string();
    }

    /// The file that was found by a dialog.
    pub fn found(&mut self, path: &Path, saves: bool) {
        let text = if saves { &mut self.save_path } else { &mut self.path };
        *text = path.display().to_string();
    }

    /// Lays it out over the whole window.
    pub fn lay_out(&mut self, ui: &egui::Ui, facts: &MenuFacts<'_>, output: &mut PanelOutput<MenuAction>) {
        let size = (ui.ctx().content_rect().size() - vec2(2.0, 2.0) * MARGIN_PX).min(SIZE_PX);
        Modal::new(Id::new("menu")).show(ui.ctx(), |ui| {
            ui.set_min_size(size);
            ui.set_max_size(size);
            ui.horizontal_top(|ui| {
                ui.vertical(|ui| {
                    ui.set_width(BUTTONS_PX);
                    ui.label(RichText::new("throng").size(28.0).strong().color(BRIGHT));
                    ui.add_space(6.0);
                    let area = ScrollArea::vertical().id_salt("choices").max_height(size.y - 60.0).show(ui, |ui| {
                        self.buttons(ui, facts, output);
                    });
                    output.place("scroll-choices", area.inner_rect);
                });
                ui.separator();
                ui.vertical(|ui| {
                    if let Some(path) = facts.opening {
                        let name = path.file_name().unwrap_or_default().to_string_lossy();
                        ui.add(egui::Label::new(format!("opening {name} …")).truncate());
                    }
                    let area = ScrollArea::vertical().id_salt("page").auto_shrink(false);
                    let area = area.max_height(size.y - 20.0).show(ui, |ui| self.page(ui, facts, output));
                    output.place("scroll-page", area.inner_rect);
                });
            });
        });
    }

    fn buttons(&mut self, ui: &mut egui::Ui, facts: &MenuFacts<'_>, output: &mut PanelOutput<MenuAction>) {
        let wide = |text: &str, chosen: bool| {
            Button::selectable(chosen, text.to_owned()).frame(true).min_size(vec2(BUTTONS_PX - 12.0, 30.0)).wrap()
        };
        let mut act = |ui: &mut egui::Ui, name, text: &str, hint: &str, action: MenuAction| {
            let button = ui.add(wide(text, false)).on_hover_text(hint);
            output.on_press(name, &button, action);
        };
        let title = format!("on with {}", facts.title);
        act(ui, "menu-resume", "Resume", &format!("{title}  (Esc)"), MenuAction::Resume);
        if facts.kind == MenuKind::Battles {
            act(ui, "menu-restart", "Restart", "this battle from its first moment", MenuAction::Restart);
        }
        act(ui, "menu-keys", "Keys", "the keys and the mouse  (F1)", MenuAction::Keys);
        act(ui, "menu-quit", "Quit", "close the window", MenuAction::Quit);
        ui.add_space(10.0);
        let battles = [
            ("menu-battles", "Battles", "the examples, and recently opened files", MenuPage::Battles),
            ("menu-new", "New battle", "a map, armies and their numbers", MenuPage::New),
            ("menu-open", "Open a file", "a scenario, a recording or a map", MenuPage::Open),
            ("menu-save", "Save as", "this battle as a scenario, and its map", MenuPage::Save),
        ];
        let battles = battles.into_iter().filter(|_| facts.kind == MenuKind::Battles);
        let settings = ("menu-settings", "Settings", "size of words, colours, speed", MenuPage::Settings);
        for (name, text, hint, page) in battles.chain([settings]) {
            let button = ui.add(wide(text, self.page == page)).on_hover_text(hint);
            if output.has(name, &button) {
                self.page = page;
            }
        }
    }

    fn page(&mut self, ui: &mut egui::Ui, facts: &MenuFacts<'_>, output: &mut PanelOutput<MenuAction>) {
        match self.page {
            MenuPage::Battles => {
                ui.heading("Battles");
                self.gallery.lay_out(ui, output);
                recent(ui, facts, output);
            }
            MenuPage::New => self.form.lay_out(ui, output),
            MenuPage::Open => {
                ui.heading("Open a file");
                ui.label("A scenario (.toml), a recording (.throng) or a map (.map, .txt, .tmx, .png, .geojson, .wkt). One may also \
                          be dropped on the window. A map opens with two armies to be deployed.");
                if path_line(ui, &mut self.path, ("open-path", "open-browse", MenuAction::Browse), output) {
                    output.actions.push(MenuAction::Open(PathBuf::from(self.path.trim())));
                }
                let button = ui.add_enabled(!self.path.trim().is_empty(), Button::new("Open"));
                let button = button.on_hover_text("the file of this path").on_disabled_hover_text("write a path first");
                output.on_press("open", &button, MenuAction::Open(PathBuf::from(self.path.trim())));
                recent(ui, facts, output);
            }
            MenuPage::Save => {
                ui.heading("Save as");
                ui.label("The battle as it began, with what was changed and deployed since, and its map beside it. The format of the \
                          map is chosen under Edit.");
                if path_line(ui, &mut self.save_path, ("save-path", "save-browse", MenuAction::BrowseToSave), output) {
                    output.actions.push(MenuAction::Save(PathBuf::from(self.save_path.trim())));
                }
                let button = ui.add_enabled(!self.save_path.trim().is_empty(), Button::new("Save"));
                let button = button.on_hover_text("files of this name are replaced");
                output.on_press("save-as", &button, MenuAction::Save(PathBuf::from(self.save_path.trim())));
            }
            MenuPage::Settings => settings_page::lay_out(ui, facts.settings, output),
        }
    }
}

/// A line for a path, and a button that finds one; true if Enter was pressed in it.
fn path_line(
    ui: &mut egui::Ui,
    path: &mut String,
    (line, browse, action): (&'static str, &'static str, MenuAction),
    output: &mut PanelOutput<MenuAction>,
) -> bool {
    ui.add_space(6.0);
    let mut entered = false;
    ui.horizontal(|ui| {
        let room = (ui.available_width() - 96.0).max(80.0);
        let text = ui.add(TextEdit::singleline(path).desired_width(room).hint_text("path of a file"));
        output.has(line, &text);
        entered = text.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let button = ui.button("Browse …").on_hover_text("a dialog of the system");
        output.on_press(browse, &button, action);
    });
    ui.add_space(6.0);
    entered && !path.trim().is_empty()
}

/// A button a file.
fn recent(ui: &mut egui::Ui, facts: &MenuFacts<'_>, output: &mut PanelOutput<MenuAction>) {
    if facts.recent.is_empty() {
        return;
    }
    ui.add_space(8.0);
    ui.heading("Recently opened");
    for (number, path) in (1..).zip(facts.recent) {
        let text = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new("")).display().to_string();
        ui.horizontal(|ui| {
            let button = ui.add(Button::new(&*text).truncate()).on_hover_text(path.display().to_string());
            output.on_press(format!("recent-{number}"), &button, MenuAction::Open(path.clone()));
            ui.add(egui::Label::new(RichText::new(folder).weak()).truncate());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::layout_check::{SIZES, troubles};

    #[test]
    fn all_pages_can_be_read_in_windows_of_all_sizes() {
        let recent: Vec<PathBuf> =
            ["/a/b/siege.toml".into(), format!("/{}/long.toml", "folder/".repeat(30)).into()].to_vec();
        let settings = Settings::default();
        let pages = [MenuPage::Battles, MenuPage::Open, MenuPage::New, MenuPage::Save, MenuPage::Settings];
        let mut found = Vec::new();
        for (page, kind) in
            pages.map(|page| (page, MenuKind::Battles)).into_iter().chain([(MenuPage::Settings, MenuKind::Other)])
        {
            for size in SIZES {
                let mut menu = Menu::new(crate::shell::example::tests::examples());
                menu.turn(kind);
                menu.page = page;
                menu.suggest(Path::new("/home/of/a/user/battles/a battle with a long name.toml"));
                let opening = Some(Path::new("/a/b/a file that is on its way.toml"));
                let facts = MenuFacts { kind, title: "the siege", recent: &recent, settings, opening };
                found.extend(troubles(size, |ui, output| menu.lay_out(ui, &facts, output)));
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
