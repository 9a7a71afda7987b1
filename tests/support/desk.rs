//! A desktop for one test: a screen with pointer and keyboard, a message bus, a user's home folder.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::desktop::{Started, desktop_program, serves, until, without_bus};
use super::home::Home;
use super::keyring::Bus;

/// How often to check whether a key press has opened something before repeating it: more than a second.
const LOOKS_A_PRESS: u32 = 50;

/// An X server for one test: keys reach only the window of this test.
///
/// It must not reset when its last client exits, as X servers do by default: during a reset it refuses connections.
pub struct Screen {
    server: Child,
    /// The value for `DISPLAY`.
    pub name: String,
}

impl Screen {
    pub fn new() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1800x900x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb did not start ({error}). `make test` installs it"));
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()) }
    }

    /// The visible windows of `program` whose title matches (a regular expression).
    pub fn windows(&self, program: &Child, title: &str) -> Vec<String> {
        self.search(&["--all", "--pid", &program.id().to_string(), "--name", title])
    }

    /// The windows of all programs with such a title.
    pub fn windows_of_any(&self, title: &str) -> Vec<String> {
        self.search(&["--name", title])
    }

    fn search(&self, wanted: &[&str]) -> Vec<String> {
        let search = [&["search", "--onlyvisible"], wanted].concat();
        let found = Command::new("xdotool").args(search).env("DISPLAY", &self.name).output();
        let found =
            found.unwrap_or_else(|error| panic!("xdotool did not start ({error}). `make test` installs it"));
        String::from_utf8(found.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// The size of `window`, such as "640x360"; empty if it has closed.
    pub fn size(&self, window: &str) -> String {
        let ask = ["getwindowgeometry", window];
        let told = Command::new("xdotool").args(ask).env("DISPLAY", &self.name).output().unwrap();
        let told = String::from_utf8(told.stdout).unwrap();
        told.lines().find_map(|line| line.trim().strip_prefix("Geometry: ")).unwrap_or_default().to_owned()
    }

    /// Resizes `window` to width and height.
    pub fn resize(&self, window: &str, (width, height): (u32, u32)) {
        let resize = ["windowsize", window, &width.to_string(), &height.to_string()];
        let done = Command::new("xdotool").args(resize).env("DISPLAY", &self.name).status().unwrap();
        assert!(done.success(), "the window has gone: {done}");
    }

    /// Presses `keys` one after the other in `window`. A window that has just closed does not receive them; the caller checks the result.
    pub fn press(&self, window: &str, keys: &str) {
        let press = ["10", "xdotool", "windowfocus", "--sync", window, "key", "--delay", "50"];
        let mut hand = Command::new("timeout");
        drop(hand.args(press).args(keys.split(' ')).env("DISPLAY", &self.name).output());
    }

    /// Presses `keys` in the window of the product until the window with `title` is on the screen: before its menu exists, a window ignores them.
    ///
    /// The pause between two presses lets it open: two presses could open it twice.
    pub async fn open(&self, keys: &str, title: &str) -> String {
        let shown = |title: &str| self.windows_of_any(title).pop();
        let looks = Cell::new(0_u32);
        until(title, || {
            let opened = shown(title);
            let is_time = looks.replace(looks.get() + 1).is_multiple_of(LOOKS_A_PRESS);
            if let (true, None, Some(main)) = (is_time, &opened, shown(WINDOW)) {
                self.press(&main, keys);
            }
            opened.is_some()
        })
        .await;
        shown(title).expect("it was there a moment ago")
    }

    /// Types `text` in `window`. A window that has just closed does not receive it; the caller checks the result.
    pub fn type_text(&self, window: &str, text: &str) {
        let type_it = ["30", "xdotool", "windowfocus", "--sync", window, "type", "--delay", "20", text];
        drop(Command::new("timeout").args(type_it).env("DISPLAY", &self.name).output());
    }

    /// Whether `window` closes within two seconds.
    pub fn is_gone_soon(&self, window: &str) -> bool {
        (0..20).any(|_| {
            let mut ask = Command::new("xdotool");
            ask.args(["getwindowname", window]).env("DISPLAY", &self.name);
            let gone = !ask.output().unwrap().status.success();
            if !gone {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            gone
        })
    }

    /// The value of `property` of `window`, as printed by `xprop`.
    pub fn property(&self, window: &str, property: &str) -> String {
        let ask = ["-id", window, property];
        let told = Command::new("xprop").args(ask).env("DISPLAY", &self.name).output();
        let told =
            told.unwrap_or_else(|error| panic!("xprop did not start ({error}). `make test` installs it"));
        String::from_utf8(told.stdout).unwrap()
    }

    /// Drags from the first position on the screen to the second in small steps: programs recognise a drag only after some distance.
    pub fn drag(&self, from: (i32, i32), to: (i32, i32)) {
        let steps = 20;
        let mut hand = vec!["mousemove".to_owned(), from.0.to_string(), from.1.to_string()];
        hand.extend(["mousedown", "1"].map(str::to_owned));
        for step in 1..=steps {
            let at = |from: i32, to: i32| (from + (to - from) * step / steps).to_string();
            hand.extend(["sleep", "0.05", "mousemove"].map(str::to_owned));
            hand.extend([at(from.0, to.0), at(from.1, to.1)]);
        }
        hand.extend(["sleep", "0.3", "mouseup", "1"].map(str::to_owned));
        let done = Command::new("xdotool").args(hand).env("DISPLAY", &self.name).status().unwrap();
        assert!(done.success(), "the pointer did not move: {done}");
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

/// The titles of the window, and of the question before it closes.
pub const WINDOW: &str = "^Quarterdeck$";
pub const QUESTION: &str = "^Quarterdeck is still at work$";
/// The title of the system's print dialog.
pub const PRINT: &str = "^Print$";

/// A screen, a message bus and a home folder for one test.
pub struct Desk {
    pub screen: Screen,
    pub bus: Bus,
    /// Whether programs get the address of the bus.
    has_bus: bool,
    pub home: Home,
    pub data_dir: PathBuf,
}

impl Desk {
    /// For a user with this saved decision about running work.
    pub fn of_one_who_decided(on_close: &str) -> Self {
        let home = Home::new();
        let decided = home.path().join("io.quarterdeck.desktop");
        std::fs::create_dir(&decided).unwrap();
        let decision = format!(r#"{{"on_close": "{on_close}"}}"#);
        std::fs::write(decided.join("window.json"), decision).unwrap();
        let data_dir = home.path().join("data");
        Self { screen: Screen::new(), bus: Bus::empty(), has_bus: true, home, data_dir }
    }

    /// The same desktop, but without a message bus for programs.
    pub fn without_bus(self) -> Self {
        Self { has_bus: false, ..self }
    }

    /// The program, not yet started.
    pub fn program(&self) -> Command {
        let mut program = desktop_program(self.home.path(), &self.data_dir);
        program
            .env("DISPLAY", &self.screen.name)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus.address)
            .env_remove("WAYLAND_DISPLAY");
        if !self.has_bus {
            without_bus(&mut program);
        }
        program.stdout(Stdio::null());
        program
    }

    pub async fn open(&self) -> Started {
        let window = Started(self.program().spawn().unwrap());
        until("a service", || serves(&self.data_dir).is_some()).await;
        until("a window", || self.shows(&window, WINDOW)).await;
        window
    }

    pub fn shows(&self, window: &Started, title: &str) -> bool {
        !self.screen.windows(&window.0, title).is_empty()
    }

    /// Presses `keys` in the window with this title until `holds` returns true: before its menu exists, a window ignores them.
    pub async fn press(
        &self,
        window: &Started,
        title: &str,
        keys: &str,
        what: &str,
        holds: impl Fn() -> bool,
    ) {
        until(what, || {
            let done = holds();
            if !done && let Some(shown) = self.screen.windows(&window.0, title).first() {
                self.screen.press(shown, keys);
            }
            done
        })
        .await;
    }

    /// Presses the close shortcut until the window is gone.
    pub async fn close(&self, window: &Started) {
        self.press(window, WINDOW, "ctrl+w", "no window", || !self.shows(window, WINDOW)).await;
    }
}

/// Waits until the program has ended successfully by itself.
pub async fn until_ended(window: &mut Started) {
    let ended = async {
        loop {
            if let Some(status) = window.0.try_wait().unwrap() {
                return status;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let status = tokio::time::timeout(std::time::Duration::from_mins(1), ended)
        .await
        .expect("it ends within a minute");
    assert!(status.success(), "the window ended with {status}");
}

#[test]
fn a_screen_stays_as_it_is_when_its_last_program_goes() {
    let screen = Screen::new();
    let pointer = |asked: &[&str]| {
        let moved = Command::new("xdotool").args(asked).env("DISPLAY", &screen.name).output().unwrap();
        String::from_utf8(moved.stdout).unwrap()
    };
    pointer(&["mousemove", "10", "20"]);
    // After a reset the pointer would be in the middle.
    assert!(pointer(&["getmouselocation"]).starts_with("x:10 y:20 "));
}
