//! Ranked hypotheses, and their description as text.

use crate::evidence::{Collection, Evidence};
use crate::material::{Event, Material};
use serde::Serialize;

/// The confidence that a score expresses (design, "Hypothesis").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Likelihood {
    VeryLikely,
    Possible,
    Unlikely,
}

impl Likelihood {
    pub fn of(score: u8) -> Self {
        match score {
            75.. => Self::VeryLikely,
            25.. => Self::Possible,
            _ => Self::Unlikely,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::VeryLikely => "very likely",
            Self::Possible => "possible",
            Self::Unlikely => "unlikely",
        }
    }
}

/// A possible cause of the event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hypothesis {
    /// From 1.
    pub rank: usize,
    pub claim: String,
    pub reason: String,
    /// 0 to 100.
    pub score: u8,
    pub likelihood: Likelihood,
    /// Names of the evidence for it; never empty.
    pub evidence: Vec<String>,
    /// Names of the evidence against it.
    pub against: Vec<String>,
    /// The next step to check or do.
    pub next: String,
}

/// The result of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Analysis {
    /// One or two sentences.
    pub summary: String,
    pub hypotheses: Vec<Hypothesis>,
    pub evidence: Vec<Evidence>,
    /// The number of rows analysed, by kind.
    pub looked_at: Vec<(&'static str, usize)>,
}

impl Analysis {
    /// The whole analysis as Markdown, each claim with the names of its evidence.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.summary);
        for one in &self.hypotheses {
            text.push_str(&format!(
                "\n{}. **{}** ({} of 100, {}) [{}]\n   {}\n",
                one.rank,
                one.claim,
                one.score,
                one.likelihood.words(),
                one.evidence.join(", "),
                one.reason,
            ));
            if !one.against.is_empty() {
                text.push_str(&format!("   Against it: [{}]\n", one.against.join(", ")));
            }
            text.push_str(&format!("   Next: {}\n", one.next));
        }
        text
    }
}

/// A hypothesis before it has a rank.
pub(crate) struct Draft {
    pub score: u8,
    pub claim: String,
    pub reason: String,
    pub evidence: Vec<String>,
    pub against: Vec<String>,
    pub next: String,
}

/// Ranks the drafts in their order and keeps only the evidence they cite.
pub(crate) fn finish(event: &Event, material: &Material, drafts: Vec<Draft>, all: Collection) -> Analysis {
    let hypotheses: Vec<Hypothesis> = (1..)
        .zip(drafts)
        .map(|(rank, draft)| Hypothesis {
            rank,
            likelihood: Likelihood::of(draft.score),
            score: draft.score,
            claim: draft.claim,
            reason: draft.reason,
            evidence: draft.evidence,
            against: draft.against,
            next: draft.next,
        })
        .collect();
    let looked_at = vec![
        ("events", material.events.len()),
        ("earlier occurrences", material.series.len()),
        ("neighbours", material.neighbours.len()),
        ("changes", material.changes.len()),
        ("log lines", material.logs.len()),
        ("states", material.states.len()),
        ("days of spend", material.spends.len()),
    ];
    let summary = summary(event, &hypotheses, &looked_at);
    let is_cited = |id: &str| {
        hypotheses.iter().any(|one| one.evidence.iter().chain(&one.against).any(|name| name == id))
    };
    let evidence = all.cited(is_cited);
    Analysis { summary, hypotheses, evidence, looked_at }
}

fn summary(event: &Event, hypotheses: &[Hypothesis], looked_at: &[(&'static str, usize)]) -> String {
    let Some(first) = hypotheses.first() else {
        let looked: Vec<String> = looked_at
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(what, count)| format!("{count} {what}"))
            .collect();
        return if looked.is_empty() {
            format!(
                "Nothing stored stands near “{}”: no other event, change, log, state or spend.",
                event.title
            )
        } else {
            format!("None of {} explains “{}”.", looked.join(", "), event.title)
        };
    };
    let others = match hypotheses.len() - 1 {
        0 => String::new(),
        1 => " One other cause is possible.".to_owned(),
        more => format!(" {more} other causes are possible."),
    };
    format!("The likeliest cause ({}): {}.{others}", first.likelihood.words(), first.claim)
}
