//! Handles `logs_summarise`: counts the lines of a window by level and by time, and lists the most frequent message patterns.

use super::level::{LEVELS, Level};
use super::patterns::Miner;
use super::search::Search;
use crate::kit::Arguments;
use catalogue::format_timestamp;
use graphql::{Call, Refusal};
use model::operations::{LogsLevelCount, LogsPart, LogsPattern, LogsSummary};

/// Number of equal time intervals that the window is split into: the default and the maximum.
const PARTS: i64 = 60;
const MAX_PARTS: i64 = 500;
/// Maximum number of patterns per response.
const MAX_PATTERNS: i64 = 200;

/// The counter for `level` in one interval of the window.
fn part_of(part: &mut LogsPart, level: Level) -> &mut i64 {
    match level {
        Level::Error => &mut part.error,
        Level::Warn => &mut part.warn,
        Level::Info => &mut part.info,
        Level::Debug => &mut part.debug,
    }
}

/// Handles `logs_summarise`.
pub(super) fn summarise(call: &Call<'_>) -> Result<LogsSummary, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let within = |name: &str, usual: i64, least: i64, most: i64| {
        let number = request.whole(name).unwrap_or(usual);
        let message = || format!("`{name}` is {number}: expected {least} to {most}");
        Some(number)
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| Refusal::invalid(message()))
    };
    let parts = within("parts", PARTS, 1, MAX_PARTS)?;
    let limit = within("patterns", 0, 0, MAX_PATTERNS)?;
    let search = Search::in_window(call, request)?;
    let (start, length) = (search.start, (search.end - search.start).max(1));
    let mut found: Vec<LogsPart> =
        (0..parts).map(|_| LogsPart { error: 0, warn: 0, info: 0, debug: 0 }).collect();
    let mut levels = LEVELS.map(|level| (level, 0_i64));
    let mut miner = Miner::default();
    search.each(call.rows, |line| {
        let level = Level::of(line.severity);
        let place = i128::from(line.time - start) * i128::from(parts) / i128::from(length);
        if let Some(part) = usize::try_from(place).ok().and_then(|place| found.get_mut(place)) {
            *part_of(part, level) += 1;
        }
        if let Some((_, count)) = levels.iter_mut().find(|(known, _)| *known == level) {
            *count += 1;
        }
        if limit > 0 {
            miner.add(line.message, level, line.time);
        }
    })?;
    let unmatched = miner.left_out;
    let (pattern_total, patterns) = miner.top(usize::try_from(limit).unwrap_or_default());
    let time = |at: i64| format!("{}Z", format_timestamp(at));
    let patterns = patterns.into_iter().map(|pattern| LogsPattern {
        template: pattern.template(),
        count: pattern.count,
        level: pattern.level.name().to_owned(),
        first_at: time(pattern.first),
        last_at: time(pattern.last),
        example: pattern.example,
    });
    Ok(LogsSummary {
        total: levels.iter().map(|(_, count)| count).sum(),
        levels: levels
            .map(|(level, count)| LogsLevelCount { level: level.name().to_owned(), count })
            .into_iter()
            .collect(),
        pattern_total: i64::try_from(pattern_total).unwrap_or(i64::MAX),
        unmatched,
        patterns: patterns.collect(),
        parts: found,
    })
}
