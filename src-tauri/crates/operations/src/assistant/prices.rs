//! A tenant's prices for language models. A model without a price adds nothing to any budget.

use crate::kit::in_account::{Data, Object, argument, data, filled, id, object};
use catalogue::{Decimal, ValueRef};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use store::eq;
use uuid::Uuid;

const TABLE: &str = "llm_price";
const COLUMNS: [&str; 7] = ["id", "provider", "model", "input", "output", "cached_input", "cache_creation"];

/// Handles `ai_list_prices`.
pub(super) fn list(call: &Call<'_>) -> Result<Data<Vec<Object>>, Refusal> {
    let mut rows = call.rows.select(TABLE, &COLUMNS, &[])?;
    rows.sort_by_key(|row| {
        let text = |place: usize| row[place].as_text().unwrap_or_default().to_owned();
        (text(1), text(2))
    });
    Ok(data(rows.into_iter().map(|row| object(&COLUMNS, row)).collect()))
}

#[derive(Deserialize)]
struct PriceRequest {
    provider: String,
    model: String,
    input: Number,
    output: Number,
    cached_input: Option<Number>,
    cache_creation: Option<Number>,
}

/// Handles `ai_upsert_price`.
pub(super) fn set(call: &Call<'_>) -> Result<Data<Option<Object>>, Refusal> {
    let wanted: PriceRequest = argument(call, "request")?;
    let provider = filled("provider", &wanted.provider)?;
    let model = filled("model", &wanted.model)?;
    let optional = |name: &str, given: Option<&Number>| {
        given.map_or(Ok(ValueRef::Null), |given| price(name, given).map(ValueRef::Decimal))
    };
    let mut set = vec![
        ("input", ValueRef::Decimal(price("input", &wanted.input)?)),
        ("output", ValueRef::Decimal(price("output", &wanted.output)?)),
        ("cached_input", optional("cached_input", wanted.cached_input.as_ref())?),
        ("cache_creation", optional("cache_creation", wanted.cache_creation.as_ref())?),
    ];
    let key = [eq("provider", provider), eq("model", model)];
    if call.rows.update(TABLE, &key, &set)? == 0 {
        set.extend([("provider", provider.into()), ("model", model.into())]);
        call.rows.insert(TABLE, &set)?;
    }
    let row = call.rows.select(TABLE, &COLUMNS, &key)?.pop();
    Ok(data(row.map(|row| object(&COLUMNS, row))))
}

fn price(name: &str, given: &Number) -> Result<Decimal, Refusal> {
    let price = Decimal::parse(&given.to_string())
        .map_err(|error| Refusal::invalid(format!("{name} is {given}: {error}")))?;
    if price.is_negative() {
        return Err(Refusal::invalid(format!("{name} is {given}: expected 0 or more per million tokens")));
    }
    Ok(price)
}

#[derive(Deserialize)]
struct Delete {
    id: String,
}

/// A price that was deleted.
#[derive(Serialize)]
pub(super) struct RemovedPrice {
    id: Uuid,
}

/// Handles `ai_delete_price`.
pub(super) fn delete(call: &Call<'_>) -> Result<Data<RemovedPrice>, Refusal> {
    let request: Delete = argument(call, "request")?;
    let id = id("id", &request.id)?;
    match call.rows.delete(TABLE, &[eq("id", id)])? {
        0 => Err(Refusal::not_found(format!("there is no price {id}; ai_list_prices has them"))),
        _ => Ok(data(RemovedPrice { id })),
    }
}
