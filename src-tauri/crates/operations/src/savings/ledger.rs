//! `savings_ledger`: realised and possible savings of recommendations, by currency.

use super::duplicates::is_closed_duplicate;
use crate::kit::Arguments;
use analysis::savings::{Amount, Verdict};
use catalogue::Decimal;
use graphql::{Call, Refusal};
use model::tables::recommendation;
use model::{Id, Read, RecommendationStatusType as Status, row};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use std::collections::BTreeMap;
use store::Transaction;
use uuid::Uuid;

row! { struct Entry from recommendation { status, is_dismissed, estimated_savings, note, recommendation } }

/// The savings of recommendations by currency.
#[derive(Serialize)]
pub struct Ledger {
    currencies: Vec<CurrencyLedger>,
}

#[derive(Serialize)]
struct CurrencyLedger {
    currency: String,
    identified: Total,
    closed: Total,
    verified: Total,
    none: Total,
    months: Vec<MonthTotal>,
}

#[derive(Serialize, Clone, Copy, Default)]
struct Total {
    count: u64,
    #[serde(serialize_with = "amount")]
    amount: Decimal,
}

#[derive(Serialize, Clone)]
struct MonthTotal {
    month: String,
    count: u64,
    before: Amount,
    after: Amount,
    saved: Amount,
}

fn amount<S: serde::Serializer>(amount: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    Amount(*amount).serialize(serializer)
}

/// The fields of a recommendation's JSON about money.
#[derive(Deserialize)]
struct Money {
    currency: Option<String>,
    verified_saving: Option<VerifiedPart>,
    reopened: Option<Box<ReopenedPart>>,
}

/// The earlier closing of a recommendation that data reopened.
#[derive(Deserialize)]
struct ReopenedPart {
    card: CardPart,
}

#[derive(Deserialize)]
struct CardPart {
    verified_saving: Option<VerifiedPart>,
    reopened: Option<Box<ReopenedPart>>,
}

#[derive(Deserialize)]
struct VerifiedPart {
    currency: String,
    saved: Number,
    verdict: Verdict,
    #[serde(default)]
    months: Vec<MonthPart>,
}

#[derive(Deserialize)]
struct MonthPart {
    month: String,
    before: Number,
    after: Number,
    saved: Number,
}

/// The sums of one currency.
#[derive(Default)]
struct Sums {
    identified: Total,
    closed: Total,
    verified: Total,
    none: Total,
    months: BTreeMap<String, (u64, [Decimal; 3])>,
}

/// `savings_ledger`
pub fn operation(call: &Call<'_>) -> Result<Ledger, Refusal> {
    ledger_of(call.rows, accounts(Arguments(call.arguments).object("request"))?)
}

/// The ledger of these accounts, or of all.
pub fn ledger_of(rows: &Transaction<'_>, accounts: Option<Vec<Uuid>>) -> Result<Ledger, Refusal> {
    let some = accounts.map(|ids| recommendation::cloud_account_id.one_of(ids.into_iter().map(Id::new)));
    let has_saving = recommendation::estimated_savings.gt(Decimal::ZERO);
    let counted = [Status::Open, Status::Assigned, Status::InProgress, Status::Closed];
    let counted = recommendation::status.one_of(counted).and(recommendation::is_dismissed.eq(false));
    let mut currencies: BTreeMap<String, Sums> = BTreeMap::new();
    let query = rows.query::<Entry>().filter(has_saving).filter(counted).filter_some(some);
    query.for_each(|entry| {
        let is_duplicate = is_closed_duplicate(entry.status, entry.note.as_deref());
        if is_duplicate { Ok(()) } else { add(&mut currencies, &entry) }
    })?;
    Ok(Ledger { currencies: currencies.into_iter().map(CurrencyLedger::of).collect() })
}

fn accounts(request: Arguments<'_>) -> Result<Option<Vec<Uuid>>, Refusal> {
    let Some(ids) = request.value("account_ids").and_then(|ids| ids.as_array()) else { return Ok(None) };
    let read = |id: &serde_json::Value| id.as_str().and_then(|id| Uuid::parse_str(id).ok());
    let wrong = || Refusal::invalid("`account_ids` holds what is no id: expected a list of UUIDs");
    ids.iter().map(|id| read(id).ok_or_else(wrong)).collect::<Result<_, _>>().map(Some)
}

fn add(currencies: &mut BTreeMap<String, Sums>, entry: &Entry) -> Result<(), Refusal> {
    // Recommendations of other formats have no currency; their amounts cannot be summed.
    let Ok(money) = entry.recommendation.parse::<Money>() else { return Ok(()) };
    let estimated = entry.estimated_savings.unwrap_or_default();
    let is_closed = entry.status == Some(Status::Closed);
    let verified = money.verified_saving.filter(|_| is_closed);
    let Some(currency) = verified.as_ref().map(|part| part.currency.clone()).or(money.currency) else {
        return Ok(());
    };
    let sums = currencies.entry(currency).or_default();
    let mut proved: Vec<MonthPart> = Vec::new();
    match verified {
        None if is_closed => sums.closed.add(estimated)?,
        None => sums.identified.add(estimated)?,
        Some(part) => {
            match part.verdict {
                Verdict::None => sums.none.add(estimated)?,
                Verdict::Verified | Verdict::Partial => sums.verified.add(decimal(&part.saved)?)?,
            }
            for month in &part.months {
                sums.add_month(month)?;
            }
            proved = part.months;
        }
    }
    // Savings that were realised before a recommendation was reopened still count, for every earlier closing.
    let mut earlier = money.reopened;
    while let Some(CardPart { verified_saving, reopened }) = earlier.map(|reopened| reopened.card) {
        earlier = reopened;
        let Some(part) = verified_saving else { continue };
        let sums = currencies.entry(part.currency).or_default();
        for month in part.months {
            if proved.iter().all(|one| one.month != month.month) {
                sums.add_month(&month)?;
                proved.push(month);
            }
        }
    }
    Ok(())
}

impl Sums {
    fn add_month(&mut self, month: &MonthPart) -> Result<(), Refusal> {
        let (count, totals) = self.months.entry(month.month.clone()).or_default();
        *count += 1;
        for (total, number) in totals.iter_mut().zip([&month.before, &month.after, &month.saved]) {
            *total = total.checked_add(decimal(number)?).ok_or_else(too_large)?;
        }
        Ok(())
    }
}

impl Total {
    fn add(&mut self, more: Decimal) -> Result<(), Refusal> {
        self.count += 1;
        self.amount = self.amount.checked_add(more).ok_or_else(too_large)?;
        Ok(())
    }
}

impl CurrencyLedger {
    fn of((currency, sums): (String, Sums)) -> Self {
        let month = |(month, (count, [before, after, saved])): (String, (u64, [Decimal; 3]))| MonthTotal {
            month,
            count,
            before: Amount(before),
            after: Amount(after),
            saved: Amount(saved),
        };
        Self {
            currency,
            identified: sums.identified,
            closed: sums.closed,
            verified: sums.verified,
            none: sums.none,
            months: sums.months.into_iter().map(month).collect(),
        }
    }
}

fn decimal(number: &Number) -> Result<Decimal, Refusal> {
    let wrong = |_| Refusal::new("unexpected", format!("{number} of a proof is no exact number"));
    Decimal::parse(&number.to_string()).map_err(wrong)
}

fn too_large() -> Refusal {
    Refusal::new("limit-exceeded", "the sum has more than 38 digits".to_owned())
}
