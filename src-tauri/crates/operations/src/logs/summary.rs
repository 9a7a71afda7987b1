//! `logs_summarise`: how many lines there are in a window, by level and by time, and what they say over and over.

use super::level::{LEVELS, Level};
use super::patterns::Miner;
use super::search::Search;
use crate::kit::Arguments;
use catalogue::format_timestamp;
use graphql::{Call, Refusal};
use serde::Serialize;

/// Parts of the window that are counted apart, unless the request says otherwise, and at most.
const PARTS: i64 = 60;
const MOST_PARTS: i64 = 500;
/// Patterns of an answer at most.
const MOST_PATTERNS: i64 = 200;

/// What lines of a window are like.
#[derive(Serialize)]
pub(super) struct Summary {
    total: u64,
    levels: Vec<LevelCount>,
    parts: Vec<Part>,
    /// How many patterns there are.
    pattern_total: usize,
    /// Lines that are in no pattern, since there were too many of them.
    unmatched: u64,
    patterns: Vec<Pattern>,
}

#[derive(Serialize)]
struct LevelCount {
    level: Level,
    count: u64,
}

/// A part of the window, by its level.
#[derive(Serialize, Clone, Default)]
struct Part {
    error: u64,
    warn: u64,
    info: u64,
    debug: u64,
}

impl Part {
    fn of(&mut self, level: Level) -> &mut u64 {
        match level {
            Level::Error => &mut self.error,
            Level::Warn => &mut self.warn,
            Level::Info => &mut self.info,
            Level::Debug => &mut self.debug,
        }
    }
}

#[derive(Serialize)]
struct Pattern {
    template: String,
    count: u64,
    level: Level,
    first_at: String,
    last_at: String,
    example: String,
}

/// `logs_summarise`
pub(super) fn summarise(call: &Call<'_>) -> Result<Summary, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let within = |name: &str, usual: i64, least: i64, most: i64| {
        let number = request.whole(name).unwrap_or(usual);
        let message = || format!("`{name}` is {number}: expected {least} to {most}");
        Some(number)
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| Refusal::invalid(message()))
    };
    let parts = within("parts", PARTS, 1, MOST_PARTS)?;
    let limit = within("patterns", 0, 0, MOST_PATTERNS)?;
    let search = Search::in_window(call, request)?;
    let (start, length) = (search.start, (search.end - search.start).max(1));
    let mut found = vec![Part::default(); usize::try_from(parts).unwrap_or(1)];
    let mut miner = Miner::default();
    search.each(call.rows, |line| {
        let level = Level::of(line.severity);
        let place = i128::from(line.time - start) * i128::from(parts) / i128::from(length);
        if let Some(part) = usize::try_from(place).ok().and_then(|place| found.get_mut(place)) {
            *part.of(level) += 1;
        }
        if limit > 0 {
            miner.take(line.message, level, line.time);
        }
    })?;
    let count = |level| found.iter().map(|part| *part.clone().of(level)).sum::<u64>();
    let levels: Vec<LevelCount> =
        LEVELS.map(|level| LevelCount { level, count: count(level) }).into_iter().collect();
    let unmatched = miner.left_out;
    let (pattern_total, patterns) = miner.most(usize::try_from(limit).unwrap_or_default());
    let time = |at: i64| format!("{}Z", format_timestamp(at));
    let patterns = patterns.into_iter().map(|pattern| Pattern {
        template: pattern.template(),
        count: pattern.count,
        level: pattern.level,
        first_at: time(pattern.first),
        last_at: time(pattern.last),
        example: pattern.example,
    });
    Ok(Summary {
        total: levels.iter().map(|level| level.count).sum(),
        levels,
        pattern_total,
        unmatched,
        patterns: patterns.collect(),
        parts: found,
    })
}
