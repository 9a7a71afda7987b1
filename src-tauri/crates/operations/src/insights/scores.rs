//! Scores of accounts, 0 to 100. There is one measure, `waste`: the percentage of a month's cost that open recommendations would not save (100%
//! minus the waste rate of the FinOps Foundation, so that higher is better).

use super::Changes;
use crate::kit::writer;
use crate::kit::{Key, Look, Part, text, uuid};
use crate::savings::Usage;
use crate::spending::Scope;
use analysis::words::{days, money};
use catalogue::{Decimal, Value};
use graphql::Refusal;
use model::tables::cloud_account_score;
use model::{CloudAccount, Id, Read, Timestamp, row};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use store::Transaction;
use store::query::{Function, Operator, Term, Test};
use uuid::Uuid;

const MEASURE: &str = "waste";
/// Days whose cost counts as a month.
const MONTH: i32 = 30;
const OPEN: [&str; 3] = ["Open", "Assigned", "InProgress"];

row! { struct ScoreRow from cloud_account_score { id, cloud_account_id, description, score } }

/// The score of an account.
pub struct Score {
    account: Uuid,
    points: i64,
    description: String,
}

/// The score of every account with cost in the 30 days up to its newest charge, in the currency with the most charges (amounts of
/// different currencies are not comparable).
pub fn scores(rows: &Transaction<'_>, as_of: i32) -> Result<Vec<Score>, Refusal> {
    let usage = Usage::of(rows)?;
    let Some(last) = usage.newest(as_of)? else { return Ok(Vec::new()) };
    let first = last - MONTH + 1;
    let savings = savings(rows)?;
    let keys =
        vec![("account", usage.charges.key("cloud_account")?), ("currency", usage.charges.key("unit")?)];
    let newest = Term::Of(Function::Max, usage.column("date")?);
    let figures = vec![("cost", usage.charges.sum("amount")?), ("charges", Term::Count), ("newest", newest)];
    let filter = usage.charges.filter(&Scope::default(), (Some(first), Some(last)), Vec::new())?;
    let mut main: BTreeMap<Uuid, (u64, Reverse<String>, Decimal)> = BTreeMap::new();
    for group in usage.charges.grouped(keys, figures, filter)? {
        let Some(account) = group.text("account").and_then(|id| Uuid::parse_str(&id).ok()) else { continue };
        let cost = group.amount("cost");
        if cost.is_negative() || cost.is_zero() {
            continue;
        }
        let found = (group.whole("charges"), Reverse(group.text("currency").unwrap_or_default()), cost);
        let largest = main.entry(account).or_insert_with(|| found.clone());
        if found > *largest {
            *largest = found;
        }
    }
    let score = |(account, (_, Reverse(currency), cost)): (Uuid, (u64, Reverse<String>, Decimal))| {
        let saved = savings.get(&(account, currency.clone())).copied().unwrap_or_default();
        let points = points(saved, cost)?;
        let (cost, days) = (money(cost, Some(&currency)), days(first, last));
        let description = if saved.is_zero() {
            format!("No open recommendation would save money; the 30 days {days} cost {cost}.")
        } else {
            let saved = money(saved, Some(&currency));
            format!(
                "Open recommendations would save {saved} a month of the {cost} that the 30 days {days} cost."
            )
        };
        Some(Score { account, points, description })
    };
    Ok(main.into_iter().filter_map(score).collect())
}

/// `100 − 100 × saved ÷ cost`, rounded down, at least 0. `None` if `cost` is not positive.
fn points(saved: Decimal, cost: Decimal) -> Option<i64> {
    if cost.is_negative() || cost.is_zero() {
        return None;
    }
    let left = cost.checked_sub(saved)?.checked_mul_int(100)?;
    (0..=100)
        .rev()
        .find(|points| cost.checked_mul_int(*points).is_some_and(|least| left >= least))
        .or(Some(0))
}

/// The estimated monthly savings of open recommendations, by account and currency.
fn savings(rows: &Transaction<'_>) -> Result<BTreeMap<(Uuid, String), Decimal>, Refusal> {
    let parts = [
        ("account", Part::Key(Key::Column("cloud_account_id"))),
        ("currency", Part::Key(Key::Json("recommendation", "currency"))),
        ("savings", Part::Sum("estimated_savings")),
    ];
    let open = OPEN.iter().map(|status| Value::Text((*status).to_owned())).collect();
    let look = Look::at(rows, "recommendation")?
        .one_of("status", open)?
        .with("is_dismissed", false)?
        .that("estimated_savings", Test::Compare(Operator::Greater, Value::Decimal(Decimal::ZERO)))?;
    let groups = look.grouped(&parts, &[])?;
    let of = |group: &serde_json::Value| {
        let amount = match &group["savings"] {
            serde_json::Value::Number(number) => Decimal::parse(&number.to_string()).ok()?,
            serde_json::Value::String(text) => Decimal::parse(text).ok()?,
            _ => return None,
        };
        Some(((uuid(group, "account")?, text(group, "currency").to_owned()), amount))
    };
    Ok(groups.iter().filter_map(of).collect())
}

/// Updates the rows of this measure to match the scores.
pub fn write(rows: &Transaction<'_>, scores: &[Score], changes: &mut Changes) -> Result<(), Refusal> {
    let kept = rows.query::<ScoreRow>().filter(cloud_account_score::source.eq(MEASURE)).rows()?;
    let mut kept: BTreeMap<Uuid, ScoreRow> =
        kept.into_iter().map(|row| (row.cloud_account_id.uuid(), row)).collect();
    let writer = writer(rows)?;
    let now = Timestamp(rows.now());
    for one in scores {
        let set = [
            cloud_account_score::score.to(one.points),
            cloud_account_score::description.to(one.description.as_str()),
            cloud_account_score::updated_at.to(now),
        ];
        match kept.remove(&one.account) {
            Some(row) if row.score == one.points && row.description.as_deref() == Some(&one.description) => {}
            Some(row) => {
                writer.update(cloud_account_score::id.eq(row.id), set)?;
                changes.updated += 1;
            }
            None => {
                let account: Id<CloudAccount> = Id::new(one.account);
                let more = [
                    cloud_account_score::cloud_account_id.to(account),
                    cloud_account_score::source.to(MEASURE),
                ];
                writer.insert(set.into_iter().chain(more))?;
                changes.added += 1;
            }
        }
    }
    for row in kept.into_values() {
        writer.delete(cloud_account_score::id.eq(row.id))?;
        changes.removed += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::points;
    use catalogue::Decimal;

    #[test]
    fn a_score_is_the_part_that_is_not_wasted() {
        let of =
            |saved: &str, cost: &str| points(Decimal::parse(saved).unwrap(), Decimal::parse(cost).unwrap());
        assert_eq!(of("0", "10"), Some(100));
        assert_eq!(of("0.01", "10"), Some(99));
        assert_eq!(of("2.5", "10"), Some(75));
        assert_eq!(of("30", "10"), Some(0));
        assert_eq!(of("30", "0"), None);
    }
}
