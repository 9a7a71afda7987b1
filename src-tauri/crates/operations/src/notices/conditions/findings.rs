//! Notices about open critical recommendations and scan findings.

use super::{DAY, day_of, names};
use crate::kit::{Look, text, uuid};
use crate::notices::raise::{ActiveCondition, Cause};
use analysis::rule_title;
use catalogue::{Value, format_date, parse_timestamp};
use channels::Severity;
use graphql::Refusal;
use std::collections::BTreeMap;
use store::Transaction;
use store::query::{Operator, Test};
use uuid::Uuid;

/// Older findings raise no notice.
const RECENT_DAYS: i64 = 7;

/// One notice per account, rule and day, because one scan can report very many findings of a kind.
pub(in crate::notices) fn findings(rows: &Transaction<'_>) -> Result<Vec<ActiveCondition>, Refusal> {
    // Older findings do not keep a notice active either: they are shown in the list of recommendations.
    let since = Value::Timestamp((rows.now() - 4 * RECENT_DAYS * DAY).max(0));
    let look = Look::at(rows, "recommendation")?
        .with("severity", "Critical")?
        .with("status", "Open")?
        .with("is_dismissed", false)?
        .that("created_at", Test::Compare(Operator::GreaterOrEqual, since))?;
    let found = look.rows(&["cloud_account_id", "rule_name", "created_at", "account_object_id"])?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let accounts = Look::at(rows, "cloud_accounts")?.rows(&["id", "account_name"])?;
    let accounts: BTreeMap<Uuid, &str> =
        accounts.iter().filter_map(|row| Some((uuid(row, "id")?, text(row, "account_name")))).collect();
    let mut groups: BTreeMap<(Uuid, &str, i32), Vec<String>> = BTreeMap::new();
    for row in &found {
        let (Some(account), Some(created)) =
            (uuid(row, "cloud_account_id"), parse_timestamp(text(row, "created_at")))
        else {
            continue;
        };
        let of_group = groups.entry((account, text(row, "rule_name"), day_of(created))).or_default();
        of_group.push(text(row, "account_object_id").to_owned());
    }
    let newest = day_of(rows.now() - RECENT_DAYS * DAY);
    let condition = |((account, rule, day), mut objects): ((Uuid, &str, i32), Vec<String>)| {
        let count = objects.len();
        objects.retain(|object| !object.is_empty());
        objects.sort();
        let place = accounts.get(&account).copied().unwrap_or("an account");
        let rule_title = if rule.is_empty() { "no rule".to_owned() } else { rule_title(rule) };
        let many =
            if count == 1 { "1 critical finding".to_owned() } else { format!("{count} critical findings") };
        ActiveCondition {
            subject: "finding",
            key: format!("finding:{account}:{rule}:{}", format_date(day)),
            severity: Severity::Critical,
            title: format!("{many} in {place}: {rule_title}"),
            text: names(&objects),
            link: Some("/recommendations?severity=Critical".to_owned()),
            is_recent: day >= newest,
            cause: Cause::Other,
        }
    };
    Ok(groups.into_iter().map(condition).collect())
}
