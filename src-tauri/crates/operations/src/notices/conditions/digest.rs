//! A weekly notice about what changed in the last week, for channels that subscribe to it.

use super::day_of;
use crate::insights::of_tenant;
use crate::notices::raise::{ActiveCondition, Cause};
use catalogue::format_date;
use channels::Severity;
use graphql::Refusal;
use store::Transaction;

/// A week that started longer ago raises no notice: its bills were imported late.
const RECENT_DAYS: i32 = 14;

pub(in crate::notices) fn digest(rows: &Transaction<'_>) -> Result<Option<ActiveCondition>, Refusal> {
    let Some(week) = of_tenant(rows)? else { return Ok(None) };
    let mut sentences = week.sentences.into_iter();
    Ok(sentences.next().map(|title| ActiveCondition {
        subject: "digest",
        key: format!("digest:{}", format_date(week.first)),
        severity: Severity::Info,
        title: title.trim_end_matches('.').to_owned(),
        text: sentences.collect::<Vec<_>>().join("\n"),
        link: Some("/overview".to_owned()),
        cause: Cause::Other,
        is_recent: week.first >= day_of(rows.now()) - RECENT_DAYS,
    }))
}
