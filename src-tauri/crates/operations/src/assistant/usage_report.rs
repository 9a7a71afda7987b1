//! Sums of the ledger for a month, by user and by model.

use crate::assistant::usage::Period;
use crate::kit::in_account::argument;
use catalogue::{Decimal, DecimalSum, parse_timestamp};
use graphql::{Call, Refusal};
use model::operations::{AIListUsageRequest, AIListUsageResponse, AIUsage, AIUsageOf};
use model::tables::llm_ledger;
use model::{Filter, LlmLedger, Read as _, Timestamp, count, row};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Longer than any month, µs.
const BEYOND: i64 = 32 * 86_400_000_000;

row! { struct LedgerLine from llm_ledger { id } }
row! { struct PersonName from users { display_name } }

#[derive(Default, Clone)]
struct Sum {
    requests: i64,
    input: i64,
    output: i64,
    bytes_left: i64,
    cost: DecimalSum,
    unpriced: i64,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.bytes_left = self.bytes_left.saturating_add(other.bytes_left);
        self.cost.add(other.total());
        self.unpriced += other.unpriced;
    }

    fn total(&self) -> Decimal {
        self.cost.total().unwrap_or(Decimal::ZERO)
    }

    fn shown(&self, id: Option<String>, name: String) -> AIUsageOf {
        AIUsageOf {
            id,
            name,
            requests: self.requests,
            input_tokens: self.input,
            output_tokens: self.output,
            bytes_left: self.bytes_left,
            cost: self.total().into(),
            unpriced: self.unpriced,
        }
    }
}

/// User, provider and model.
type Key = (Option<Uuid>, String, String);

/// Handles `ai_list_usage`: highest cost first, then most requests.
pub(super) fn list(call: &Call<'_>) -> Result<AIListUsageResponse, Refusal> {
    let wanted: AIListUsageRequest = argument(call, "request")?;
    let period = Period::of(wanted.period.as_deref().map_or(Ok(call.now), month_start)?);
    let next = Period::of(period.month_start + BEYOND).month_start;
    let within = llm_ledger::sent_at.ge(Timestamp(period.month_start));
    let mut people: BTreeMap<Option<Uuid>, Sum> = BTreeMap::new();
    let mut models: BTreeMap<(String, String), Sum> = BTreeMap::new();
    for ((person, provider, model), sum) in sums(call, within.and(llm_ledger::sent_at.lt(Timestamp(next))))? {
        people.entry(person).or_default().add(&sum);
        models.entry((provider, model)).or_default().add(&sum);
    }
    let mut of_people = Vec::with_capacity(people.len());
    for (person, sum) in sort_by_cost(people) {
        let id = person.map(|person| person.to_string());
        let known = match person {
            Some(person) => call.rows.find::<PersonName>(person)?.map(|known| known.display_name),
            None => None,
        };
        let name = known.or_else(|| id.clone()).unwrap_or_else(|| "Events".to_owned());
        of_people.push(sum.shown(id, name));
    }
    let of_models =
        sort_by_cost(models).into_iter().map(|((provider, model), sum)| sum.shown(Some(provider), model));
    let usage = AIUsage { period: period.month, people: of_people, models: of_models.collect() };
    Ok(AIListUsageResponse { data: Some(usage), errors: Some(Vec::new()) })
}

fn sort_by_cost<K>(sums: BTreeMap<K, Sum>) -> Vec<(K, Sum)> {
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, sum)| Reverse((sum.total(), sum.requests)));
    sums
}

/// Ledger entries that match the filter, summed by the database.
fn sums(call: &Call<'_>, within: Filter<LlmLedger>) -> Result<BTreeMap<Key, Sum>, Refusal> {
    let (person, provider, model) =
        (llm_ledger::user_id.key(), llm_ledger::provider.key(), llm_ledger::model.key());
    let key = (person.clone(), provider.clone(), model.clone());
    let lines = |more: Filter<LlmLedger>| call.rows.query::<LedgerLine>().filter(within.clone()).filter(more);
    let whole = |sum: Option<Decimal>| sum.map_or(0, |sum| sum.to_i64().unwrap_or(i64::MAX));
    let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
    let all = lines(Filter::all()).group((
        person,
        provider,
        model,
        count(),
        llm_ledger::input_tokens.sum(),
        llm_ledger::output_tokens.sum(),
        llm_ledger::cost.sum(),
    ));
    for (person, provider, model, requests, input, output, cost) in all.rows()? {
        let sum = sums.entry((person, provider, model)).or_default();
        (sum.requests, sum.input, sum.output) = (requests, whole(input), whole(output));
        sum.cost.add(cost.unwrap_or(Decimal::ZERO));
    }
    let (person, provider, model) = key.clone();
    let left = lines(llm_ledger::left_machine.eq(true));
    let left = left.group((person, provider, model, llm_ledger::size_bytes.sum()));
    for (person, provider, model, bytes) in left.rows()? {
        sums.entry((person, provider, model)).or_default().bytes_left = whole(bytes);
    }
    let (person, provider, model) = key;
    let unpriced = lines(llm_ledger::cost.is_null()).group((person, provider, model, count()));
    for (person, provider, model, lines) in unpriced.rows()? {
        sums.entry((person, provider, model)).or_default().unpriced = lines;
    }
    Ok(sums)
}

/// The start of a month.
fn month_start(month: &str) -> Result<i64, Refusal> {
    let begun = (month.len() == 7).then(|| parse_timestamp(&format!("{month}-01T00:00:00"))).flatten();
    begun.ok_or_else(|| Refusal::invalid(format!("period is {month:?}: expected a month such as 2026-11")))
}
