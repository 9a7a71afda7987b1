//! Budgets of the assistant: what is left of them, and limits people set.

use crate::assistant::limits::{Level, Limit, Limits, Module, check_cost, reached, system_default};
use crate::assistant::place::{Object, Place, argument, data, decimal, id, object, one_of_words, within};
use crate::assistant::usage::{Month, Period};
use catalogue::{Caller, Decimal, Right, Value as Cell, ValueRef};
use graphql::{Call, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "llm_budget";
const COLUMNS: [&str; 17] = [
    "id",
    "entity_type",
    "entity_id",
    "module",
    "budget_disabled",
    "monthly_cost_limit",
    "monthly_cost_enabled",
    "monthly_count_limit",
    "monthly_count_enabled",
    "daily_cost_limit",
    "daily_cost_enabled",
    "daily_count_limit",
    "daily_count_enabled",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
];

#[derive(Deserialize)]
struct InAccount {
    account_id: String,
}

/// What is left this month.
pub(super) fn status(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: InAccount = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let month = Month::read(place)?;
        let module = |module: Module| -> Result<Value, Refusal> {
            let level = |level: Level| -> Result<Value, Refusal> {
                let limits = limits(&place.rows, level, entity(place, level), module)?;
                let used = month.used(level, module);
                let left = limits.monthly_cost.most.checked_sub(used.month_cost).unwrap_or(Decimal::ZERO);
                Ok(json!({
                    "budget_limit": decimal(limits.monthly_cost.most),
                    "budget_remaining": decimal(left.max(Decimal::ZERO)),
                    "current_usage": decimal(used.month_cost),
                    "limit_source": if limits.is_configured { "config" } else { "system_default" },
                    "rate_limit": reached(&limits, &used).is_some(),
                    "reached": reached(&limits, &used),
                    "budget_enabled": limits.monthly_cost.is_enabled,
                    "budget_disabled": limits.is_disabled,
                    "daily_limit": looked_at(Some(limits.daily_cost)).map(decimal),
                    "daily_usage": decimal(used.day_cost),
                    "session_limit": looked_at(limits.monthly_count),
                    "sessions": used.month_count,
                    "daily_session_limit": looked_at(limits.daily_count),
                    "daily_sessions": used.day_count,
                }))
            };
            Ok(json!({ "tenant": level(Level::Tenant)?, "account": level(Level::Account)? }))
        };
        let unpriced = month.unpriced.iter().map(
            |model| json!({ "message": format!("{model} has no price: what it has cost is not counted") }),
        );
        Ok(json!({
            "data": {
                "tenant_id": place.tenant,
                "account_id": place.account,
                "period": Period::of(place.now).month,
                "investigation": module(Module::Investigation)?,
                "user_investigation": module(Module::UserInvestigation)?,
            },
            "err": unpriced.collect::<Vec<_>>(),
        }))
    })
}

/// Why nothing more may be asked this day or month. A failure of the check itself blocks nothing (semantics §12).
///
/// What an event began is looked at by both modules, all else by the one that counts all sessions.
pub(super) fn exceeded(place: &Place<'_>, is_by_event: bool) -> Option<Refusal> {
    let month = Month::read(place).ok()?;
    let modules = if is_by_event { &Module::ALL[..] } else { &[Module::UserInvestigation] };
    let looked_at =
        Level::ALL.into_iter().flat_map(|level| modules.iter().map(move |module| (level, *module)));
    looked_at.into_iter().find_map(|(level, module)| {
        let limits = limits(&place.rows, level, entity(place, level), module).ok()?;
        let what = reached(&limits, &month.used(level, module))?;
        let level = level.name();
        Some(Refusal::new(
            "budget-exceeded",
            format!("the assistant's budget of the {level} is spent: {what}"),
        ))
    })
}

fn looked_at<T>(limit: Option<Limit<T>>) -> Option<T> {
    limit.filter(|limit| limit.is_enabled).map(|limit| limit.most)
}

fn entity(place: &Place<'_>, level: Level) -> Uuid {
    match level {
        Level::Tenant => place.tenant,
        Level::Account => place.account,
    }
}

/// The limits that hold: those people have set over those of the service.
fn limits(rows: &Transaction<'_>, level: Level, entity: Uuid, module: Module) -> Result<Limits, Refusal> {
    let mut limits = system_default(level, module);
    let conditions = [eq("entity_type", level.name()), eq("entity_id", entity), eq("module", module.name())];
    let Some(row) = rows.select(TABLE, &COLUMNS, &conditions)?.pop() else { return Ok(limits) };
    let is = |place: usize| row[place] == Cell::Bool(true);
    let cost = |place: usize, known: Limit<Decimal>| Limit {
        most: match &row[place] {
            Cell::Decimal(limit) => *limit,
            _ => known.most,
        },
        is_enabled: is(place + 1),
    };
    let count = |place: usize, known: Option<Limit<i64>>| {
        let most = row[place].as_int().or(known.map(|known| known.most))?;
        Some(Limit { most, is_enabled: is(place + 1) })
    };
    limits.is_disabled = is(4);
    limits.is_configured = !row[5].is_null();
    limits.monthly_cost = cost(5, limits.monthly_cost);
    limits.monthly_count = count(7, limits.monthly_count);
    limits.daily_cost = cost(9, limits.daily_cost);
    limits.daily_count = count(11, limits.daily_count);
    Ok(limits)
}

/// The limits that come with the service, and the highest that may be set.
#[expect(clippy::unnecessary_wraps, reason = "every field of the interface is such a function")]
pub(super) fn defaults(_: &Call<'_>) -> Result<Value, Refusal> {
    let count = |limit: Option<Limit<i64>>| limit.map(|limit| limit.most);
    let all = Level::ALL.map(|level| {
        let modules = Module::ALL.map(|module| {
            let limits = system_default(level, module);
            let limits = json!({
                "monthly_cost_limit": decimal(limits.monthly_cost.most),
                "daily_cost_limit": decimal(limits.daily_cost.most),
                "monthly_count_limit": count(limits.monthly_count),
                "daily_count_limit": count(limits.daily_count),
            });
            (module.name().to_owned(), limits)
        });
        let mut modules = Object::from_iter(modules);
        let (monthly, daily) = level.caps();
        modules.insert(
            "highest".to_owned(),
            json!({ "monthly_cost_limit": decimal(monthly), "daily_cost_limit": decimal(daily) }),
        );
        (level.name().to_owned(), Value::Object(modules))
    });
    Ok(data(Object::from_iter(all)))
}

#[derive(Deserialize)]
struct Which {
    entity_type: Option<String>,
    entity_id: Option<String>,
    module: Option<String>,
}

/// The limits people have set, by whose they are.
pub(super) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let which: Which = argument(call, "request")?;
    let mut conditions = Vec::new();
    if let Some(kind) = &which.entity_type {
        conditions.push(eq("entity_type", level(kind)?.name()));
    }
    if let Some(entity) = &which.entity_id {
        conditions.push(eq("entity_id", id("entity_id", entity)?));
    }
    if let Some(name) = &which.module {
        conditions.push(eq("module", module(name)?.name()));
    }
    as_house(call, |rows, _| {
        let mut rows = rows.select(TABLE, &COLUMNS, &conditions)?;
        let key = |row: &[Cell]| {
            let text = |place: usize| row[place].as_text().unwrap_or_default().to_owned();
            (std::cmp::Reverse(text(1)), row[2].as_uuid(), text(3))
        };
        rows.sort_by_key(|row| key(row));
        let rows: Vec<Value> = rows.into_iter().map(|row| object(&COLUMNS, row).into()).collect();
        Ok(data(rows))
    })
}

fn level(name: &str) -> Result<Level, Refusal> {
    let names = Level::ALL.map(Level::name);
    let name = one_of_words("entity_type", name, &names)?;
    Ok(if name == "tenant" { Level::Tenant } else { Level::Account })
}

fn module(name: &str) -> Result<Module, Refusal> {
    let names = Module::ALL.map(Module::name);
    let name = one_of_words("module", name, &names)?;
    Ok(if name == "investigation" { Module::Investigation } else { Module::UserInvestigation })
}

/// Limits to set; `None` leaves one as it is.
#[derive(Deserialize)]
struct Wanted {
    entity_type: String,
    entity_id: String,
    module: String,
    budget_disabled: Option<bool>,
    monthly_cost_limit: Option<serde_json::Number>,
    monthly_cost_enabled: Option<bool>,
    monthly_count_limit: Option<i64>,
    monthly_count_enabled: Option<bool>,
    daily_cost_limit: Option<serde_json::Number>,
    daily_cost_enabled: Option<bool>,
    daily_count_limit: Option<i64>,
    daily_count_enabled: Option<bool>,
}

pub(super) fn set(call: &Call<'_>) -> Result<Value, Refusal> {
    let wanted: Wanted = argument(call, "request")?;
    let level = level(&wanted.entity_type)?;
    let module = module(&wanted.module)?.name();
    let entity = id("entity_id", &wanted.entity_id)?;
    as_house(call, |rows, tenant| {
        let is_there = match level {
            Level::Tenant => entity == tenant,
            Level::Account => rows.count("cloud_accounts", &[eq("id", entity)])? > 0,
        };
        if !is_there {
            return Err(Refusal::not_found(format!("there is no {} {entity} of yours", level.name())));
        }
        let mut set = cells(&wanted, level)?;
        set.push(("updated_by", call.caller.user.into()));
        set.push(("updated_at", ValueRef::Timestamp(call.now)));
        let key = [eq("entity_type", level.name()), eq("entity_id", entity), eq("module", module)];
        if rows.update(TABLE, &key, &set)? == 0 {
            set.extend([
                ("entity_type", level.name().into()),
                ("entity_id", entity.into()),
                ("module", module.into()),
                ("created_by", call.caller.user.into()),
            ]);
            rows.insert(TABLE, &set)?;
        }
        let row = rows.select(TABLE, &COLUMNS, &key)?.pop();
        Ok(data(row.map(|row| object(&COLUMNS, row))))
    })
}

/// The cells to write, checked against the highest limits.
fn cells(wanted: &Wanted, level: Level) -> Result<Vec<(&'static str, ValueRef<'static>)>, Refusal> {
    let mut cells: Vec<(&str, ValueRef<'_>)> = Vec::new();
    let flags = [
        ("budget_disabled", wanted.budget_disabled),
        ("monthly_cost_enabled", wanted.monthly_cost_enabled),
        ("monthly_count_enabled", wanted.monthly_count_enabled),
        ("daily_cost_enabled", wanted.daily_cost_enabled),
        ("daily_count_enabled", wanted.daily_count_enabled),
    ];
    cells.extend(flags.iter().filter_map(|(name, flag)| Some((*name, (*flag)?.into()))));
    let (monthly, daily) = level.caps();
    let costs = [
        ("monthly_cost_limit", &wanted.monthly_cost_limit, monthly),
        ("daily_cost_limit", &wanted.daily_cost_limit, daily),
    ];
    for (name, given, cap) in costs {
        let Some(given) = given else { continue };
        let limit = Decimal::parse(&given.to_string())
            .map_err(|error| Refusal::invalid(format!("{name} is {given}: {error}")))?;
        check_cost(name, level, limit, cap)?;
        cells.push((name, limit.into()));
    }
    let counts = [
        ("monthly_count_limit", wanted.monthly_count_limit),
        ("daily_count_limit", wanted.daily_count_limit),
    ];
    for (name, given) in counts {
        let Some(given) = given else { continue };
        if given < 0 {
            return Err(Refusal::invalid(format!("{name} is {given}: expected 0 or more")));
        }
        cells.push((name, given.into()));
    }
    Ok(cells)
}

#[derive(Deserialize)]
struct Delete {
    id: String,
}

pub(super) fn delete(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: Delete = argument(call, "request")?;
    let id = id("id", &request.id)?;
    as_house(call, |rows, _| match rows.delete(TABLE, &[eq("id", id)])? {
        0 => Err(Refusal::not_found(format!("there is no budget {id}; ai_list_budget_config has them"))),
        _ => Ok(data(json!({ "id": id, "success": true }))),
    })
}

/// Runs `work` for the tenant of the caller, whose role was checked by the interface.
fn as_house(
    call: &Call<'_>,
    work: impl FnOnce(&Transaction<'_>, Uuid) -> Result<Value, Refusal>,
) -> Result<Value, Refusal> {
    let tenant = call.caller.tenant().ok_or_else(Refusal::denied)?;
    let house = Caller::house_for(tenant);
    work(&call.rows.acting_as(&house), tenant)
}
