//! A virtual screen whose image is a file: measures when something is painted.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Interval of checks of the screen.
const LOOK: Duration = Duration::from_millis(4);
/// Only every tenth line is checked.
const STEP: u32 = 10;
/// An image without changes for this time is complete.
const QUIET: Duration = Duration::from_secs(3);
/// Timeout for anything to be shown.
const PATIENCE: Duration = Duration::from_mins(2);

/// A virtual screen; the server is killed when dropped.
pub struct Screen {
    server: Child,
    picture: File,
    /// Offset of the first line of the image in the file, and the length of a line, in bytes.
    lines: u64,
    line: u64,
    height: u32,
    /// The value for `DISPLAY`.
    pub name: String,
}

/// When something was painted, relative to the start.
#[derive(Debug, Clone, Copy)]
pub struct Painted {
    /// The first part of the page: the image begins to resemble the final one.
    pub first: Duration,
    /// All of it except one percent.
    pub complete: Duration,
}

impl Screen {
    pub fn start(folder: &Path) -> Self {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1400x900x24",
                "-nolisten",
                "tcp",
                "-noreset",
                "-fbdir",
            ])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("it is piped"))
            .read_line(&mut number)
            .expect("Xvfb says which display it is");
        let picture = File::open(folder.join("Xvfb_screen0")).expect("Xvfb keeps its picture there");
        // The header of an X window dump: big-endian numbers of four bytes.
        let mut head = [0; 100];
        picture.read_exact_at(&mut head, 0).expect("it has a head");
        let number_at =
            |place: usize| u32::from_be_bytes(head[4 * place..4 * place + 4].try_into().expect("four bytes"));
        let lines = u64::from(number_at(0)) + u64::from(number_at(19)) * 12;
        let (line, height) = (u64::from(number_at(12)), number_at(5));
        Self { server, picture, lines, line, height, name: format!(":{}", number.trim()) }
    }

    /// Waits until the program started at `began` is completely shown. Returns when it was painted. The screen must be empty at the start.
    pub fn painted(&self, began: Instant) -> Painted {
        let empty = self.look();
        let mut seen = vec![(began.elapsed(), empty)];
        let mut changed = began.elapsed();
        while seen.len() == 1 || began.elapsed().saturating_sub(changed) < QUIET {
            assert!(began.elapsed() < PATIENCE, "nothing was complete on the screen after {PATIENCE:?}");
            std::thread::sleep(LOOK);
            let now = self.look();
            let share = differing(&now, &seen.last().expect("there is one").1);
            if share > 0.0 {
                // A blinking cursor does not count as a change.
                if share > 0.001 {
                    changed = began.elapsed();
                }
                seen.push((began.elapsed(), now));
            }
        }
        let last = &seen.last().expect("there is one").1;
        let lacking: Vec<(Duration, f64)> =
            seen.iter().map(|(when, picture)| (*when, differing(picture, last))).collect();
        // The time from which at most that share of all changes is missing.
        let all = lacking[0].1;
        let since = |share: f64| {
            let until = lacking.iter().rposition(|(_, lacks)| *lacks > share * all).unwrap_or_default();
            lacking[until + 1].0
        };
        Painted { first: since(0.5), complete: since(0.01) }
    }

    /// Waits until the screen is empty.
    pub fn wait_until_empty(&self, empty: &[u8]) {
        let began = Instant::now();
        while differing(&self.look(), empty) > 0.001 {
            assert!(began.elapsed() < PATIENCE, "the window did not go within {PATIENCE:?}");
            std::thread::sleep(LOOK);
        }
    }

    /// Every tenth line of the image.
    pub fn look(&self) -> Vec<u8> {
        let line = usize::try_from(self.line).expect("a few thousand");
        let places = (0..self.height).step_by(STEP as usize);
        let mut seen = vec![0; line * places.len()];
        for (place, into) in places.zip(seen.chunks_exact_mut(line)) {
            let at = self.lines + self.line * u64::from(place);
            self.picture.read_exact_at(into, at).expect("the picture has that line");
        }
        seen
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

/// The share of pixels that differ, 0 to 1.
fn differing(one: &[u8], other: &[u8]) -> f64 {
    let points = one.len() / 4;
    if one == other {
        return 0.0;
    }
    let count = one.chunks_exact(4).zip(other.chunks_exact(4)).filter(|(one, other)| one != other).count();
    #[expect(clippy::cast_precision_loss)]
    let share = count as f64 / points as f64;
    share
}
