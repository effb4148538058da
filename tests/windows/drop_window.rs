//! Files that are dropped on the window, as a file manager drops them: XDND, version 5, on a display of its own. Skipped, with a word,
//! where something is missing.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::screen::{Screen, Shown, is, throng, want};
use std::path::Path;
use std::time::{Duration, Instant};
use throng::viewer::{Event, Tool};
use throng::world::SquadId;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event as Message;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// A user who drags files over a window.
struct Hand {
    display: RustConnection,
    root: Window,
    /// The window that the drag comes from, and the one that it goes to.
    source: Window,
    target: Window,
}

impl Hand {
    fn over(screen: &Screen) -> Self {
        let (display, number) = RustConnection::connect(Some(&screen.name)).unwrap();
        let root = display.setup().roots[number].root;
        let source = display.generate_id().unwrap();
        let window = CreateWindowAux::new();
        display
            .create_window(
                x11rb::COPY_DEPTH_FROM_PARENT,
                source,
                root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_OUTPUT,
                0,
                &window,
            )
            .unwrap();
        let windows = display.query_tree(root).unwrap().reply().unwrap().children;
        let name = |window: Window| {
            let name = display.get_property(false, window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64).unwrap();
            String::from_utf8_lossy(&name.reply().unwrap().value).into_owned()
        };
        let target = windows.into_iter().find(|&window| name(window).starts_with("throng")).unwrap();
        Self { display, root, source, target }
    }

    fn atom(&self, name: &str) -> Atom {
        self.display.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    fn send(&self, kind: &str, data: [u32; 4]) {
        let [a, b, c, d] = data;
        let message = ClientMessageEvent::new(32, self.target, self.atom(kind), [self.source, a, b, c, d]);
        self.display.send_event(false, self.target, EventMask::NO_EVENT, message).unwrap();
        self.display.flush().unwrap();
    }

    /// The next event that `of` accepts.
    fn want<T>(&self, what: &str, of: impl Fn(Message) -> Option<T>) -> T {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_mins(5) {
            match self.display.poll_for_event().unwrap() {
                Some(event) => {
                    if let Some(found) = of(event) {
                        return found;
                    }
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
        panic!("no {what} came");
    }

    fn message(&self, kind: &str) -> ClientMessageEvent {
        let atom = self.atom(kind);
        self.want(kind, |event| match event {
            Message::ClientMessage(message) if message.type_ == atom => Some(message),
            _ => None,
        })
    }

    /// Drops a file in the middle of the window.
    fn drops(&self, file: &Path) {
        let [selection, uris, copy] = ["XdndSelection", "text/uri-list", "XdndActionCopy"].map(|name| self.atom(name));
        self.display.set_selection_owner(self.source, selection, x11rb::CURRENT_TIME).unwrap();
        self.send("XdndEnter", [5 << 24, uris, 0, 0]);
        self.send("XdndPosition", [0, 640 * 0x1_0000 + 360, x11rb::CURRENT_TIME, copy]);
        let asked = self.want("question for the files", |event| match event {
            Message::SelectionRequest(asked) => Some(asked),
            _ => None,
        });
        assert_eq!((asked.selection, asked.target), (selection, uris));
        let list = format!("file://{}\r\n", file.display());
        self.display
            .change_property8(PropMode::REPLACE, asked.requestor, asked.property, uris, list.as_bytes())
            .unwrap();
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: asked.time,
            requestor: asked.requestor,
            selection,
            target: uris,
            property: asked.property,
        };
        self.display.send_event(false, asked.requestor, EventMask::NO_EVENT, answer).unwrap();
        self.send("XdndDrop", [0, x11rb::CURRENT_TIME, 0, 0]);
        let finished = self.message("XdndFinished");
        assert_eq!(finished.data.as_data32()[1] & 1, 1, "taken");
    }
}

#[test]
fn dropped_files_are_opened_and_bad_ones_leave_the_old_one_running() {
    let Some(screen) = Screen::with_mouse() else { return };
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 32\nwidth 48\nmap\n".to_owned() + &(".".repeat(48) + "\n").repeat(32);
    std::fs::write(folder.path().join("field.map"), map).unwrap();
    let scenario = |name: &str| {
        let squad = "[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 4\nposition = [20, 16]\n";
        let file = folder.path().join(format!("{name}.toml"));
        std::fs::write(&file, format!("name = \"{name}\"\nmap = \"field.map\"\nmax_ticks = 1000000\n{squad}")).unwrap();
        file
    };
    let (first, second, bad) = (scenario("first"), scenario("second"), scenario("bad"));
    let text = std::fs::read_to_string(&bad).unwrap();
    std::fs::write(&bad, text.replace("count = 4", "count = -4")).unwrap();
    let mut command = throng(Some(&screen.name), folder.path());
    command.arg("view").arg(first).arg("--print-events");
    let mut shown = Shown::start(command);
    shown.want(is!(Event::Ready { .. }));
    screen.focus();
    let hand = Hand::over(&screen);
    assert_ne!(hand.root, hand.target);

    hand.drops(&second);
    shown.want(is!(Event::Opened { title } if title == "second"));
    hand.drops(&bad);
    let told = want!(shown, Event::NotOpened { reason } => reason);
    assert!(told.contains("bad.toml:7:9") && told.contains("-4"), "{told}");
    // It finds its size first.
    shown.settle();
    let place = shown.place("dismiss");
    screen.press(place);
    shown.settle();
    // The one before still goes on.
    screen.xdotool("key space");
    shown.want(is!(Event::Paused { paused: true }));
    screen.xdotool("key period");
    shown.want(is!(Event::Tick { .. }));
    // A map alone is shown as well.
    hand.drops(&folder.path().join("field.map"));
    shown.want(is!(Event::Opened { title } if title == "field"));
    shown.settle();
    // No agent is there yet, and time stands still: squads are deployed and fight it out.
    let told_before = shown.seen.len();
    let does = |shown: &mut Shown, action: &str, tells: &dyn Fn(&Event) -> bool| {
        screen.xdotool(action);
        shown.want(tells)
    };
    let drag = |shown: &mut Shown, [x, y]: [u32; 2], [u, v]: [u32; 2], tells: &dyn Fn(&Event) -> bool| {
        let press = format!("mousemove {x} {y} sleep 0.15 mousedown 1 sleep 0.15");
        does(shown, &format!("{press} mousemove {u} {v} sleep 0.15 mouseup 1"), tells)
    };
    does(&mut shown, "key u", &is!(Event::Tool { tool: Tool::SpawnSquad }));
    drag(&mut shown, [700, 300], [700, 380], &is!(Event::Done { name } if name == "squad"));
    shown.settle();
    shown.press(&screen, "army");
    shown.settle();
    shown.press(&screen, "army-1");
    drag(&mut shown, [860, 380], [860, 300], &is!(Event::Done { name } if name == "squad"));
    // A squad is carried, turned, drawn up on a line, and each of these taken back.
    let deployed = |event: &Event| matches!(event, Event::Done { name } if name == "deployment");
    let undone = |event: &Event| matches!(event, Event::Undone { name } if name == "deployment");
    let stroke = |keys: [&str; 2], button: u8, [x, y]: [u32; 2], [u, v]: [u32; 2]| {
        let [down, up] = keys;
        format!(
            "mousemove {x} {y} sleep 0.15 {down} mousedown {button} sleep 0.15 mousemove {u} {v} sleep 0.15 mouseup {button} {up}"
        )
    };
    let plain = ["sleep 0", "sleep 0"];
    for (keys, button, from, to) in [
        (plain, 1, [700, 340], [740, 350]),
        (["keydown alt", "keyup alt"], 1, [700, 340], [660, 250]),
        (plain, 3, [760, 260], [760, 330]),
    ] {
        does(&mut shown, &stroke(keys, button, from, to), &deployed);
        shown.settle();
        does(&mut shown, "key ctrl+z", &undone);
        shown.settle();
    }
    does(&mut shown, "key Escape", &is!(Event::Selected { squads, .. } if squads.is_empty()));
    let nothing_yet = |shown: &Shown| shown.seen[told_before..].iter().all(|event| !is!(Event::Result { .. })(event));
    assert!(nothing_yet(&shown), "{:#?}", shown.seen);
    does(&mut shown, "key q", &is!(Event::Tool { tool: Tool::Select }));
    drag(&mut shown, [640, 250], [760, 430], &is!(Event::Selected { squads, .. } if *squads == [0].map(SquadId)));
    shown.settle();
    shown.press(&screen, "order-attack");
    shown.want(is!(Event::Done { name } if name == "order"));
    does(&mut shown, "key space", &is!(Event::Paused { paused: false }));
    for _ in 0..4 {
        does(&mut shown, "key bracketright", &is!(Event::Speed { .. }));
    }
    shown.want(is!(Event::Result { text } if text.starts_with("victory for ")));
    does(&mut shown, "key Escape", &is!(Event::Outcome { shown: false }));
    does(&mut shown, "key Escape", &is!(Event::Selected { agent: None, .. }));
    screen.xdotool("key Escape sleep 0.2 key ctrl+q");
    shown.ends_well();
}
