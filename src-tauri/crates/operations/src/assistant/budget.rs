//! Budgets of the assistant: the remaining amounts, and limits set by users.

use crate::assistant::limits::{Level, Limit, Limits, Module, check_cost, first_reached, system_default};
use crate::assistant::usage::{Month, Period};
use crate::kit::in_account::{Data, Place, Removal, argument, data, decimal, id, one_of_words, within};
use crate::kit::reply;
use catalogue::{Caller, Decimal, Right, ValueRef};
use graphql::{Call, Refusal};
use model::operations::{AIBudgetLevelInfo, AIBudgetStatusData, AIBudgetStatusResponse, AIModuleBudgetInfo};
use model::tables::llm_budget;
use model::{Id, LlmBudget, Number, Read as _, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "llm_budget";

/// A note about the figures.
#[derive(Serialize)]
struct Remark {
    message: String,
}

/// The limits set for one entity and module, as the interface shows them.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each limit has its own switch in the interface")]
pub(super) struct BudgetConfig {
    id: Id<LlmBudget>,
    entity_type: String,
    entity_id: Uuid,
    module: String,
    budget_disabled: bool,
    monthly_cost_limit: Option<Number>,
    monthly_cost_enabled: bool,
    monthly_count_limit: Option<i64>,
    monthly_count_enabled: bool,
    daily_cost_limit: Option<Number>,
    daily_cost_enabled: bool,
    daily_count_limit: Option<i64>,
    daily_count_enabled: bool,
    created_at: Timestamp,
    created_by: Option<Uuid>,
    updated_at: Timestamp,
    updated_by: Option<Uuid>,
}

impl From<LlmBudget> for BudgetConfig {
    fn from(row: LlmBudget) -> Self {
        Self {
            id: row.id,
            entity_type: row.entity_type,
            entity_id: row.entity_id,
            module: row.module,
            budget_disabled: row.budget_disabled,
            monthly_cost_limit: row.monthly_cost_limit.map(Number::from),
            monthly_cost_enabled: row.monthly_cost_enabled,
            monthly_count_limit: row.monthly_count_limit,
            monthly_count_enabled: row.monthly_count_enabled,
            daily_cost_limit: row.daily_cost_limit.map(Number::from),
            daily_cost_enabled: row.daily_cost_enabled,
            daily_count_limit: row.daily_count_limit,
            daily_count_enabled: row.daily_count_enabled,
            created_at: row.created_at,
            created_by: row.created_by,
            updated_at: row.updated_at,
            updated_by: row.updated_by,
        }
    }
}

#[derive(Deserialize)]
struct InAccount {
    account_id: String,
}

/// Returns what is left of the budgets this month.
pub(super) fn status(call: &Call<'_>) -> Result<AIBudgetStatusResponse, Refusal> {
    let request: InAccount = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let month = Month::read(place)?;
        let unpriced = month.unpriced.iter().map(|model| Remark {
            message: format!("{model} has no price: what it has cost is not counted"),
        });
        let data = AIBudgetStatusData {
            tenant_id: place.tenant.to_string(),
            account_id: place.account.to_string(),
            period: Period::of(place.now).month,
            investigation: left_of(place, &month, Module::Investigation)?,
            user_investigation: left_of(place, &month, Module::UserInvestigation)?,
        };
        let err = reply(&unpriced.collect::<Vec<_>>())?;
        Ok(AIBudgetStatusResponse { data: Some(data), err: Some(err) })
    })
}

fn left_of(place: &Place<'_>, month: &Month, module: Module) -> Result<AIModuleBudgetInfo, Refusal> {
    let level = |level: Level| -> Result<AIBudgetLevelInfo, Refusal> {
        let limits = limits(&place.rows, level, entity(place, level), module)?;
        let used = month.used(level, module);
        let left = limits.monthly_cost.max.checked_sub(used.month_cost).unwrap_or(Decimal::ZERO);
        let reached = first_reached(&limits, &used);
        Ok(AIBudgetLevelInfo {
            budget_limit: limits.monthly_cost.max.into(),
            budget_remaining: left.max(Decimal::ZERO).into(),
            current_usage: used.month_cost.into(),
            limit_source: if limits.is_configured { "config" } else { "system_default" }.to_owned(),
            rate_limit: reached.is_some(),
            reached: reached.map(str::to_owned),
            budget_enabled: limits.monthly_cost.is_enabled,
            budget_disabled: limits.is_disabled,
            daily_limit: enabled_value(Some(limits.daily_cost)).map(Number::from),
            daily_usage: used.day_cost.into(),
            session_limit: enabled_value(limits.monthly_count),
            sessions: used.month_count,
            daily_session_limit: enabled_value(limits.daily_count),
            daily_sessions: used.day_count,
        })
    };
    Ok(AIModuleBudgetInfo { tenant: level(Level::Tenant)?, account: level(Level::Account)? })
}

/// Returns the reason why no further question is allowed today or this month. If the check itself fails, questions are allowed (semantics §12).
///
/// A session started by an event is checked against both modules, any other session only against the module that counts all sessions.
pub(super) fn exceeded(place: &Place<'_>, is_by_event: bool) -> Option<Refusal> {
    let month = Month::read(place).ok()?;
    let modules = if is_by_event { &Module::ALL[..] } else { &[Module::UserInvestigation] };
    let combinations =
        Level::ALL.into_iter().flat_map(|level| modules.iter().map(move |module| (level, *module)));
    combinations.into_iter().find_map(|(level, module)| {
        let limits = limits(&place.rows, level, entity(place, level), module).ok()?;
        let what = first_reached(&limits, &month.used(level, module))?;
        let level = level.name();
        Some(Refusal::new(
            "budget-exceeded",
            format!("the assistant's budget of the {level} is spent: {what}"),
        ))
    })
}

fn enabled_value<T>(limit: Option<Limit<T>>) -> Option<T> {
    limit.filter(|limit| limit.is_enabled).map(|limit| limit.max)
}

fn entity(place: &Place<'_>, level: Level) -> Uuid {
    match level {
        Level::Tenant => place.tenant,
        Level::Account => place.account,
    }
}

/// The effective limits: those set by users override the defaults of the service.
fn limits(rows: &Transaction<'_>, level: Level, entity: Uuid, module: Module) -> Result<Limits, Refusal> {
    let mut limits = system_default(level, module);
    let Some(row) = find(rows, level, entity, module)? else { return Ok(limits) };
    let cost = |max: Option<Decimal>, is_enabled, known: Limit<Decimal>| Limit {
        max: max.unwrap_or(known.max),
        is_enabled,
    };
    let count = |max: Option<i64>, is_enabled, known: Option<Limit<i64>>| {
        Some(Limit { max: max.or(known.map(|known| known.max))?, is_enabled })
    };
    limits.is_disabled = row.budget_disabled;
    limits.is_configured = row.monthly_cost_limit.is_some();
    limits.monthly_cost = cost(row.monthly_cost_limit, row.monthly_cost_enabled, limits.monthly_cost);
    limits.monthly_count = count(row.monthly_count_limit, row.monthly_count_enabled, limits.monthly_count);
    limits.daily_cost = cost(row.daily_cost_limit, row.daily_cost_enabled, limits.daily_cost);
    limits.daily_count = count(row.daily_count_limit, row.daily_count_enabled, limits.daily_count);
    Ok(limits)
}

/// The limits set by users for one module of a level.
fn find(
    rows: &Transaction<'_>,
    level: Level,
    entity: Uuid,
    module: Module,
) -> Result<Option<LlmBudget>, Refusal> {
    let own = llm_budget::entity_type
        .eq(level.name())
        .and(llm_budget::entity_id.eq(entity))
        .and(llm_budget::module.eq(module.name()));
    Ok(rows.query::<LlmBudget>().filter(own).first()?)
}

/// Cost limits.
#[derive(Serialize)]
pub(super) struct CostLimits {
    #[serde(rename = "monthly_cost_limit")]
    monthly: Value,
    #[serde(rename = "daily_cost_limit")]
    daily: Value,
}

/// The limits of one module. The count limits are `None` if sessions are not limited.
#[derive(Serialize)]
pub(super) struct ModuleLimits {
    #[serde(flatten)]
    costs: CostLimits,
    #[serde(rename = "monthly_count_limit")]
    monthly: Option<i64>,
    #[serde(rename = "daily_count_limit")]
    daily: Option<i64>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Defaults {
    Module(ModuleLimits),
    /// The highest limits that can be set.
    Highest(CostLimits),
}

/// Limits by module name, with the key `highest` for the highest ones.
type LevelDefaults = BTreeMap<&'static str, Defaults>;

/// Returns the default limits of the service, and the highest limits that can be set.
#[expect(clippy::unnecessary_wraps, reason = "every field of the interface is such a function")]
pub(super) fn defaults(_: &Call<'_>) -> Result<Data<BTreeMap<&'static str, LevelDefaults>>, Refusal> {
    let count = |limit: Option<Limit<i64>>| limit.map(|limit| limit.max);
    let all = Level::ALL.map(|level| {
        let modules = Module::ALL.map(|module| {
            let limits = system_default(level, module);
            let costs = CostLimits {
                monthly: decimal(limits.monthly_cost.max),
                daily: decimal(limits.daily_cost.max),
            };
            let (monthly, daily) = (count(limits.monthly_count), count(limits.daily_count));
            (module.name(), Defaults::Module(ModuleLimits { costs, monthly, daily }))
        });
        let (monthly, daily) = level.caps();
        let highest = Defaults::Highest(CostLimits { monthly: decimal(monthly), daily: decimal(daily) });
        (level.name(), modules.into_iter().chain([("highest", highest)]).collect())
    });
    Ok(data(all.into_iter().collect()))
}

#[derive(Deserialize)]
struct Which {
    entity_type: Option<String>,
    entity_id: Option<String>,
    module: Option<String>,
}

/// Lists the limits set by users, sorted by the entity they belong to.
pub(super) fn list(call: &Call<'_>) -> Result<Data<Vec<BudgetConfig>>, Refusal> {
    let which: Which = argument(call, "request")?;
    let of_level = which.entity_type.as_deref().map(level).transpose()?;
    let of_entity = which.entity_id.as_deref().map(|entity| id("entity_id", entity)).transpose()?;
    let of_module = which.module.as_deref().map(module).transpose()?;
    as_house(call, |rows, _| {
        let budgets = rows
            .query::<LlmBudget>()
            .filter_some(of_level.map(|level| llm_budget::entity_type.eq(level.name())))
            .filter_some(of_entity.map(|entity| llm_budget::entity_id.eq(entity)))
            .filter_some(of_module.map(|module| llm_budget::module.eq(module.name())))
            .order(llm_budget::entity_type.desc())
            .order(llm_budget::entity_id.asc())
            .order(llm_budget::module.asc())
            .rows()?;
        let budgets: Vec<BudgetConfig> = budgets.into_iter().map(BudgetConfig::from).collect();
        Ok(data(budgets))
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

/// Limits to set; `None` leaves a value unchanged.
#[derive(Deserialize)]
struct BudgetRequest {
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

pub(super) fn set(call: &Call<'_>) -> Result<Data<Option<BudgetConfig>>, Refusal> {
    let wanted: BudgetRequest = argument(call, "request")?;
    let level = level(&wanted.entity_type)?;
    let module = module(&wanted.module)?;
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
        let key = [eq("entity_type", level.name()), eq("entity_id", entity), eq("module", module.name())];
        if rows.update(TABLE, &key, &set)? == 0 {
            set.extend([
                ("entity_type", level.name().into()),
                ("entity_id", entity.into()),
                ("module", module.name().into()),
                ("created_by", call.caller.user.into()),
            ]);
            rows.insert(TABLE, &set)?;
        }
        let budget = find(rows, level, entity, module)?.map(BudgetConfig::from);
        Ok(data(budget))
    })
}

/// The cells to write, validated against the highest limits.
fn cells(wanted: &BudgetRequest, level: Level) -> Result<Vec<(&'static str, ValueRef<'static>)>, Refusal> {
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

pub(super) fn delete(call: &Call<'_>) -> Result<Data<Removal>, Refusal> {
    let request: Delete = argument(call, "request")?;
    let id = id("id", &request.id)?;
    as_house(call, |rows, _| match rows.delete(TABLE, &[eq("id", id)])? {
        0 => Err(Refusal::not_found(format!("there is no budget {id}; ai_list_budget_config has them"))),
        _ => Ok(data(Removal { id, success: true })),
    })
}

/// Runs `work` as the service, for the caller's tenant. The interface has already checked the caller's role.
fn as_house<T>(
    call: &Call<'_>,
    work: impl FnOnce(&Transaction<'_>, Uuid) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let tenant = call.caller.tenant().ok_or_else(Refusal::denied)?;
    let system = Caller::system_for(tenant);
    work(&call.rows.as_caller(&system), tenant)
}
