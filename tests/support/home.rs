//! A user's home folder, and the programs that use it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A temporary home folder for programs. When dropped, it first kills the programs that still use it: helper processes of the web view outlive the
/// window for a moment and write into the folder, and a driver sometimes leaves a window running.
pub struct Home(TempDir);

impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let began = Instant::now();
        loop {
            let left = living_in(self.path());
            if left.is_empty() || began.elapsed() > Duration::from_secs(30) {
                return;
            }
            for process in left {
                // It may have ended already.
                drop(std::process::Command::new("kill").args(["-KILL", &process]).output());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The ids of the processes with this `home`.
fn living_in(home: &Path) -> Vec<String> {
    let home = format!("HOME={}", home.display());
    with_environment(&home).filter_map(|process| Some(process.file_name()?.to_str()?.to_owned())).collect()
}

/// The folders in `/proc` of the processes with `setting`, NAME=VALUE, in their environment.
pub fn with_environment(setting: &str) -> impl Iterator<Item = PathBuf> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).map(|entry| entry.path());
    processes.filter(move |process| {
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == setting.as_bytes())
    })
}

#[test]
fn what_runs_in_a_home_ends_with_it() {
    let home = Home::new();
    let folder = home.path().to_owned();
    // A program that writes as long as it runs.
    let writes = "while :; do mkdir -p \"$HOME/kept\"; echo > \"$HOME/kept/$$\"; done";
    let mut program =
        std::process::Command::new("sh").args(["-c", writes]).env("HOME", home.path()).spawn().unwrap();
    drop(home);
    assert!(program.try_wait().unwrap().is_some(), "the program outlives its home");
    assert!(!folder.exists());
}
