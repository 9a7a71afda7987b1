//! Groups messages that differ only in numbers and names into one pattern.
//!
//! Uses Drain (He, Zhu, Zheng, Lyu: "Drain: An Online Log Parsing Approach with Fixed Depth Tree",
//! ICWS 2017) with a tree of two levels: the number of words and the first word.

use super::level::Level;
use std::collections::HashMap;

/// Placeholder for a word that varies between lines.
pub(super) const WILDCARD: &str = "<*>";
/// Number of words of a message that are compared; later words are ignored.
const MAX_WORDS: usize = 60;
/// Maximum number of patterns. After that, a message that matches no pattern is only counted in [`Miner::left_out`].
const MAX_PATTERNS: usize = 2_000;
/// Percentage of words that must be equal for a message to match a pattern.
const MIN_EQUAL_PERCENT: usize = 50;

/// A pattern: a group of messages with the same template.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    words: Vec<String>,
    pub count: i64,
    /// The most severe level of its lines.
    pub level: Level,
    /// Times of the first and the last line, µs since 1970 UTC.
    pub first: i64,
    pub last: i64,
    /// One of the messages that match the pattern.
    pub example: String,
}

impl Pattern {
    /// The words of the pattern, with `<*>` for words that vary.
    pub(super) fn template(&self) -> String {
        self.words.join(" ")
    }

    /// Counts the words that are equal at the same position, and how many of these are not wildcards.
    fn count_equal_words(&self, words: &[&str]) -> (usize, usize) {
        let mut same = (0, 0);
        for (own, other) in self.words.iter().zip(words) {
            if own == other {
                same.0 += 1;
                same.1 += usize::from(own != WILDCARD);
            }
        }
        same
    }
}

/// Collects the patterns of the lines added so far.
#[derive(Debug, Default)]
pub(super) struct Miner {
    patterns: Vec<Pattern>,
    /// Indices into `patterns`, by number of words and first word.
    tree: HashMap<(usize, String), Vec<usize>>,
    /// Number of lines that matched no pattern after the maximum number of patterns was reached.
    pub left_out: i64,
}

impl Miner {
    /// Adds a line with its `level` and its `time` in µs since 1970 UTC.
    pub(super) fn add(&mut self, message: &str, level: Level, time: i64) {
        let words: Vec<&str> = message
            .split_whitespace()
            .take(MAX_WORDS)
            .map(|word| if is_variable(word) { WILDCARD } else { word })
            .collect();
        let first = words.first().copied().unwrap_or_default();
        let leaf = self.tree.entry((words.len(), first.to_owned())).or_default();
        let fits = |at: &usize| {
            let same = self.patterns[*at].count_equal_words(&words);
            (same.0 * 100 >= words.len() * MIN_EQUAL_PERCENT).then_some((same, *at))
        };
        let best = leaf.iter().filter_map(fits).max_by_key(|(same, at)| (*same, std::cmp::Reverse(*at)));
        if let Some((_, at)) = best {
            let pattern = &mut self.patterns[at];
            for (own, other) in pattern.words.iter_mut().zip(&words) {
                if own != other {
                    WILDCARD.clone_into(own);
                }
            }
            pattern.count += 1;
            pattern.level = pattern.level.min(level);
            (pattern.first, pattern.last) = (pattern.first.min(time), pattern.last.max(time));
        } else if self.patterns.len() < MAX_PATTERNS {
            leaf.push(self.patterns.len());
            let words = words.into_iter().map(str::to_owned).collect();
            let example = message.to_owned();
            self.patterns.push(Pattern { words, count: 1, level, first: time, last: time, example });
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the total number of patterns, and the `limit` patterns with the most lines. Ties are ordered by severity, then by words.
    pub(super) fn top(mut self, limit: usize) -> (usize, Vec<Pattern>) {
        let all = self.patterns.len();
        self.patterns.sort_by(|left, right| {
            right
                .count
                .cmp(&left.count)
                .then_with(|| left.level.cmp(&right.level))
                .then_with(|| left.words.cmp(&right.words))
        });
        self.patterns.truncate(limit);
        (all, self.patterns)
    }
}

/// Whether a word is treated as variable because it contains a digit: a number, a time or an id.
fn is_variable(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Level, Miner};

    fn templates(lines: &[&str]) -> Vec<(String, i64)> {
        let mut miner = Miner::default();
        for (time, line) in (0..).zip(lines) {
            miner.add(line, Level::Info, time);
        }
        miner.top(10).1.iter().map(|pattern| (pattern.template(), pattern.count)).collect()
    }

    #[test]
    fn numbers_and_names_that_differ_are_one_pattern() {
        let found = templates(&[
            "GET /cart/17 took 30 ms",
            "connection to db refused by host alpha",
            "GET /cart/18 took 41 ms",
            "connection to db refused by host beta",
            "GET /cart/19 took 2 ms",
            "shutting down",
        ]);
        let expected =
            [("GET <*> took <*> ms", 3), ("connection to db refused by host <*>", 2), ("shutting down", 1)];
        assert_eq!(found, expected.map(|(template, count)| (template.to_owned(), count)));
    }

    #[test]
    fn messages_that_share_few_words_stay_apart() {
        let found = templates(&["error reading the disk now", "error writing a table here"]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(templates(&["", "  "]), [(String::new(), 2)]);
    }

    #[test]
    fn a_pattern_has_the_worst_level_and_the_time_of_its_lines() {
        let mut miner = Miner::default();
        miner.add("retry 1 of 3", Level::Info, 20);
        miner.add("retry 2 of 3", Level::Error, 10);
        let (all, most) = miner.top(1);
        assert_eq!((all, most[0].level, most[0].first, most[0].last), (1, Level::Error, 10, 20));
        assert_eq!(most[0].example, "retry 1 of 3");
    }

    #[test]
    fn what_fits_no_pattern_is_counted_when_there_are_too_many() {
        let mut miner = Miner::default();
        for number in 0..super::MAX_PATTERNS + 5 {
            let word: String = number.to_string().bytes().map(|byte| char::from(byte + 49)).collect();
            miner.add(&word, Level::Info, 0);
        }
        assert_eq!(miner.left_out, 5);
        assert_eq!(miner.top(3).0, super::MAX_PATTERNS);
    }
}
