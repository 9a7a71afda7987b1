//! A weekly notice about what changed in the last week, for channels that subscribe to it.

use super::day_of;
use crate::insights::of_tenant;
use crate::notices::raise::{Cause, StandingNotice};
use catalogue::format_date;
use channels::Severity;
use graphql::Refusal;
use store::Transaction;

/// A week that started longer ago raises no notice: its bills were imported late.
const NEWS_DAYS: i32 = 14;

pub(in crate::notices) fn digest(rows: &Transaction<'_>) -> Result<Option<StandingNotice>, Refusal> {
    let Some(told) = of_tenant(rows)? else { return Ok(None) };
    let mut sentences = told.sentences.into_iter();
    Ok(sentences.next().map(|title| StandingNotice {
        subject: "digest",
        key: format!("digest:{}", format_date(told.first)),
        severity: Severity::Info,
        title: title.trim_end_matches('.').to_owned(),
        text: sentences.collect::<Vec<_>>().join("\n"),
        link: Some("/overview".to_owned()),
        cause: Cause::Other,
        is_news: told.first >= day_of(rows.now()) - NEWS_DAYS,
    }))
}
