//! Finds tag keys that are spellings of the same key: `env`, `Env`, `environment`.

use std::collections::BTreeMap;

/// Abbreviations and their full words, both in lower case without punctuation.
const SHORT: [(&str, &str); 14] = [
    ("app", "application"),
    ("appname", "application"),
    ("applicationname", "application"),
    ("bu", "businessunit"),
    ("cc", "costcenter"),
    ("costcentre", "costcenter"),
    ("dept", "department"),
    ("env", "environment"),
    ("envname", "environment"),
    ("environmentname", "environment"),
    ("proj", "project"),
    ("projectname", "project"),
    ("svc", "service"),
    ("teamname", "team"),
];
/// Shorter words that differ by one letter count as different words.
const LONG: usize = 6;

/// A key with its spellings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// Largest weight first.
    pub keys: Vec<String>,
}

/// Groups of keys that are the same key; only groups with several spellings, each sorted by descending weight. The weight of a key is for example
/// its cost.
pub fn clusters<W: Ord + Copy>(keys: &[(String, W)]) -> Vec<Spelling> {
    let mut by_word: BTreeMap<String, Vec<&(String, W)>> = BTreeMap::new();
    for key in keys {
        by_word.entry(word(&key.0)).or_default().push(key);
    }
    let words: Vec<String> = by_word.keys().cloned().collect();
    // A misspelled word joins the word that differs from it by one letter.
    for one in &words {
        let near =
            words.iter().find(|other| *other != one && by_word.contains_key(*other) && is_slip(one, other));
        if let Some(near) = near.filter(|near| weight(&by_word, near) >= weight(&by_word, one))
            && let Some(moved) = by_word.remove(one)
        {
            by_word.entry(near.clone()).or_default().extend(moved);
        }
    }
    let several = by_word.into_values().filter(|keys| keys.len() > 1);
    several
        .map(|mut keys| {
            keys.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
            Spelling { keys: keys.into_iter().map(|(key, _)| key.clone()).collect() }
        })
        .collect()
}

fn weight<W: Ord + Copy>(by_word: &BTreeMap<String, Vec<&(String, W)>>, word: &str) -> Option<W> {
    by_word.get(word)?.iter().map(|(_, weight)| *weight).max()
}

/// A key as a word: lower-case letters and digits only, abbreviations expanded, without a prefix before a colon (`user:team`).
fn word(key: &str) -> String {
    let last = key.rsplit(':').find(|part| !part.trim().is_empty()).unwrap_or(key);
    let letters = last.chars().filter(|letter| letter.is_alphanumeric() || *letter == '/');
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    SHORT.iter().find(|(short, _)| *short == plain).map_or(plain, |(_, whole)| (*whole).to_owned())
}

/// Whether two words differ by one letter replaced, missing, added, or swapped with its neighbour; or by a plural `s`.
fn is_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if long.len() == short.len() + 1
        && long.last() == Some(&'s')
        && long.starts_with(&short)
        && short.len() >= 3
    {
        return true;
    }
    if short.len() < LONG || long.len() > short.len() + 1 {
        return false;
    }
    let same = short.iter().zip(&long).take_while(|(one, other)| one == other).count();
    let (short, long) = (&short[same..], &long[same..]);
    match (short, long) {
        ([], _) => true,
        (short, [_, rest @ ..]) if short == rest => true,
        ([_, short @ ..], [_, long @ ..]) if short == long => true,
        ([a, b, short @ ..], [c, d, long @ ..]) => a == d && b == c && short == long,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(keys: &[(&str, u32)]) -> Vec<Vec<String>> {
        let keys: Vec<(String, u32)> =
            keys.iter().map(|(key, weight)| ((*key).to_owned(), *weight)).collect();
        clusters(&keys).into_iter().map(|spelling| spelling.keys).collect()
    }

    #[test]
    fn abbreviations_capitals_and_signs_are_the_same_key() {
        let keys = [("env", 5), ("Env", 1), ("environment", 9), ("team", 7), ("user:Team", 2), ("owner", 4)];
        assert_eq!(found(&keys), [vec!["environment", "env", "Env"], vec!["team", "user:Team"]]);
        assert_eq!(
            found(&[("cost-center", 1), ("Cost Centre", 2), ("CostCenter", 3)]),
            [vec!["CostCenter", "Cost Centre", "cost-center"]]
        );
    }

    #[test]
    fn slips_of_the_finger_join_what_is_used_more() {
        assert_eq!(found(&[("enviroment", 1), ("environment", 9)]), [vec!["environment", "enviroment"]]);
        assert_eq!(found(&[("project", 9), ("projects", 1)]), [vec!["project", "projects"]]);
        assert_eq!(found(&[("porject", 1), ("project", 9)]), [vec!["project", "porject"]]);
    }

    #[test]
    fn different_words_stay_apart() {
        for keys in [
            [("stage", 1), ("state", 2)],
            [("name", 1), ("game", 2)],
            [("app.kubernetes.io/name", 1), ("name", 2)],
            [("region", 1), ("reason", 2)],
        ] {
            assert_eq!(found(&keys), [[""; 0]; 0], "{keys:?}");
        }
    }
}
