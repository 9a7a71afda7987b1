//! The window: `quarterdeck` on a real display, as a person starts it or driven through WebKitWebDriver.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use super::browser::Driver;
use super::home::{Home, with_environment};
use super::keyring::Bus;
use super::page::Page;
use super::programs::{finish, isolate, program};
use serde_json::json;

/// In the folder of the person's settings.
const DECIDED: &str = "io.quarterdeck.desktop/window.json";

/// Whether the page of a window does something; the one that says why there is none does.
pub const LIVES: &str = "const root = document.getElementById('root');
    return location.protocol !== 'about:' && (!root || root.childElementCount > 0);";

/// Which message bus a program finds.
#[derive(Clone)]
enum MessageBus {
    /// The one of all tests.
    Usual,
    /// One at this address.
    Own(String),
    None,
}

impl MessageBus {
    fn tell(&self, command: &mut Command) {
        match self {
            Self::Usual => {}
            Self::Own(address) => {
                command.env("DBUS_SESSION_BUS_ADDRESS", address);
            }
            Self::None => without_bus(command),
        }
    }
}

/// As on a machine without a desktop environment, where a window came by `ssh -X`: nothing names a message bus.
pub fn without_bus(command: &mut Command) {
    command.env_remove("DBUS_SESSION_BUS_ADDRESS").env_remove("XDG_RUNTIME_DIR");
}

/// An open window whose page can be used.
pub struct Window {
    driver: Driver,
    home: Home,
    data_dir: PathBuf,
    bus: MessageBus,
    pub page: Page,
}

impl Window {
    /// Opens the window on an empty data directory; it signs itself in.
    pub async fn open() -> Self {
        let home = Home::new();
        let data_dir = home.path().join("data");
        Self::open_in(home, &data_dir, MessageBus::Usual).await
    }

    /// The same, on a message bus of its own, such as one with a keyring.
    pub async fn open_beside(bus: &Bus) -> Self {
        let home = Home::new();
        let data_dir = home.path().join("data");
        Self::open_in(home, &data_dir, MessageBus::Own(bus.address.clone())).await
    }

    /// Opens the window by a program that starts it, on an empty data directory.
    pub async fn open_installed(start: &Path) -> Self {
        let home = Home::new();
        let data_dir = home.path().join("data");
        Self::open_by(start, &[], home, &data_dir, MessageBus::Usual).await
    }

    /// Opens the window on `data_dir`.
    pub async fn open_on(data_dir: &Path) -> Self {
        Self::open_in(Home::new(), data_dir, MessageBus::Usual).await
    }

    /// The same, on a screen of its own, where the pointer reaches it.
    pub async fn open_on_screen(screen: &str) -> Self {
        let home = Home::new();
        let data_dir = home.path().join("data");
        let around = [("DISPLAY", screen.to_owned())];
        Self::open_around(&program("quarterdeck"), &[], home, &data_dir, MessageBus::Usual, &around).await
    }

    /// The same, where nothing is installed that opens an address.
    pub async fn open_without_browser() -> Self {
        let home = Home::new();
        let data_dir = home.path().join("data");
        let programs = home.path().join("programs");
        std::fs::create_dir(&programs).unwrap();
        let driver = finish(Command::new("sh").args(["-c", "command -v WebKitWebDriver"])).succeeded().stdout;
        std::os::unix::fs::symlink(driver.trim(), programs.join("WebKitWebDriver")).unwrap();
        let around = [("PATH", programs.display().to_string())];
        Self::open_around(&program("quarterdeck"), &[], home, &data_dir, MessageBus::Usual, &around).await
    }

    /// Opens the window as where there is no graphics card, whatever this machine has.
    pub async fn open_drawn_plainly() -> Self {
        let home = Home::new();
        let data_dir = home.path().join("data");
        let around = [("WEBKIT_DISABLE_COMPOSITING_MODE", "1".to_owned())];
        Self::open_around(&program("quarterdeck"), &[], home, &data_dir, MessageBus::Usual, &around).await
    }

    async fn open_in(home: Home, data_dir: &Path, bus: MessageBus) -> Self {
        Self::open_by(&program("quarterdeck"), &[], home, data_dir, bus).await
    }

    async fn open_by(
        start: &Path,
        arguments: &[String],
        home: Home,
        data_dir: &Path,
        bus: MessageBus,
    ) -> Self {
        Self::open_around(start, arguments, home, data_dir, bus, &[]).await
    }

    async fn open_around(
        start: &Path,
        arguments: &[String],
        home: Home,
        data_dir: &Path,
        bus: MessageBus,
        around: &[(&str, String)],
    ) -> Self {
        // A driver that closes the window answers no questions.
        let decided = home.path().join(DECIDED);
        if !decided.exists() {
            std::fs::create_dir_all(decided.parent().unwrap()).unwrap();
            std::fs::write(decided, r#"{"on_close": "stop"}"#).unwrap();
        }
        let mut command = Command::new("WebKitWebDriver");
        // What the driver has in its environment, the window gets.
        prepare(&mut command, home.path(), data_dir);
        bus.tell(&mut command);
        command.envs([("TAURI_AUTOMATION", "true"), ("TAURI_WEBVIEW_AUTOMATION", "true")]);
        command.envs(around.iter().map(|(name, value)| (name, value)));
        let driver = Driver::start(command, "webkit2gtk-driver");
        let capabilities = json!({ "webkitgtk:browserOptions": { "binary": start, "args": arguments } });
        let client = driver.session(serde_json::from_value(capabilities).unwrap()).await;
        let page = Page::new(client, "window", driver.id());
        // A picture of the page as it was left hears no press.
        page.holds(LIVES).await;
        Self { driver, home, data_dir: data_dir.to_owned(), bus, page }
    }

    /// Opens the window with `files` on its command line.
    pub async fn open_with(files: &[PathBuf]) -> Self {
        Self::open_with_beside(files, MessageBus::Usual).await
    }

    /// The same where there is no message bus.
    pub async fn open_with_without_bus(files: &[PathBuf]) -> Self {
        Self::open_with_beside(files, MessageBus::None).await
    }

    async fn open_with_beside(files: &[PathBuf], bus: MessageBus) -> Self {
        let home = Home::new();
        let data_dir = home.path().join("data");
        let arguments: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        Self::open_by(&program("quarterdeck"), &arguments, home, &data_dir, bus).await
    }

    /// Starts the program a second time with `files`, as "open with" does: without a terminal.
    pub fn start_second(&self, files: &[PathBuf]) -> ExitStatus {
        let mut second = desktop_program(self.home.path(), &self.data_dir);
        self.bus.tell(&mut second);
        let ended = second.args(files).output().unwrap();
        print!("{}", String::from_utf8_lossy(&ended.stderr));
        ended.status
    }

    /// Ends the program as a system does that shuts down, and opens the window again with what the person and the program left.
    pub async fn reopen(self) -> Self {
        self.reopen_after("-TERM").await
    }

    /// Kills the program, which hears nothing of it, and opens the window again.
    pub async fn reopen_killed(self) -> Self {
        self.reopen_after("-KILL").await
    }

    async fn reopen_after(self, signal: &str) -> Self {
        let Self { driver, home, data_dir, bus, page } = self;
        // Its driver leaves a program alone when a session ends, now and then.
        let program = process_on(&data_dir).expect("the window runs");
        finish(Command::new("kill").args([signal, &program])).succeeded();
        // As long as it lives, it is the one that a second start finds.
        until("the end of the window", || process_on(&data_dir).is_none()).await;
        drop((page, driver));
        Self::open_in(home, &data_dir, bus).await
    }

    /// Where its service keeps its data.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The files that the program itself has in its memory, each as often as it is there.
    pub fn loaded(&self) -> Vec<String> {
        let program = process_on(&self.data_dir).expect("the window runs");
        let maps = std::fs::read_to_string(format!("/proc/{program}/maps")).unwrap();
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).map(str::to_owned).collect()
    }

    /// What the person decided about the window, as it is kept.
    pub fn decided(&self) -> String {
        std::fs::read_to_string(self.home.path().join(DECIDED)).unwrap_or_default()
    }

    /// The folder of the person: of settings, and of data in `data`.
    pub fn home(&self) -> &Path {
        self.home.path()
    }
}

/// `quarterdeck`, not yet started, as a person would start it.
pub fn desktop_program(home: &Path, data_dir: &Path) -> Command {
    let mut command = Command::new(program("quarterdeck"));
    prepare(&mut command, home, data_dir);
    command
}

/// # Panics
/// Without a display: a window that nobody could see is not tested.
fn prepare(command: &mut Command, home: &Path, data_dir: &Path) {
    assert!(
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()),
        "there is no display for the window. `make test` brings one; by hand: xvfb-run -a dbus-run-session -- cargo test -p e2e"
    );
    isolate(command, home);
    // What a program writes without saying where, such as a print to a file, goes with the folder.
    command.current_dir(home);
    // What a test puts there is found before the programs of the system.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(home.join("bin")).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(path).unwrap());
    // The bus of the tests starts no screen reader; without this GTK complains about that.
    command.env("NO_AT_BRIDGE", "1").env("QUARTERDECK_DATA_DIR", data_dir);
}

/// A window that does not outlive its test.
pub struct Started(pub Child);

impl Started {
    /// Tells it to end, as a system does that shuts down.
    pub fn tell_to_end(&self) {
        finish(Command::new("kill").args(["-TERM", &self.0.id().to_string()])).succeeded();
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Already gone is as good.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Where the service of a window on `data_dir` answers, once it does.
pub fn serves(data_dir: &Path) -> Option<String> {
    let told = std::fs::read_to_string(data_dir.join("server.lock")).ok()?;
    told.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
}

/// Waits until `condition` holds, a minute at most.
pub async fn until(what: &str, condition: impl Fn() -> bool) {
    let holds = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_mins(1), holds).await;
    waited.unwrap_or_else(|_| panic!("{what} was waited for during a minute"));
}

/// The number of the process whose data is in `data_dir`.
fn process_on(data_dir: &Path) -> Option<String> {
    let program = program("quarterdeck");
    // The web process of the window has the same environment.
    let found = with_environment(&format!("QUARTERDECK_DATA_DIR={}", data_dir.display()))
        .find(|process| std::fs::read_link(process.join("exe")).is_ok_and(|its| its == program));
    Some(found?.file_name()?.to_string_lossy().into_owned())
}
