//! Checks which sentences of an answer cite evidence, and whether their figures occur in it.

use super::evidence::Evidence;
use regex::Regex;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Matches citations: `[Q1]`, `[Q1, K2]`
static CITATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[([A-Z]\d+(?:\s*[,;]\s*[A-Z]\d+)*)\]").expect("the pattern is sound"));
/// Matches amounts, percentages and counts, but not the digits of a date or a name.
static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\s(≈~+−-]|([$€£]))(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d+)(\s?%|\s?(?:percent|per cent|USD|EUR|GBP|dollars?|euros?)\b|\b)")
        .expect("the pattern is sound")
});

/// A sentence with the result of its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub text: String,
    pub cites: Vec<String>,
    /// Figures that occur in none of the cited rows: the model computed or invented them.
    pub unfound: Vec<String>,
    /// Whether the sentence contains any figure.
    pub has_figures: bool,
}

/// The evidence ids that a text cites, without duplicates.
pub(crate) fn cites(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for group in CITATION.captures_iter(text) {
        for id in group[1].split([',', ';']).map(str::trim) {
            if !found.iter().any(|known| known == id) {
                found.push(id.to_owned());
            }
        }
    }
    found
}

/// Removes citations of evidence that does not exist.
pub(crate) fn without_unknown(text: &str, is_known: impl Fn(&str) -> bool) -> String {
    let kept = CITATION.replace_all(text, |group: &regex::Captures<'_>| {
        let known: Vec<&str> = group[1].split([',', ';']).map(str::trim).filter(|id| is_known(id)).collect();
        if known.is_empty() { String::new() } else { format!("[{}]", known.join(", ")) }
    });
    kept.into_owned()
}

/// Splits a text into sentences and lines, including their citations.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    static END: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[.!?](?:\s*\[[^\]]*\])*(?:\s+|$)|\n+").expect("the pattern is sound"));
    let mut all = Vec::new();
    let mut start = 0;
    for end in END.find_iter(text) {
        all.push(text[start..end.end()].trim());
        start = end.end();
    }
    all.push(text[start..].trim());
    all.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    all
}

/// Checks every sentence: which evidence it cites, and which of its figures occur there.
pub(crate) fn check(text: &str, evidence: &[Evidence]) -> Vec<Sentence> {
    let check = |sentence: &str| {
        let cites: Vec<String> =
            cites(sentence).into_iter().filter(|id| evidence.iter().any(|known| known.id == *id)).collect();
        let said = figures(&CITATION.replace_all(sentence, ""));
        let known: Vec<f64> = evidence
            .iter()
            .filter(|known| cites.contains(&known.id))
            .flat_map(|known| known.item.figures.iter().filter_map(|figure| figure.parse().ok()))
            .collect();
        let unfound = said.iter().filter(|figure| !is_among(figure, &known)).cloned().collect();
        Sentence { text: sentence.to_owned(), cites, unfound, has_figures: !said.is_empty() }
    };
    sentences(text).into_iter().map(check).collect()
}

/// The sentences that are not proved, in the form of the response.
pub(crate) fn unproved(sentences: &[Sentence]) -> Value {
    let doubtful = sentences.iter().filter(|sentence| {
        sentence.has_figures && (sentence.cites.is_empty() || !sentence.unfound.is_empty())
    });
    doubtful
        .map(|sentence| {
            json!({ "text": sentence.text, "cites": sentence.cites, "figures_not_found": sentence.unfound })
        })
        .collect()
}

/// The figures of a sentence. Small whole numbers, years and days of months are ignored, because rows cannot prove them.
fn figures(sentence: &str) -> Vec<String> {
    FIGURE
        .captures_iter(sentence)
        .filter_map(|found| {
            let text = found[2].to_owned();
            // A percentage or an amount of money is always a claim.
            let has_unit = found.get(1).is_some() || !found[3].is_empty();
            let is_whole = !text.contains(['.', ',']) && !has_unit;
            let is_plain = is_whole
                && (text.len() <= 2 || text.len() == 4 && (text.starts_with("19") || text.starts_with("20")));
            (!is_plain).then_some(text)
        })
        .collect()
}

/// Whether a known figure equals this one when rounded to its number of decimals.
fn is_among(figure: &str, known: &[f64]) -> bool {
    let plain = figure.replace(',', "");
    let Ok(said) = plain.parse::<f64>() else { return false };
    let digits = plain.split_once('.').map_or(0, |(_, digits)| digits.len());
    let half = 0.5 / 10_f64.powi(i32::try_from(digits).unwrap_or(0)) * (1.0 + 1e-9);
    known.iter().any(|known| (known.abs() - said).abs() <= half)
}

#[cfg(test)]
mod tests {
    use super::super::evidence::{Evidence, EvidenceItem, Kind};
    use super::*;

    fn evidence(id: &str, figures: &[&str]) -> Evidence {
        let item = EvidenceItem {
            kind: Kind::Query,
            title: String::new(),
            query: None,
            rows: 1,
            of: String::new(),
            ids: Vec::new(),
            text: String::new(),
            figures: figures.iter().map(|figure| (*figure).to_owned()).collect(),
        };
        Evidence { id: id.to_owned(), item }
    }

    #[test]
    fn a_figure_that_stands_rounded_in_the_cited_rows_is_proved() {
        let rows = [evidence("Q1", &["641.709999", "1204", "0.5"])];
        let text = "It cost $641.71 on Thursday [Q1]. That is $1,204 more. In 2026 there were 3 jobs.";
        let proved = check(text, &rows);
        assert_eq!(proved.len(), 3);
        assert_eq!(unproved(&proved[..1]), json!([]));
        assert_eq!(
            unproved(&proved),
            json!([{ "text": "That is $1,204 more.", "cites": [], "figures_not_found": ["1,204"] }])
        );
    }

    #[test]
    fn a_figure_no_row_has_is_told_though_evidence_is_named() {
        let rows = [evidence("Q1", &["10.5"])];
        let proved = check("It cost $99.00 [Q1].", &rows);
        assert_eq!(proved[0].unfound, ["99.00"]);
    }

    #[test]
    fn small_shares_and_amounts_are_claims_and_small_counts_are_none() {
        let proved = check("It is 40 percent of 3 services. It costs $12 or 7 EUR. Two of 14 days.", &[]);
        let claims: Vec<bool> = proved.iter().map(|sentence| sentence.has_figures).collect();
        assert_eq!(claims, [true, true, false]);
        assert_eq!(proved[1].unfound, ["12", "7"]);
    }

    #[test]
    fn names_of_evidence_nobody_found_are_taken_out() {
        let known = |id: &str| id == "Q1";
        assert_eq!(without_unknown("So it is [Q1, Q7]. And so [K3].", known), "So it is [Q1]. And so .");
    }

    #[test]
    fn a_mark_behind_the_full_stop_belongs_to_its_sentence() {
        assert_eq!(
            sentences("One is 1.5 here. [Q1] Two.\n- three"),
            ["One is 1.5 here. [Q1]", "Two.", "- three"]
        );
    }
}
