//! Ranks how well a name matches a search text.

use crate::kit::values::escape_like;
use store::fold;

/// The quality of a match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// The name equals the text.
    Exact,
    /// The name starts with the text.
    Prefix,
    /// A word in the name starts with the text.
    WordPrefix,
    /// The text occurs inside a word, or its words occur separately.
    Substring,
}

/// Maximum number of words of the search text that are used; further words are ignored.
const MAX_WORDS: usize = 8;

/// A search text. Matching ignores case.
pub(super) struct SearchText {
    /// The text as the caller entered it.
    pub text: String,
    /// The text in lower case.
    pub folded: String,
}

impl SearchText {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), folded: fold(text).into_owned() }
    }

    /// The best rank of several names. [`Rank::Substring`] if the database matched a name that this case folding does not match.
    pub(super) fn rank<'n>(&self, names: impl Iterator<Item = &'n str>) -> Rank {
        names.map(|name| self.rank_of(name)).min().unwrap_or(Rank::Substring)
    }

    fn rank_of(&self, name: &str) -> Rank {
        let name = fold(name);
        if name == self.folded {
            return Rank::Exact;
        }
        if name.starts_with(&self.folded) {
            return Rank::Prefix;
        }
        let mut matches = name.match_indices(&self.folded);
        if matches.any(|(at, _)| begins_word(&name[..at])) { Rank::WordPrefix } else { Rank::Substring }
    }

    /// The text as a LIKE pattern that matches it literally: `%` and `_` are escaped.
    pub(super) fn pattern(&self) -> String {
        escape_like(&self.text)
    }

    /// One escaped LIKE pattern per word. All words must occur in the names, in any order.
    pub(super) fn patterns(&self) -> impl Iterator<Item = String> + '_ {
        self.text.split_whitespace().take(MAX_WORDS).map(escape_like)
    }

    /// The words of the text in lower case.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.folded.split_whitespace().take(MAX_WORDS)
    }

    /// A regular expression that matches a word starting with the text.
    pub(super) fn word(&self) -> String {
        let mut pattern = String::from(r"(?:^|[^\p{L}\p{N}])");
        for letter in self.text.chars() {
            if r"\.+*?()|[]{}^$#&-~".contains(letter) {
                pattern.push('\\');
            }
            pattern.push(letter);
        }
        pattern
    }
}

/// Whether a word starts after `before`, the part of a name before a match.
pub(super) fn begins_word(before: &str) -> bool {
    before.chars().next_back().is_some_and(|c| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{Rank, SearchText};

    fn rank(text: &str, name: &str) -> Rank {
        SearchText::new(text).rank([name].into_iter())
    }

    #[test]
    fn an_exact_name_stands_before_a_prefix_a_word_and_a_middle() {
        assert_eq!(rank("node-5", "Node-5"), Rank::Exact);
        assert_eq!(rank("node-5", "node-572"), Rank::Prefix);
        assert_eq!(rank("572", "node-572"), Rank::WordPrefix);
        assert_eq!(rank("72", "node-572"), Rank::Substring);
        assert!(
            Rank::Exact < Rank::Prefix
                && Rank::Prefix < Rank::WordPrefix
                && Rank::WordPrefix < Rank::Substring
        );
    }

    #[test]
    fn a_later_word_counts_when_an_earlier_match_is_in_the_middle() {
        assert_eq!(rank("er", "pier errors"), Rank::WordPrefix);
        assert_eq!(rank("über", "Große Übersicht"), Rank::WordPrefix);
    }

    #[test]
    fn the_best_of_several_names_counts() {
        let sought = SearchText::new("i-0a");
        assert_eq!(sought.rank(["ledger", "i-0a"].into_iter()), Rank::Exact);
    }

    #[test]
    fn signs_of_patterns_stand_for_themselves() {
        let sought = SearchText::new(r"50%_a\b.c");
        assert_eq!(sought.pattern(), r"50\%\_a\\b.c");
        assert_eq!(SearchText::new(r"a_b  50%").patterns().collect::<Vec<_>>(), [r"a\_b", r"50\%"]);
        assert_eq!(sought.word(), r"(?:^|[^\p{L}\p{N}])50%_a\\b\.c");
    }
}
