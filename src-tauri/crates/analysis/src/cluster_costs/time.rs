//! The time that the tool's costs and the bill both cover.

use std::collections::BTreeSet;

/// One day in µs.
pub(super) const DAY: i64 = 86_400_000_000;

/// A time window, µs since 1970 UTC; the end is exclusive.
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

/// Disjoint time spans that do not touch, in order.
#[derive(Debug, Default)]
pub(super) struct Spans(Vec<Window>);

impl Spans {
    /// The union of windows, which must be sorted.
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

    /// The first span that ends after a time.
    fn at(&self, time: i64) -> Option<Window> {
        self.0.get(self.0.partition_point(|span| span.end <= time)).copied()
    }

    /// Whether one span contains the whole window.
    pub fn contains(&self, window: Window) -> bool {
        self.at(window.start).is_some_and(|span| span.start <= window.start && window.end <= span.end)
    }

    /// Whether any span overlaps the window.
    pub fn meets(&self, window: Window) -> bool {
        self.at(window.start).is_some_and(|span| span.start < window.end)
    }

    /// From the start of the first span to the end of the last.
    pub fn whole(&self) -> Option<Window> {
        Some(Window { start: self.0.first()?.start, end: self.0.last()?.end })
    }

    /// Its length in µs.
    pub fn length(&self) -> i64 {
        self.0.iter().map(|span| span.length()).sum()
    }
}

/// The windows of a tool that a bill also covers, and their union.
///
/// A window counts if it lies between the start of the first and the end of the last charge inside the union of all windows, and if it does not
/// overlap a charge of at most one day that extends beyond that union: the part of such a charge would have to be guessed. Longer charges that
/// extend beyond the union are ignored.
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
