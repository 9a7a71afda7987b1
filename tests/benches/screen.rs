//! A screen that nobody sees, whose picture is a file: what is on it, and since when.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often the screen is looked at.
const LOOK: Duration = Duration::from_millis(4);
/// So many lines lie between two that are looked at.
const STEP: u32 = 10;
/// A picture on which nothing has changed for so long is complete.
const QUIET: Duration = Duration::from_secs(3);
/// How long anything may take to be shown.
const PATIENCE: Duration = Duration::from_mins(2);

/// Ends with this value.
pub struct Screen {
    server: Child,
    picture: File,
    /// Where the lines of the picture begin in the file, and how long one is, in bytes.
    lines: u64,
    line: u64,
    height: u32,
    /// For `DISPLAY`.
    pub name: String,
}

/// When something was on the screen, after the moment that was asked about.
#[derive(Debug, Clone, Copy)]
pub struct Painted {
    /// Anything of a page: the picture begins to look as it will.
    pub first: Duration,
    /// All of it but one part in a hundred.
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
        // The head of an X window dump: numbers of four bytes, the highest first.
        let mut head = [0; 100];
        picture.read_exact_at(&mut head, 0).expect("it has a head");
        let number_at =
            |place: usize| u32::from_be_bytes(head[4 * place..4 * place + 4].try_into().expect("four bytes"));
        let lines = u64::from(number_at(0)) + u64::from(number_at(19)) * 12;
        let (line, height) = (u64::from(number_at(12)), number_at(5));
        Self { server, picture, lines, line, height, name: format!(":{}", number.trim()) }
    }

    /// Waits until what `began` shows is complete; when it was painted. The screen is empty when that begins.
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
                // What blinks is no change.
                if share > 0.001 {
                    changed = began.elapsed();
                }
                seen.push((began.elapsed(), now));
            }
        }
        let last = &seen.last().expect("there is one").1;
        let lacking: Vec<(Duration, f64)> =
            seen.iter().map(|(when, picture)| (*when, differing(picture, last))).collect();
        // From when on it never lacks more than that share of what changed in all.
        let all = lacking[0].1;
        let since = |share: f64| {
            let until = lacking.iter().rposition(|(_, lacks)| *lacks > share * all).unwrap_or_default();
            lacking[until + 1].0
        };
        Painted { first: since(0.5), complete: since(0.01) }
    }

    /// Waits until nothing is on it.
    pub fn wait_until_empty(&self, empty: &[u8]) {
        let began = Instant::now();
        while differing(&self.look(), empty) > 0.001 {
            assert!(began.elapsed() < PATIENCE, "the window did not go within {PATIENCE:?}");
            std::thread::sleep(LOOK);
        }
    }

    /// Every so many-th line of the picture.
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
        // Already gone is as good.
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

/// The share of points that differ, 0 to 1.
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
