//! Proofs of savings: compares the cost of the resources of closed recommendations in the months after closing with the month before.

use super::days::BillDays;
use super::duplicates::is_closed_duplicate;
use super::reopening::is_before_closing;
use super::row::{RecommendationRow, words};
use super::sums::{Usage, cost, one_of, uuid};
use crate::kit::writer;
use analysis::forecast::{first_of_next, month_before, start_of_month};
use analysis::savings::{Period, Verdict, VerifiedSaving, for_a_month, verify};
use catalogue::{Decimal, Value};
use graphql::Refusal;
use model::tables::recommendation;
use model::{Date, Json, Read, RecommendationStatusType as Status, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use store::query::{Key, Term, Test, TimeUnit};
use uuid::Uuid;

const VERIFIED: &str = "verified_saving";
const REASON: &str = "not_verified";

/// The costs of resources that have been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Costs {
    /// Cost by resource and currency, by day.
    days: BTreeMap<(Uuid, String), BTreeMap<i32, Decimal>>,
    /// Account and first day of each month in which the account has charges.
    months: BTreeSet<(Uuid, i32)>,
    /// The newest billed day of each account.
    newest: BTreeMap<Uuid, i32>,
    /// The first day from which the costs of a resource, and the months of accounts, were read.
    read_from: BTreeMap<Uuid, i32>,
    months_from: Option<i32>,
}

/// The proven saving, or the reason why there is none.
type Proof = Result<VerifiedSaving, String>;

/// Reads the costs for the proofs, before the write transaction starts.
pub fn read_costs(rows: &Transaction<'_>, usage: &Usage<'_>, known: &[BillDays]) -> Result<Costs, Refusal> {
    Costs::of(known).with(usage, &candidates(rows)?)
}

/// Closed recommendations whose saving can be proven, and all recommendations with a stored proof or reason.
fn candidates(rows: &Transaction<'_>) -> Result<Vec<RecommendationRow>, Refusal> {
    let has_saving = recommendation::estimated_savings.gt(Decimal::ZERO);
    let closed = recommendation::status.eq(Status::Closed).and(has_saving);
    let told = Test::HasKeys { keys: vec![VERIFIED.to_owned(), REASON.to_owned()], all: false };
    let mut candidates = rows
        .query::<RecommendationRow>()
        .filter(closed.or(recommendation::recommendation.test(told)))
        .rows()?;
    // The recommendation that represents a duplicate proves the saving of both.
    candidates.retain(|kept| !is_closed_duplicate(kept.status, kept.note.as_deref()));
    Ok(candidates)
}

/// Updates the proofs of closed recommendations from the bill and returns how many changed. Reads only the costs of recommendations closed since
/// `read` was read.
pub fn prove(rows: &Transaction<'_>, usage: &Usage<'_>, read: &Costs) -> Result<usize, Refusal> {
    let candidates = candidates(rows)?;
    if candidates.is_empty() {
        return Ok(0);
    }
    let costs = read.clone().with(usage, &candidates)?;
    let writer = writer(rows)?;
    let mut changed = 0;
    for kept in &candidates {
        let mut card = kept.recommendation.value();
        let Some(object) = card.as_object_mut() else { continue };
        let before = (object.remove(VERIFIED), object.remove(REASON));
        if kept.status == Some(Status::Closed) && !kept.is_dismissed {
            let (member, value) = match proof(kept, &costs) {
                Ok(saving) => (VERIFIED, serde_json::to_value(saving)),
                Err(reason) => (REASON, serde_json::to_value(reason)),
            };
            let value =
                value.map_err(|error| Refusal::new("unexpected", format!("a proof is no JSON: {error}")))?;
            object.insert(member.to_owned(), value);
        }
        if before != (object.get(VERIFIED).cloned(), object.get(REASON).cloned()) {
            writer.update(
                recommendation::id.eq(kept.id),
                [recommendation::recommendation.to(Json::from(card))],
            )?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// The JSON of a recommendation that a user closes now, with the reason why its proof is pending. `bill_until` is the newest day of the bill.
/// `None` if there is no saving to prove.
pub fn closing_card(
    rows: &Transaction<'_>,
    id: Uuid,
    bill_until: Option<i32>,
) -> Result<Option<Json>, Refusal> {
    let Some(kept) = rows.find::<RecommendationRow>(id)? else { return Ok(None) };
    let has_saving = kept.estimated_savings.is_some_and(|savings| savings > Decimal::ZERO);
    let closed = RecommendationRow {
        closed_at: Some(Timestamp(rows.now())),
        closed_bill_until: bill_until.map(Date),
        ..kept
    };
    let (true, Some((_, until))) = (has_saving && closed.billed().is_some(), baseline(&closed)) else {
        return Ok(None);
    };
    let mut card = closed.recommendation.value();
    let Some(object) = card.as_object_mut() else { return Ok(None) };
    object.insert(REASON.to_owned(), waits(until).into());
    Ok(Some(Json::from(card)))
}

/// The JSON of a recommendation that a user reopens, without the reason why a proof is pending. `None` if it has none.
pub fn open_card(rows: &Transaction<'_>, id: Uuid) -> Result<Option<Json>, Refusal> {
    let Some(kept) = rows.find::<RecommendationRow>(id)? else { return Ok(None) };
    let mut card = kept.recommendation.value();
    let had = card.as_object_mut().and_then(|object| object.remove(REASON));
    Ok(had.map(|_| Json::from(card)))
}

fn waits(until: i32) -> String {
    format!("Waits for a bill with a whole month after {}.", words(until))
}

/// First and last day of the period to compare with (the judged period, or the month before closing), and the last day before the months that may
/// prove the saving.
fn baseline(kept: &RecommendationRow) -> Option<((i32, i32), i32)> {
    let until = kept.bill_until();
    let period = kept.evidence().period.and_then(|period| period.range());
    let until = until.unwrap_or_else(|| kept.closed_on());
    let month = || {
        let last = if first_of_next(until) == until + 1 { until } else { start_of_month(until) - 1 };
        (start_of_month(last), last)
    };
    let period = period.unwrap_or_else(month);
    (period.0 <= period.1).then_some((period, until))
}

fn proof(kept: &RecommendationRow, costs: &Costs) -> Proof {
    let Some(billed) = kept.billed() else {
        return Err("The bill names no resource for it, so what it costs now cannot be told.".to_owned());
    };
    let (account, resource) = (billed.account_id, billed.resource_id);
    let Some((period, until)) = baseline(kept) else {
        return Err("It does not say which month it was judged by.".to_owned());
    };
    let currency = kept.evidence().currency.or_else(|| costs.only_currency(resource));
    let Some(currency) = currency else {
        return Err("The bill has no charges of the resource.".to_owned());
    };
    let before = costs.cost(resource, &currency, period).filter(|before| !before.is_zero());
    let days = Period { from: period.0, to: period.1 };
    let before = before.and_then(|before| for_a_month(before, days));
    let Some(before) = before else {
        let (from, to) = (words(period.0), words(period.1));
        return Err(format!("The bill from {from} to {to} has no charges of the resource in {currency}."));
    };
    let estimated = kept.estimated_savings.unwrap_or_default();
    let months = costs.months_after(account, resource, &currency, until);
    // A month that had begun before closing can prove a saving, but not the absence of one.
    let counts = |(first, after): &(i32, Decimal)| {
        let alone = verify(days, before, estimated, &[(*first, *after)], &currency);
        !is_before_closing(kept, *first) || alone.is_some_and(|one| one.verdict != Verdict::None)
    };
    let months: Vec<(i32, Decimal)> = months.into_iter().filter(counts).collect();
    verify(days, before, estimated, &months, &currency).ok_or_else(|| waits(until))
}

impl Costs {
    /// Nothing read yet.
    fn of(known: &[BillDays]) -> Self {
        let days = known.iter().flat_map(|one| one.first.keys().map(|account| (*account, one.period.to)));
        Self { newest: days.collect(), ..Self::default() }
    }

    /// Adds the costs of recommendations that are not read yet, or not far enough back.
    fn with(mut self, usage: &Usage<'_>, candidates: &[RecommendationRow]) -> Result<Self, Refusal> {
        let Some(newest) = self.newest.values().max().copied() else { return Ok(self) };
        let missing: Vec<&RecommendationRow> = candidates.iter().filter(|kept| !self.holds(kept)).collect();
        if missing.is_empty() {
            return Ok(self);
        }
        let begins = missing.iter().filter_map(|kept| baseline(kept)).map(|((from, _), _)| from);
        let from = begins.min().unwrap_or_else(|| month_before(newest));
        let billed = missing.iter().filter_map(|kept| kept.billed());
        let resources: BTreeSet<Uuid> = billed.map(|billed| billed.resource_id).collect();
        self.read_days(usage, &resources, (from, newest))?;
        self.read_from.extend(resources.into_iter().map(|resource| (resource, from)));
        if self.months_from.is_none_or(|before| from < before) {
            self.read_months(usage, (from, newest))?;
            self.months_from = Some(from);
        }
        Ok(self)
    }

    fn holds(&self, kept: &RecommendationRow) -> bool {
        let Some(billed) = kept.billed() else { return true };
        let begin = baseline(kept).map(|((from, _), _)| from);
        let read_from = self.read_from.get(&billed.resource_id);
        read_from.is_some_and(|from| begin.is_none_or(|begin| *from <= begin))
    }

    fn read_days(
        &mut self,
        usage: &Usage<'_>,
        resources: &BTreeSet<Uuid>,
        days: (i32, i32),
    ) -> Result<(), Refusal> {
        let key = usage.charges.key("cloud_resource_id")?;
        for condition in one_of(&key, resources.iter().copied().map(Value::Uuid).collect()) {
            let keys = vec![
                ("resource", key.clone()),
                ("currency", usage.charges.key("unit")?),
                ("day", usage.charges.day()?),
            ];
            for row in usage.groups(keys, usage.cost()?, days, vec![condition])? {
                let one =
                    || Some((uuid(&row, "resource")?, row.text("currency")?, row.day("day")?, cost(&row)?));
                if let Some((resource, currency, day, cost)) = one() {
                    self.days.entry((resource, currency)).or_default().insert(day, cost);
                }
            }
        }
        Ok(())
    }

    fn read_months(&mut self, usage: &Usage<'_>, days: (i32, i32)) -> Result<(), Refusal> {
        let keys = vec![
            ("account", usage.charges.key("cloud_account")?),
            ("month", Key::Time(usage.column("date")?, TimeUnit::Month)),
        ];
        let rows = usage.groups(keys, vec![("count", Term::Count)], days, Vec::new())?;
        self.months.extend(rows.iter().filter_map(|row| Some((uuid(row, "account")?, row.day("month")?))));
        Ok(())
    }

    /// The cost of a resource from the first to the last day, inclusive; `None` if it has no charges.
    fn cost(&self, resource: Uuid, currency: &str, (from, to): (i32, i32)) -> Option<Decimal> {
        let days = self.days.get(&(resource, currency.to_owned()))?;
        days.range(from..=to).try_fold(Decimal::ZERO, |sum, (_, cost)| sum.checked_add(*cost))
    }

    fn only_currency(&self, resource: Uuid) -> Option<String> {
        let mut found =
            self.days.keys().filter(|(of, _)| *of == resource).map(|(_, currency)| currency.clone());
        found.next().filter(|_| found.next().is_none())
    }

    /// The cost of a resource in every whole billed month after a day. A month without charges of the resource costs 0.
    fn months_after(&self, account: Uuid, resource: Uuid, currency: &str, after: i32) -> Vec<(i32, Decimal)> {
        let newest = self.newest.get(&account).copied().unwrap_or(i32::MIN);
        let months = self.months.range((account, after + 1)..=(account, i32::MAX)).map(|(_, first)| *first);
        let whole = months.filter(|first| first_of_next(*first) - 1 <= newest);
        whole
            .map(|first| {
                let cost = self.cost(resource, currency, (first, first_of_next(first) - 1));
                (first, cost.unwrap_or_default())
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::{Caller, ValueRef, parse_date};
    use serde_json::json;
    use store::{Store, StoreError};

    const TENANT: Uuid = Uuid::from_u128(0xa);
    const PERSON: Uuid = Uuid::from_u128(0xa0);
    const ACCOUNT: Uuid = Uuid::from_u128(0xa1);
    const VOLUME: Uuid = Uuid::from_u128(0xe1);

    fn day(text: &str) -> i32 {
        parse_date(text).unwrap()
    }

    /// Adds a tenant without charges, and a closed recommendation with a saving of 60 a month.
    fn fill(rows: &Transaction<'_>) -> Result<(), StoreError> {
        let (tenant, person) = (ValueRef::Uuid(TENANT), ValueRef::Uuid(PERSON));
        let words = [("username", "ada@example.com"), ("display_name", "Ada"), ("status", "active")];
        let words = words.map(|(column, word)| (column, ValueRef::from(word)));
        rows.insert("users", &[&[("id", person)], &words[..]].concat())?;
        let by = [("created_by", person), ("updated_by", person)];
        rows.insert("tenant", &[&[("id", tenant), ("name", "house".into())], &by[..]].concat())?;
        let account = [("id", ACCOUNT.into()), ("tenant", tenant), ("account_name", "shop".into())];
        let kind = [("account_type", "cloud".into())];
        rows.insert("cloud_accounts", &[&account[..], &kind, &by].concat())?;
        let card = json!({
            "currency": "USD",
            "billed": { "account_id": ACCOUNT, "resource_id": VOLUME },
            "period": { "from": "2026-10-01", "to": "2026-10-31" },
        });
        let card = card.to_string();
        rows.insert(
            "recommendation",
            &[
                ("tenant_id", tenant),
                ("cloud_account_id", ACCOUNT.into()),
                ("rule_name", "gp2_to_gp3".into()),
                ("category", "RightSizing".into()),
                ("recommendation_action", "Modify".into()),
                ("status", "Closed".into()),
                ("closed_bill_until", ValueRef::Date(day("2026-10-31"))),
                ("estimated_savings", ValueRef::Decimal(Decimal::from(60))),
                ("recommendation", ValueRef::Json(&card)),
            ],
        )
    }

    fn card(rows: &Transaction<'_>) -> serde_json::Value {
        rows.query::<RecommendationRow>().first().unwrap().unwrap().recommendation.value()
    }

    #[test]
    fn a_proof_rests_on_what_was_read_before_others_had_to_wait() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("house.db"), testkit::product::catalogue()).unwrap();
        store.transaction(&Caller::system(), fill).unwrap();
        let newest = BTreeMap::from([(ACCOUNT, day("2026-11-30"))]);
        let cost = |day: i32, cost: i64| (day, Decimal::from(cost));
        let october = (day("2026-10-01")..=day("2026-10-31")).map(|at| cost(at, 10));
        let november = (day("2026-11-01")..=day("2026-11-30")).map(|at| cost(at, 8));
        let read = Costs {
            days: BTreeMap::from([((VOLUME, "USD".to_owned()), october.chain(november).collect())]),
            months: BTreeSet::from([(ACCOUNT, day("2026-10-01")), (ACCOUNT, day("2026-11-01"))]),
            newest: newest.clone(),
            read_from: BTreeMap::from([(VOLUME, day("2026-10-01"))]),
            months_from: Some(day("2026-10-01")),
        };
        let prove_with = |read: &Costs| {
            store.transaction(&Caller::system_for(TENANT), |rows| -> Result<_, Refusal> {
                assert_eq!(prove(rows, &Usage::of(rows)?, read)?, 1);
                Ok(card(rows))
            })
        };
        let proved = prove_with(&read).unwrap();
        assert_eq!(proved[VERIFIED]["after"], json!(240), "{proved}");
        // The costs of a recommendation closed in the meantime are read: the bill has none.
        let told = prove_with(&Costs { newest, ..Costs::default() }).unwrap();
        let nothing = "The bill from 2026-10-01 to 2026-10-31 has no charges of the resource in USD.";
        assert_eq!(told[REASON], nothing, "{told}");
    }
}
