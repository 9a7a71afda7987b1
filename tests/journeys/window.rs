//! The window as a program: started, started again, refused, ended.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::spend::restated;
use crate::support::browser::Chromium;
use crate::support::desk::{Desk, Screen, WINDOW, until_ended};
use crate::support::desktop::{Started, Window, desktop_program, serves, until, without_bus};
use crate::support::fixture;
use crate::support::home::{Home, with_environment};
use crate::support::programs::{Outcome, executable, finish, run};
use crate::support::service::Service;

#[tokio::test]
async fn a_window_that_cannot_start_its_service_says_why() {
    let service = Service::start();
    let window = Window::open_on(service.data_dir()).await;
    window.page.shows("Quarterdeck did not start").await;
    window.page.shows("Another Quarterdeck server uses the data directory").await;
    window.page.shows("without a window").await;
    window.page.shows(&service.address).await;
    window.page.close().await;
}

#[tokio::test]
async fn a_window_that_opened_before_its_service_failed_gives_way_to_the_one_that_says_why() {
    let home = Home::new();
    let tables = home.path().join("catalogue/tables");
    std::fs::create_dir_all(&tables).unwrap();
    std::fs::write(tables.join("cost.graphql"), "type spends @tabel { id: uuid! @key }").unwrap();
    let said = home.path().join("said");
    let screen = Screen::new();
    let mut program = desktop_program(home.path(), &home.path().join("data"));
    program.env("QUARTERDECK_SCHEMA", home.path().join("catalogue")).env("DISPLAY", &screen.name);
    program.stdout(Stdio::null()).stderr(std::fs::File::create(&said).unwrap());
    let mut program = Started(program.spawn().unwrap());
    // The window with the pages is larger.
    let sizes = || -> Vec<String> {
        screen.windows(&program.0, "Quarterdeck").iter().map(|window| screen.size(window)).collect()
    };
    until("the window that says why, and no other", || sizes() == ["640x360"]).await;
    let said = std::fs::read_to_string(said).unwrap();
    assert!(said.contains("tables/cost.graphql:1: @tabel is unknown here"), "{said}");
    end(&mut program);
}

#[test]
fn a_display_that_does_not_answer_is_named() {
    let home = Home::new();
    let mut program = desktop_program(home.path(), &home.path().join("data"));
    // Far above the display numbers of the tests, which start low: a display that has just closed may be reused by another test.
    let gone = ":59321";
    let ended = program.env("DISPLAY", gone).env_remove("WAYLAND_DISPLAY").output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("the display does not answer (DISPLAY={gone})")), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[tokio::test]
async fn drawn_plainly_the_program_itself_loads_no_driver_of_a_graphics_card() {
    let window = Window::open_drawn_plainly().await;
    window.page.shows("Import cost files").await;
    let loaded = window.loaded();
    assert!(loaded.iter().any(|file| file.contains("libwebkit2gtk")), "{loaded:?}");
    // Mesa's drivers, and the compiler they need: 50 MB.
    let drivers: Vec<&String> = loaded
        .iter()
        .filter(|file| ["_dri.so", "libgallium", "libLLVM"].iter().any(|name| file.contains(name)))
        .collect();
    assert!(drivers.is_empty(), "{drivers:?}");
    window.page.close().await;
}

#[tokio::test]
async fn files_handed_to_the_window_wait_until_somebody_says_import() {
    files_wait(Window::open_with(&[fixture("september.csv")]).await).await;
}

#[tokio::test]
async fn files_are_handed_to_the_window_without_a_message_bus() {
    files_wait(Window::open_with_without_bus(&[fixture("september.csv")]).await).await;
}

async fn files_wait(window: Window) {
    let page = &window.page;
    page.shows("Waiting for you").await;
    page.shows("september.csv").await;

    // "Open with" while the window is open: the second start passes the file on and exits.
    let second = window.start_second(&[fixture("instances.csv")]);
    assert!(second.success(), "the second start ended with {second}");
    page.shows("instances.csv").await;
    page.press("Leave out instances.csv").await;
    page.press("Import 1 file").await;
    page.shows("12 imported").await;
    page.shows_no_more("Waiting for you").await;

    // After closing and reopening, everything is there.
    let window = window.reopen().await;
    window.page.shows("$32.88").await;
    window.page.close().await;
}

#[tokio::test]
async fn files_that_wait_outlive_the_window_however_it_ends() {
    let window = Window::open().await;
    let bill = window.home().join("bill.csv");
    std::fs::copy(fixture("september.csv"), &bill).unwrap();
    assert!(window.start_second(&[bill.clone(), fixture("instances.csv")]).success());
    window.page.shows("instances.csv").await;

    let window = window.reopen_killed().await;
    window.page.shows("Import 2 files").await;

    // As if on a removed disk.
    let aside = window.home().join("aside");
    std::fs::rename(&bill, &aside).unwrap();
    let window = window.reopen().await;
    let page = &window.page;
    page.shows("Moved or removed").await;
    page.press("Leave out instances.csv").await;
    page.shows_no_more("instances.csv").await;
    page.shows("bill.csv").await;
    std::fs::rename(&aside, &bill).unwrap();
    page.press("Look again").await;
    page.press("Import 1 file").await;
    page.shows("12 imported").await;
    page.shows_no_more("Waiting for you").await;
    window.page.close().await;
}

#[tokio::test]
async fn a_name_that_leads_to_no_file_is_said_where_it_was_typed() {
    let window = Window::open().await;
    let gone = window.home().join("gone.csv");
    let program = desktop_program(window.home(), window.data_dir());
    let ended = in_terminal(&program, &[fixture("september.csv"), gone.clone()]);
    let expected = format!(
        "quarterdeck: {} is not there\nquarterdeck: expected files to import, or folders of them; nothing was put forward. \
         Start it again with names that are there\n",
        gone.display()
    );
    assert_eq!(ended.stdout.replace("\r\n", "\n"), expected);
    assert_eq!(ended.code, 1);
    // The other file is not queued either.
    let page = &window.page;
    page.run("location.assign('/imports');").await;
    page.shows("Drop cost files").await;
    assert!(!page.text().await.contains("Waiting for you"));
    window.page.close().await;
}

#[tokio::test]
async fn of_files_handed_over_by_another_program_those_wait_that_are_there_and_the_window_names_the_others() {
    let window = Window::open().await;
    let gone = window.home().join("gone.csv");
    let page = &window.page;
    page.run("location.assign('/imports');").await;
    page.shows("Drop cost files").await;
    let second = window.start_second(&[fixture("september.csv"), gone.clone()]);
    assert!(second.success(), "the second start ended with {second}");
    page.shows(&format!("{} is not there. It was not put forward.", gone.display())).await;
    page.shows("Import 1 file").await;
    window.page.close().await;
}

#[tokio::test]
async fn a_first_start_opens_the_window_over_a_name_that_leads_nowhere_and_says_so() {
    let desk = Desk::of_one_who_decided("stop");
    let mut program = desk.program();
    program.args([fixture("september.csv"), desk.home.path().join("gone.csv")]).stderr(Stdio::null());
    let mut window = Started(program.spawn().unwrap());
    let said = || desk.shows(&window, "^Not put forward$");
    until("what is said of it", said).await;
    let waiting = std::fs::read_to_string(desk.data_dir.join("window/files.json")).unwrap();
    assert!(waiting.contains("september.csv") && !waiting.contains("gone.csv"), "{waiting}");
    desk.press(&window, "^Not put forward$", "Return", "the window alone", || !said()).await;
    desk.close(&window).await;
    until_ended(&mut window).await;
}

/// Runs `program` with `files` in a terminal and returns its output.
fn in_terminal(program: &Command, files: &[PathBuf]) -> Outcome {
    let mut terminal = Command::new("script");
    // Names in environment variables are not split by the shell.
    let line = "exec \"$PROGRAM\" \"$ONE\" \"$OTHER\"";
    terminal.args(["--quiet", "--return", "--command", line, "/dev/null"]);
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => terminal.env(name, value),
            None => terminal.env_remove(name),
        };
    }
    terminal.env("PROGRAM", program.get_program()).env("ONE", &files[0]).env("OTHER", &files[1]);
    finish(&mut terminal)
}

#[tokio::test]
async fn a_second_start_hands_on_what_lets_the_window_come_forward_and_no_other_program_has_it() {
    let desk = Desk::of_one_who_decided("stop");
    let mut program = desk.program();
    program.env("XDG_ACTIVATION_TOKEN", "first-7").env("DESKTOP_STARTUP_ID", "first-7");
    let mut window = Started(program.spawn().unwrap());
    until("a service", || serves(&desk.data_dir).is_some()).await;
    until("a window", || desk.shows(&window, WINDOW)).await;
    let of_home = format!("HOME={}", desk.home.path().display());
    until("the program that draws its pages", || with_environment(&of_home).count() > 1).await;
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
        let has_it: Vec<PathBuf> = with_environment(&format!("{name}=first-7")).collect();
        assert_eq!(has_it, [PathBuf::from(format!("/proc/{}", window.0.id()))], "{name}");
    }

    let shown = desk.screen.windows(&window.0, WINDOW).pop().unwrap();
    for (name, token) in [("XDG_ACTIVATION_TOKEN", "kwin-12"), ("DESKTOP_STARTUP_ID", "files_TIME345")] {
        assert!(desk.program().env(name, token).status().unwrap().success());
        until("what the second start was handed", || {
            desk.screen.property(&shown, "_NET_STARTUP_ID").contains(token)
        })
        .await;
    }
    desk.close(&window).await;
    until_ended(&mut window).await;
}

#[tokio::test]
async fn what_could_not_be_saved_or_opened_elsewhere_is_said_on_the_page() {
    let window = Window::open_without_browser().await;
    let page = &window.page;
    page.shows("Import cost files").await;
    page.run("location.assign('https://focus.finops.org/');").await;
    page.shows("The system's browser did not open https://focus.finops.org/").await;
    page.shows("Open that address in a browser yourself.").await;

    // A file saved again gets another name.
    let save = "const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob(['a,b']));
        link.download = 'spends.csv';
        link.click();";
    for name in ["spends.csv", "spends (1).csv"] {
        page.run(save).await;
        until("a file that is saved", || {
            std::fs::read_to_string(window.home().join(name)).is_ok_and(|text| text == "a,b")
        })
        .await;
    }
    // The downloads folder is missing, as on a removed disk.
    let gone = window.home().join("gone");
    let folders = format!("XDG_DOWNLOAD_DIR=\"{}\"\n", gone.display());
    std::fs::write(window.home().join("user-dirs.dirs"), folders).unwrap();
    page.run(save).await;
    page.shows(&format!("{} was not saved.", gone.join("spends.csv").display())).await;
    window.page.close().await;
}

#[tokio::test]
async fn the_page_shows_in_its_own_letters_what_was_imported_meanwhile() {
    let window = Window::open().await;
    let page = &window.page;
    let import = |bill: PathBuf| {
        run(window.data_dir(), &["import", &bill.display().to_string()]).succeeded();
    };
    page.shows("Import cost files").await;
    import(fixture("september.csv"));
    page.shows("$32.88").await;
    // A missing font family would be searched on this computer, with its fallbacks, before anything is shown.
    page.holds(
        "const ours = /^\"?(Inter|JetBrains Mono) Variable/;
         const parts = [...document.querySelectorAll('#root *')];
         return parts.some((part) => part.matches('canvas')) && parts.every((part) => ours.test(getComputedStyle(part).fontFamily));",
    )
    .await;
    page.follow("Costs").await;
    page.shows("$3.33").await;
    import(restated(window.home()));
    page.run("location.assign('/overview');").await;
    page.shows("$132.88").await;
    window.page.close().await;
}

#[tokio::test]
async fn who_signs_out_in_the_window_is_let_in_by_opening_it_again() {
    let window = Window::open().await;
    let page = &window.page;
    page.shows("Import cost files").await;
    page.press("LALocal administrator").await;
    page.shows("Sign out").await;
    // The second entry of the menu, after the time zone.
    page.type_text("\u{e015}\u{e015}\u{e007}").await;
    page.shows("Or open the window again").await;
    assert!(!page.text().await.contains("quarterdeck-server"), "another program, which may not be there");
    page.run("location.assign('/imports');").await;
    page.shows("Or open the window again").await;

    let window = window.reopen().await;
    window.page.shows("Import cost files").await;
    window.page.close().await;
}

#[tokio::test]
async fn without_a_network_the_window_asks_its_own_service_as_before() {
    let window = Window::open().await;
    let page = &window.page;
    page.shows("Import cost files").await;
    // The event that the web view fires when the last network is gone.
    page.run("dispatchEvent(new Event('offline'));").await;
    page.follow("Settings").await;
    page.follow("Window").await;
    page.shows("Usual size").await;
    page.press("Larger").await;
    until("a size that is kept", || window.decided().contains("1.1")).await;
    window.page.close().await;
}

#[tokio::test]
async fn a_second_start_hands_over_to_the_open_window() {
    hands_over(|_| {}).await;
}

#[tokio::test]
async fn a_second_start_hands_over_without_a_message_bus() {
    let said = hands_over(without_bus).await;
    // Nothing is wrong, and no warning is logged.
    let trouble =
        said.lines().find(|line| ["WARN", "ERROR", "panicked"].iter().any(|word| line.contains(word)));
    assert_eq!(trouble, None, "{said}");
}

#[tokio::test]
async fn a_window_that_is_told_to_end_while_it_starts_ends_in_good_order() {
    let home = Home::new();
    let data_dir = home.path().join("data");
    let mut program = Started(desktop_program(home.path(), &data_dir).spawn().unwrap());
    until("a service that starts", || data_dir.join("server.lock").exists()).await;
    end(&mut program);
}

/// Sends SIGTERM to the program and waits until it has ended.
fn end(program: &mut Started) {
    program.tell_to_end();
    let ended = program.0.wait().unwrap();
    assert!(ended.success(), "told to end, the window ended with {ended}");
}

/// Starts the program twice in the same environment. Returns the terminal output of the first one.
async fn hands_over(surround: impl Fn(&mut Command)) -> String {
    let home = Home::new();
    let data_dir = home.path().join("data");
    let start = || {
        let mut program = desktop_program(home.path(), &data_dir);
        surround(&mut program);
        program.stdout(Stdio::null());
        program
    };
    let said = home.path().join("said");
    let mut first = Started(start().stderr(std::fs::File::create(&said).unwrap()).spawn().unwrap());
    until("a service", || serves(&data_dir).is_some()).await;

    let second = start().status().unwrap();
    assert!(second.success(), "the second start ended with {second}");
    assert!(first.0.try_wait().unwrap().is_none(), "the first window is gone");

    end(&mut first);
    std::fs::read_to_string(said).unwrap()
}

#[tokio::test]
async fn a_page_opened_in_the_browser_is_signed_in_once_and_only_for_this_user() {
    let window = Window::open().await;
    window.page.shows("Import cost files").await;
    // The folder with the session cookie of the web view.
    let kept = std::fs::metadata(window.home().join("io.quarterdeck.desktop")).unwrap();
    assert_eq!(kept.permissions().mode() & 0o777, 0o700, "others may read what the window keeps");
    let (bin, opened) = (window.home().join("bin"), window.home().join("opened"));
    std::fs::create_dir(&bin).unwrap();
    // A stub of the program that opens addresses: it only records the address.
    let text = format!("#!/bin/sh\nprintf %s \"$1\" > '{0}.new' && mv '{0}.new' '{0}'\n", opened.display());
    executable(&bin, "xdg-open", &text);
    let asks =
        "fetch('/api/host/open-in-browser', { method: 'POST', body: JSON.stringify({ path: '/imports' }) });";
    window.page.run(asks).await;
    until("an address to open", || opened.is_file()).await;
    let link = std::fs::read_to_string(&opened).unwrap();
    let (page, code) = link.split_once("#code=").unwrap();
    assert!(page.ends_with("/imports"), "{link}");

    // The address was on a command line, which other users of this computer can read: they cannot use it.
    let service = page.strip_suffix("/imports").unwrap();
    let tries = format!(
        "import urllib.request as r\nr.urlopen(r.Request('{service}/api/auth/link', b'{{\"code\": \"{code}\"}}'))"
    );
    let other = ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", &tries];
    let outcome = Command::new("setpriv").args(other).output().unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr);
    // Only root can act as another user.
    if !said.contains("setresuid") && !said.contains("setgroups") {
        assert!(said.contains("HTTP Error 4"), "{said}");
    }

    let chromium = Chromium::start().await;
    chromium.page.open(&link).await;
    chromium.page.is_at("/imports").await;
    chromium.page.shows("No costs imported yet").await;
    chromium.page.close().await;
    window.page.close().await;
}
