//! Tests of the packages, built from the programs under test with the release scripts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::desktop::Window;
use crate::support::programs::{executable, finish, program};

/// The folder with the packages, beside the programs; built once for all tests.
fn made() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let programs = program("quarterdeck").parent().unwrap().to_owned();
        let out = programs.join("packages-under-test");
        // May be of another version; not an error if it does not exist.
        drop(std::fs::remove_dir_all(&out));
        finish(Command::new(project("packaging/build")).args([&programs, &out]).arg("quick")).succeeded();
        out
    })
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn package(start: &str, ending: &str) -> PathBuf {
    let files = std::fs::read_dir(made()).unwrap().map(|entry| entry.unwrap().path());
    let mut found = files.filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with(start) && name.ends_with(ending)
    });
    found.next().unwrap_or_else(|| panic!("there is no package {start}…{ending}"))
}

/// The output of `command`, which must succeed.
fn told(command: &mut Command) -> String {
    finish(command).succeeded().stdout
}

/// The files of a .deb, in a temporary folder.
fn unpacked(deb: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    told(Command::new("dpkg-deb").arg("-x").arg(deb).arg(folder.path()));
    folder
}

#[test]
fn the_window_declares_the_libraries_it_was_linked_with() {
    let deb = package("quarterdeck_", ".deb");
    let depends = told(Command::new("dpkg-deb").arg("-f").arg(&deb).arg("Depends"));
    for library in ["libwebkit2gtk-4.1-0", "libgtk-3-0", "libxmlsec1", "libxml2", "libssl3", "libc6 (>= "] {
        assert!(depends.contains(library), "{library} is not in {depends}");
    }
    let requires = told(Command::new("rpm").args(["-qp", "--requires"]).arg(package("quarterdeck-", ".rpm")));
    for library in
        ["libwebkit2gtk-4.1.so.0", "libgtk-3.so.0", "libxmlsec1.so.1", "libxml2.so.2", "libssl.so.3"]
    {
        assert!(requires.contains(library), "{library} is not in {requires}");
    }
}

#[test]
fn the_window_says_to_the_system_what_it_is_and_what_it_opens() {
    let files = unpacked(&package("quarterdeck_", ".deb"));
    let shared = files.path().join("usr/share");
    let entry = shared.join("applications/io.quarterdeck.desktop.desktop");
    told(Command::new("desktop-file-validate").arg(&entry));
    let entry = std::fs::read_to_string(entry).unwrap();
    assert!(entry.contains("\nExec=quarterdeck %F\n"), "{entry}");
    let opens = entry.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    for kind in ["text/csv", "application/vnd.apache.parquet", "application/json", "application/gzip"] {
        assert!(opens.split(';').any(|opened| opened == kind), "{kind} is not in {opens}");
    }
    told(
        Command::new("appstreamcli")
            .args(["validate", "--no-net"])
            .arg(shared.join("metainfo/io.quarterdeck.desktop.metainfo.xml")),
    );
    for size in ["32x32", "128x128", "256x256"] {
        assert!(shared.join(format!("icons/hicolor/{size}/apps/io.quarterdeck.desktop.png")).is_file());
    }
    let rpm = told(Command::new("rpm").args(["-qpl"]).arg(package("quarterdeck-", ".rpm")));
    assert!(
        rpm.lines().any(|file| file == "/usr/share/applications/io.quarterdeck.desktop.desktop"),
        "{rpm}"
    );
}

#[test]
fn the_service_is_locked_in_by_its_unit() {
    let files = unpacked(&package("quarterdeck-server_", ".deb"));
    let unit = "quarterdeck-server.service";
    let offline = |what: &[&str]| {
        let mut command = Command::new("systemd-analyze");
        command.args(what).arg(format!("--root={}", files.path().display())).arg(unit);
        finish(&mut command).succeeded()
    };
    // Minimal units of the system, which only need to exist.
    for target in ["sysinit", "basic", "shutdown", "network-online", "multi-user"] {
        std::fs::write(files.path().join(format!("usr/lib/systemd/system/{target}.target")), "[Unit]\n")
            .unwrap();
    }
    offline(&["verify", "--man=no"]);
    // The exposure rating of systemd-analyze, from 0 (none) to 100.
    offline(&["security", "--offline=true", "--threshold=20", "--no-pager"]);
    let units = files.path().join("usr/lib/systemd/system");
    let text = std::fs::read_to_string(units.join(unit)).unwrap();
    for line in [
        "DynamicUser=yes",
        "StateDirectory=quarterdeck",
        "ProtectSystem=strict",
        "CapabilityBoundingSet=",
        "SystemCallFilter=setpriority",
        // By default it goes where the output goes: nowhere.
        "StandardError=journal",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
    // With PrivateUsers it could not distinguish the other users of this computer, which it must for their cookies.
    assert!(!text.lines().any(|found| found.starts_with("PrivateUsers")), "{text}");
    assert!(files.path().join("usr/bin/quarterdeck-server").is_file());
    let conffiles = told(
        Command::new("dpkg-deb")
            .args(["--info"])
            .arg(package("quarterdeck-server_", ".deb"))
            .arg("conffiles"),
    );
    assert_eq!(conffiles.trim(), "/etc/default/quarterdeck-server");
}

/// Installs the package with dpkg, which resolves its dependencies among this system's packages, into an otherwise empty root. That root contains
/// the libraries, shared data and settings of this system, but no programs.
#[tokio::test]
async fn the_window_installed_into_an_empty_root_opens_and_serves() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let known = root.join("var/lib/dpkg");
    for part in ["info", "updates", "triggers"] {
        std::fs::create_dir_all(known.join(part)).unwrap();
    }
    std::fs::copy("/var/lib/dpkg/status", known.join("status")).unwrap();
    told(
        Command::new("fakeroot")
            .arg("dpkg")
            .arg(format!("--root={}", root.display()))
            .args(["--force-not-root", "--log=/dev/null", "--install"])
            .arg(package("quarterdeck_", ".deb")),
    );
    let window = Window::open_installed(&start_in(&root, folder.path())).await;
    window.page.shows("Import cost files").await;
    // The package contains only this program.
    window
        .page
        .holds(
            "const commands = [...document.querySelectorAll('input[readonly]')].map(({ value }) => value);
             return commands.some((command) => command.startsWith('quarterdeck focus-export.csv --data-dir '));",
        )
        .await;
    window.page.close().await;
}

/// A script that starts the installed window inside `root`. The files that a debug build reads from the project at run time are available there
/// too: the schema and the pages, located relative to the folder of the crate `server`.
fn start_in(root: &Path, folder: &Path) -> PathBuf {
    let project = std::fs::canonicalize(project("")).unwrap();
    let text = format!(
        r#"#!/bin/sh
shared=''
for part in /usr/share/*; do
  [ -e "{root}$part" ] || shared="$shared --ro-bind $part $part"
done
exec bwrap --bind '{root}' / --ro-bind /usr/lib /usr/lib --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind-try /usr/lib64 /usr/lib64 \
  $shared --ro-bind /etc /etc --ro-bind-try /sys /sys --ro-bind-try /run /run --proc /proc --dev /dev --bind /tmp /tmp --bind "$HOME" "$HOME" \
  --dir '{project}/src-tauri/crates/server' --ro-bind '{project}/schema' '{project}/schema' --ro-bind '{project}/ui/dist' '{project}/ui/dist' \
  --unshare-pid --die-with-parent /usr/bin/quarterdeck "$@"
"#,
        root = root.display(),
        project = project.display()
    );
    executable(folder, "start", &text)
}
