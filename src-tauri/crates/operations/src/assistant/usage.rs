//! The cost of language models: tokens used, multiplied by the tenant's prices.

use crate::assistant::limits::{Level, Module, UsageTotals};
use crate::kit::in_account::{Place, argument, decimal, id, within};
use catalogue::{Decimal, DecimalSum, Right, ValueRef, format_timestamp, parse_timestamp};
use graphql::{Call, Refusal};
use llm::Usage;
use model::tables::llm_usage;
use model::{Filter, LlmPrice, LlmUsage, Read as _, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::Transaction;
use uuid::Uuid;

/// The prices of one model, per million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Price {
    base: Rates,
    /// The rates for answers whose context has more tokens than this threshold.
    above: Option<(i64, Rates)>,
    /// Price per million tokens and hour in the cache.
    cache_storage: Decimal,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rates {
    input: Decimal,
    cached_input: Decimal,
    cache_creation: Decimal,
    output: Decimal,
}

/// The tokens of one answer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tokens {
    input: i64,
    cached_input: i64,
    cache_creation: i64,
    output: i64,
    thinking: i64,
    cache_hours: i64,
}

impl Tokens {
    /// Converts the usage that a provider reported.
    fn from_usage(usage: &Usage) -> Self {
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        Self {
            input: whole(usage.input_tokens),
            cached_input: whole(usage.cached_input_tokens),
            cache_creation: whole(usage.cache_creation_tokens),
            output: whole(usage.output_tokens),
            thinking: whole(usage.thinking_tokens),
            cache_hours: 0,
        }
    }

    /// Converts a stored row.
    fn of(usage: &LlmUsage) -> Self {
        Self {
            input: usage.input_tokens,
            cached_input: usage.cached_input_tokens,
            cache_creation: usage.cache_creation_tokens,
            output: usage.output_tokens,
            thinking: usage.thinking_tokens,
            cache_hours: usage.cache_token_hours,
        }
    }

    /// All tokens that the answer read, which are compared with the threshold of a price.
    fn context(&self) -> i64 {
        self.input.saturating_add(self.cached_input).saturating_add(self.cache_creation)
    }

    fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.input, other.input),
            (&mut self.cached_input, other.cached_input),
            (&mut self.cache_creation, other.cache_creation),
            (&mut self.output, other.output),
            (&mut self.thinking, other.thinking),
            (&mut self.cache_hours, other.cache_hours),
        ];
        for (total, more) in pairs {
            *total = total.saturating_add(more);
        }
    }
}

impl Price {
    /// The cost of the answer multiplied by one million, to round only after adding up. `None` beyond 38 digits.
    fn millionfold(&self, tokens: &Tokens) -> Option<Decimal> {
        let rates = match self.above {
            Some((threshold, rates)) if tokens.context() > threshold => rates,
            _ => self.base,
        };
        let parts = [
            (rates.input, tokens.input),
            (rates.cached_input, tokens.cached_input),
            (rates.cache_creation, tokens.cache_creation),
            (rates.output, tokens.output.saturating_add(tokens.thinking)),
            (self.cache_storage, tokens.cache_hours),
        ];
        parts
            .iter()
            .try_fold(Decimal::ZERO, |sum, (rate, count)| sum.checked_add(rate.checked_mul_int(*count)?))
    }
}

/// The prices of a tenant, by provider and model.
pub(super) struct Prices(HashMap<(String, String), Price>);

impl Prices {
    pub fn read(rows: &Transaction<'_>) -> Result<Self, Refusal> {
        let prices = rows.query::<LlmPrice>().rows()?;
        let known = |price: LlmPrice| (Price::from(&price), (price.provider, price.model));
        Ok(Self(prices.into_iter().map(known).map(|(price, key)| (key, price)).collect()))
    }

    fn find(&self, provider: &str, model: &str) -> Option<&Price> {
        self.0.get(&(provider.to_owned(), model.to_owned()))
    }
}

impl From<&LlmPrice> for Price {
    fn from(row: &LlmPrice) -> Self {
        let base = Rates {
            input: row.input,
            cached_input: row.cached_input.unwrap_or(row.input),
            cache_creation: row.cache_creation.unwrap_or(row.input),
            output: row.output,
        };
        let above = row.context_threshold.map(|threshold| {
            let input = row.above_input.unwrap_or(base.input);
            let rates = Rates {
                input,
                cached_input: row.above_cached_input.or(row.cached_input).unwrap_or(input),
                cache_creation: row.above_cache_creation.or(row.cache_creation).unwrap_or(input),
                output: row.above_output.unwrap_or(base.output),
            };
            (threshold, rates)
        });
        Self { base, above, cache_storage: row.cache_storage_per_hour.unwrap_or(Decimal::ZERO) }
    }
}

/// The month (`YYYY-MM`) that contains a time, and the starts of the month and the day, in UTC.
pub(super) struct Period {
    pub month: String,
    pub month_start: i64,
    pub day_start: i64,
}

impl Period {
    pub fn of(now: i64) -> Self {
        let text = format_timestamp(now);
        let (month, day) = (&text[..7], &text[..10]);
        let start = |day: &str| parse_timestamp(&format!("{day}T00:00:00")).unwrap_or(now);
        Self { month: month.to_owned(), month_start: start(&format!("{month}-01")), day_start: start(day) }
    }
}

/// The usage of a tenant in a month, by level and module, and the models without a price.
pub(super) struct Month {
    sums: BTreeMap<(&'static str, &'static str), Sum>,
    pub unpriced: BTreeSet<String>,
}

#[derive(Default)]
struct Sum {
    month: Option<DecimalSum>,
    day: Option<DecimalSum>,
    month_sessions: HashSet<Uuid>,
    day_sessions: HashSet<Uuid>,
}

impl Month {
    /// Adds up the usage since the start of the month that contains `now`, for the tenant and for `account`.
    pub fn read(place: &Place<'_>) -> Result<Self, Refusal> {
        let period = Period::of(place.now);
        let prices = Prices::read(&place.rows)?;
        let mut month = Self { sums: BTreeMap::new(), unpriced: BTreeSet::new() };
        let since = llm_usage::created_at.ge(Timestamp(period.month_start));
        place.rows.query::<LlmUsage>().filter(since).for_each(|usage| {
            month.add(&prices, &usage, place.account, &period);
            Ok::<_, Refusal>(())
        })?;
        Ok(month)
    }

    fn add(&mut self, prices: &Prices, usage: &LlmUsage, account: Uuid, period: &Period) {
        let price = prices.find(&usage.provider, &usage.model);
        let cost = price.and_then(|price| price.millionfold(&Tokens::of(usage)));
        if cost.is_none() {
            self.unpriced.insert(format!("{}/{}", usage.provider, usage.model));
        }
        let is_today = usage.created_at.micros() >= period.day_start;
        let is_by_event = usage.source == "event";
        let is_of_account = usage.account_id.uuid() == account;
        for level in Level::ALL {
            for module in Module::ALL {
                let counts = (level == Level::Tenant || is_of_account)
                    && (module == Module::UserInvestigation || is_by_event);
                if !counts {
                    continue;
                }
                let sum = self.sums.entry((level.name(), module.name())).or_default();
                sum.month_sessions.extend(usage.conversation_id);
                sum.month.get_or_insert_with(DecimalSum::new).add(cost.unwrap_or(Decimal::ZERO));
                if is_today {
                    sum.day_sessions.extend(usage.conversation_id);
                    sum.day.get_or_insert_with(DecimalSum::new).add(cost.unwrap_or(Decimal::ZERO));
                }
            }
        }
    }

    /// The usage of one module at one level.
    pub fn used(&self, level: Level, module: Module) -> UsageTotals {
        let sum = self.sums.get(&(level.name(), module.name()));
        let cost = |sum: Option<&DecimalSum>| {
            let total = sum.and_then(DecimalSum::total).unwrap_or(Decimal::ZERO);
            total.divided_by(1_000_000)
        };
        let count = |sessions: Option<&HashSet<Uuid>>| {
            sessions.map_or(0, |sessions| i64::try_from(sessions.len()).unwrap_or(i64::MAX))
        };
        UsageTotals {
            month_cost: cost(sum.and_then(|sum| sum.month.as_ref())),
            day_cost: cost(sum.and_then(|sum| sum.day.as_ref())),
            month_count: count(sum.map(|sum| &sum.month_sessions)),
            day_count: count(sum.map(|sum| &sum.day_sessions)),
        }
    }
}

/// The attribution of a model's answer.
pub(super) struct UsageEntry<'a> {
    pub account: Uuid,
    pub conversation: Option<Uuid>,
    pub message: Option<Uuid>,
    /// `event` or `user`.
    pub source: &'a str,
    pub provider: &'a str,
    pub model: &'a str,
}

/// Stores the usage of one answer.
pub(super) fn write(rows: &Transaction<'_>, entry: &UsageEntry<'_>, usage: &Usage) -> Result<(), Refusal> {
    let tokens = Tokens::from_usage(usage);
    let optional = |id: Option<Uuid>| id.map_or(ValueRef::Null, ValueRef::Uuid);
    rows.insert(
        "llm_usage",
        &[
            ("account_id", entry.account.into()),
            ("conversation_id", optional(entry.conversation)),
            ("message_id", optional(entry.message)),
            ("source", entry.source.into()),
            ("provider", entry.provider.into()),
            ("model", entry.model.into()),
            ("input_tokens", tokens.input.into()),
            ("cached_input_tokens", tokens.cached_input.into()),
            ("cache_creation_tokens", tokens.cache_creation.into()),
            ("output_tokens", tokens.output.into()),
            ("thinking_tokens", tokens.thinking.into()),
            ("created_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(())
}

/// The cost of an answer by the tenant's prices; `None` for a model without a price.
pub(super) fn cost_of(
    rows: &Transaction<'_>,
    provider: &str,
    model: &str,
    usage: &Usage,
) -> Result<Option<Decimal>, Refusal> {
    let prices = Prices::read(rows)?;
    let cost = prices.find(provider, model).and_then(|price| price.millionfold(&Tokens::from_usage(usage)));
    Ok(cost.map(|cost| cost.divided_by(1_000_000)))
}

#[derive(Deserialize)]
struct OfConversation {
    account_id: String,
    conversation_id: String,
}

/// Tokens and cost of a conversation, by model.
pub(super) fn of_conversation(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: OfConversation = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let conversation = id("conversation_id", &request.conversation_id)?;
        super::conversations::find_own(place, conversation)?;
        let own = llm_usage::account_id.eq(place.account).and(llm_usage::conversation_id.eq(conversation));
        Ok(json!({ "data": by_model(place, own)? }))
    })
}

fn by_model(place: &Place<'_>, answers: Filter<LlmUsage>) -> Result<Value, Refusal> {
    let prices = Prices::read(&place.rows)?;
    let mut models: BTreeMap<(String, String), (i64, Tokens, Option<Decimal>)> = BTreeMap::new();
    for usage in place.rows.query::<LlmUsage>().filter(answers).rows()? {
        let tokens = Tokens::of(&usage);
        let key = (usage.provider, usage.model);
        let cost = prices.find(&key.0, &key.1).and_then(|price| price.millionfold(&tokens));
        let known = models.entry(key).or_insert((0, Tokens::default(), Some(Decimal::ZERO)));
        known.0 += 1;
        known.1.add(&tokens);
        known.2 = known.2.zip(cost).and_then(|(sum, cost)| sum.checked_add(cost));
    }
    let total = models
        .values()
        .try_fold(Decimal::ZERO, |sum, (_, _, cost)| cost.and_then(|cost| sum.checked_add(cost)));
    let shown = |cost: Option<Decimal>| cost.map_or(Value::Null, |cost| decimal(cost.divided_by(1_000_000)));
    let models: Vec<Value> = models
        .into_iter()
        .map(|((provider, model), (answers, tokens, cost))| {
            json!({
                "provider": provider,
                "model": model,
                "answers": answers,
                "input_tokens": tokens.input,
                "cached_input_tokens": tokens.cached_input,
                "cache_creation_tokens": tokens.cache_creation,
                "output_tokens": tokens.output,
                "thinking_tokens": tokens.thinking,
                "cost": shown(cost),
            })
        })
        .collect();
    Ok(json!({ "models": models, "total_cost": shown(total) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    fn price() -> Price {
        let base = Rates {
            input: number("3"),
            cached_input: number("0.3"),
            cache_creation: number("3.75"),
            output: number("15"),
        };
        let above = Rates { input: number("6"), output: number("22.5"), ..base };
        Price { base, above: Some((200_000, above)), cache_storage: number("4.5") }
    }

    fn cost(tokens: Tokens) -> Decimal {
        price().millionfold(&tokens).unwrap().divided_by(1_000_000)
    }

    #[test]
    fn thoughts_cost_what_output_costs() {
        let tokens = Tokens { input: 1_000_000, output: 100_000, thinking: 100_000, ..Tokens::default() };
        let small = Tokens { input: 100_000, ..tokens };
        assert_eq!(cost(small), number("3.3"));
    }

    #[test]
    fn an_answer_that_read_more_than_the_threshold_costs_the_higher_prices() {
        let tokens = |input| Tokens { input, output: 1_000, ..Tokens::default() };
        assert_eq!(cost(tokens(200_000)), number("0.615"));
        assert_eq!(cost(tokens(200_001)), number("1.222506"));
    }

    #[test]
    fn the_cache_is_paid_by_tokens_and_hours() {
        let tokens =
            Tokens { cached_input: 10_000, cache_creation: 10_000, cache_hours: 20_000, ..Tokens::default() };
        assert_eq!(cost(tokens), number("0.1305"));
    }

    #[test]
    fn month_and_day_begin_at_midnight_utc() {
        let period = Period::of(parse_timestamp("2026-02-28T23:59:59").unwrap());
        assert_eq!(period.month, "2026-02");
        assert_eq!(Some(period.month_start), parse_timestamp("2026-02-01T00:00:00"));
        assert_eq!(Some(period.day_start), parse_timestamp("2026-02-28T00:00:00"));
    }
}
