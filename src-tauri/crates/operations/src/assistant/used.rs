//! Who has asked language models in a month, and which: sums of the ledger.

use crate::assistant::place::{argument, data, decimal};
use crate::assistant::usage::Period;
use catalogue::{Decimal, DecimalSum, Value as Cell, ValueRef, parse_timestamp};
use graphql::{Call, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use store::ge;
use uuid::Uuid;

const COLUMNS: [&str; 9] = [
    "user_id",
    "provider",
    "model",
    "left_machine",
    "size_bytes",
    "input_tokens",
    "output_tokens",
    "cost",
    "sent_at",
];
/// Longer than any month, µs.
const BEYOND: i64 = 32 * 86_400_000_000;

#[derive(Deserialize)]
struct Wanted {
    period: Option<String>,
}

#[derive(Default)]
struct Sum {
    requests: u64,
    input: i64,
    output: i64,
    bytes_left: i64,
    cost: Option<DecimalSum>,
    unpriced: u64,
}

impl Sum {
    fn add(&mut self, row: &[Cell]) {
        let number = |place: usize| row[place].as_int().unwrap_or_default();
        self.requests += 1;
        self.input = self.input.saturating_add(number(5));
        self.output = self.output.saturating_add(number(6));
        if row[3] == Cell::Bool(true) {
            self.bytes_left = self.bytes_left.saturating_add(number(4));
        }
        match &row[7] {
            Cell::Decimal(cost) => self.cost.get_or_insert_with(DecimalSum::new).add(*cost),
            _ => self.unpriced += 1,
        }
    }

    fn total(&self) -> Decimal {
        self.cost.as_ref().and_then(DecimalSum::total).unwrap_or(Decimal::ZERO)
    }

    fn shown(&self, id: Option<&str>, name: &str) -> Value {
        json!({
            "id": id,
            "name": name,
            "requests": self.requests,
            "input_tokens": self.input,
            "output_tokens": self.output,
            "bytes_left": self.bytes_left,
            "cost": decimal(self.total()),
            "unpriced": self.unpriced,
        })
    }
}

/// `ai_list_usage`: the dearest first, then who asked most.
pub(super) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let wanted: Wanted = argument(call, "request")?;
    let period = Period::of(wanted.period.as_deref().map_or(Ok(call.now), begin)?);
    let next = Period::of(period.month_start + BEYOND).month_start;
    let mut people: BTreeMap<Option<Uuid>, Sum> = BTreeMap::new();
    let mut models: BTreeMap<(String, String), Sum> = BTreeMap::new();
    let since = [ge("sent_at", ValueRef::Timestamp(period.month_start))];
    call.rows.for_each("llm_ledger", &COLUMNS, &since, |row| {
        if row[8].as_int().is_some_and(|at| at >= next) {
            return Ok(());
        }
        let text = |place: usize| row[place].as_text().unwrap_or_default().to_owned();
        people.entry(row[0].as_uuid()).or_default().add(&row);
        models.entry((text(1), text(2))).or_default().add(&row);
        Ok::<_, Refusal>(())
    })?;
    let names = names(call)?;
    let mut people: Vec<_> = people.into_iter().collect();
    people.sort_by_key(|(_, sum)| Reverse((sum.total(), sum.requests)));
    let people: Vec<Value> = people
        .iter()
        .map(|(person, sum)| {
            let id = person.map(|person| person.to_string());
            let known = person.and_then(|person| names.get(&person)).map(String::as_str);
            sum.shown(id.as_deref(), known.or(id.as_deref()).unwrap_or("Events"))
        })
        .collect();
    let mut models: Vec<_> = models.into_iter().collect();
    models.sort_by_key(|(_, sum)| Reverse((sum.total(), sum.requests)));
    let models: Vec<Value> =
        models.iter().map(|((provider, model), sum)| sum.shown(Some(provider), model)).collect();
    Ok(data(json!({ "period": period.month, "people": people, "models": models })))
}

/// When a month begins.
fn begin(month: &str) -> Result<i64, Refusal> {
    let begun = (month.len() == 7).then(|| parse_timestamp(&format!("{month}-01T00:00:00"))).flatten();
    begun.ok_or_else(|| Refusal::invalid(format!("period is {month:?}: expected a month such as 2026-11")))
}

fn names(call: &Call<'_>) -> Result<HashMap<Uuid, String>, Refusal> {
    let rows = call.rows.select("users", &["id", "display_name"], &[])?;
    Ok(rows.iter().filter_map(|row| Some((row[0].as_uuid()?, row[1].as_text()?.to_owned()))).collect())
}
