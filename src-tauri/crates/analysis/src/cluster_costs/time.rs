//! Which time a tool and a bill both tell.

use std::collections::BTreeSet;

/// µs of a day.
pub(super) const DAY: i64 = 86_400_000_000;

/// A time, µs since 1970 UTC; the end is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Window {
    pub start: i64,
    pub end: i64,
}

impl Window {
    fn length(self) -> i64 {
        self.end - self.start
    }
}

/// Times that do not touch each other, in order.
#[derive(Debug, Default)]
pub(super) struct Spans(Vec<Window>);

impl Spans {
    /// All the time of some windows, which come in order.
    fn of<'w>(windows: impl Iterator<Item = &'w Window>) -> Self {
        let mut spans: Vec<Window> = Vec::new();
        for window in windows {
            match spans.last_mut() {
                Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
                _ => spans.push(*window),
            }
        }
        Self(spans)
    }

    /// The first one that ends after a time.
    fn at(&self, time: i64) -> Option<Window> {
        self.0.get(self.0.partition_point(|span| span.end <= time)).copied()
    }

    /// Whether all of a time is in one of them.
    pub fn contains(&self, window: Window) -> bool {
        self.at(window.start).is_some_and(|span| span.start <= window.start && window.end <= span.end)
    }

    /// Whether any of a time is in one of them.
    pub fn meets(&self, window: Window) -> bool {
        self.at(window.start).is_some_and(|span| span.start < window.end)
    }

    /// From the first beginning to the last end.
    pub fn whole(&self) -> Option<Window> {
        Some(Window { start: self.0.first()?.start, end: self.0.last()?.end })
    }

    pub fn length(&self) -> i64 {
        self.0.iter().map(|span| span.length()).sum()
    }
}

/// The windows of a tool that a bill tells too, and all their time.
///
/// A window counts when it is no part of the time before the first and after the last charge that lies in the time of all windows, and when no charge of
/// a day or less reaches out of that time there: of such a charge a part would have to be guessed. Charges of more than a day that reach out of it are not
/// counted, and do not hinder.
pub(super) fn common(mut windows: BTreeSet<Window>, charges: &BTreeSet<Window>) -> (BTreeSet<Window>, Spans) {
    loop {
        let spans = Spans::of(windows.iter());
        let (inside, across): (Vec<&Window>, Vec<&Window>) = charges
            .iter()
            .filter(|charge| spans.meets(**charge))
            .partition(|charge| spans.contains(**charge));
        let across = Spans::of(across.into_iter().filter(|charge| charge.length() <= DAY));
        let first = inside.iter().map(|charge| charge.start).min().unwrap_or(i64::MAX);
        let last = inside.iter().map(|charge| charge.end).max().unwrap_or(i64::MIN);
        let is_told = |window: &Window| window.start >= first && window.end <= last && !across.meets(*window);
        let left: BTreeSet<Window> = windows.iter().copied().filter(is_told).collect();
        if left.len() == windows.len() {
            return (left, spans);
        }
        windows = left;
    }
}
