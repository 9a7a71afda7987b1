//! Cost and usage limits of the assistant: defaults of the service, limits set by users, and the
//! check whether one is reached (semantics §12, "AI budget"). This module does not access the store.

use catalogue::Decimal;
use graphql::Refusal;

/// Which sessions a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Module {
    /// Sessions started by events.
    Investigation,
    /// All sessions.
    UserInvestigation,
}

impl Module {
    pub const ALL: [Self; 2] = [Self::Investigation, Self::UserInvestigation];

    pub fn name(self) -> &'static str {
        match self {
            Self::Investigation => "investigation",
            Self::UserInvestigation => "user_investigation",
        }
    }
}

/// The level at which a limit applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Tenant,
    Account,
}

impl Level {
    /// In the order in which limits are checked.
    pub const ALL: [Self; 2] = [Self::Tenant, Self::Account];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tenant => "tenant",
            Self::Account => "account",
        }
    }

    /// The highest monthly and daily cost limit that users can set.
    pub fn caps(self) -> (Decimal, Decimal) {
        match self {
            Self::Tenant => (Decimal::from(10_000), Decimal::from(500)),
            Self::Account => (Decimal::from(5_000), Decimal::from(250)),
        }
    }
}

/// Limits of one module at one level. `None` means unlimited.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limits {
    /// Disables all limits.
    pub is_disabled: bool,
    pub monthly_cost: Limit<Decimal>,
    pub daily_cost: Limit<Decimal>,
    pub monthly_count: Option<Limit<i64>>,
    pub daily_count: Option<Limit<i64>>,
    /// Whether users have set the monthly cost limit.
    pub is_configured: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limit<T> {
    pub max: T,
    /// Whether the limit is applied.
    pub is_enabled: bool,
}

impl<T: PartialOrd> Limit<T> {
    fn is_reached(&self, used: &T) -> bool {
        self.is_enabled && *used >= self.max
    }
}

/// The limits that apply unless users set others.
pub(super) fn system_default(level: Level, module: Module) -> Limits {
    let (monthly, daily, counts) = match (level, module) {
        (Level::Tenant, _) => (1_000, 50, Some((500, 50))),
        (Level::Account, Module::Investigation) => (600, 30, None),
        (Level::Account, Module::UserInvestigation) => (400, 30, None),
    };
    let enabled = |max: i64| Limit { max: Decimal::from(max), is_enabled: true };
    let count = |max: i64| Limit { max, is_enabled: true };
    Limits {
        is_disabled: false,
        monthly_cost: enabled(monthly),
        daily_cost: enabled(daily),
        monthly_count: counts.map(|(max, _)| count(max)),
        daily_count: counts.map(|(_, max)| count(max)),
        is_configured: false,
    }
}

/// Usage in the day and the month of a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UsageTotals {
    pub month_cost: Decimal,
    pub day_cost: Decimal,
    /// Number of sessions.
    pub month_count: i64,
    pub day_count: i64,
}

/// Describes the first limit that is reached; `None` if none is. A limit is reached when the usage equals it.
pub(super) fn first_reached(limits: &Limits, used: &UsageTotals) -> Option<&'static str> {
    if limits.is_disabled {
        return None;
    }
    let count = |limit: &Option<Limit<i64>>, used: i64| limit.is_some_and(|limit| limit.is_reached(&used));
    if limits.daily_cost.is_reached(&used.day_cost) {
        Some("cost of the day")
    } else if limits.monthly_cost.is_reached(&used.month_cost) {
        Some("cost of the month")
    } else if count(&limits.daily_count, used.day_count) {
        Some("number of sessions of the day")
    } else if count(&limits.monthly_count, used.month_count) {
        Some("number of sessions of the month")
    } else {
        None
    }
}

/// Refuses a cost limit that is negative or above `cap`.
pub(super) fn check_cost(name: &str, level: Level, limit: Decimal, cap: Decimal) -> Result<(), Refusal> {
    if limit.is_negative() {
        return Err(Refusal::invalid(format!("{name} is {limit}: expected 0 or more")));
    }
    if limit > cap {
        let level = level.name();
        return Err(Refusal::invalid(format!(
            "{name} is {limit}: for one {level}, at most {cap} may be set"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(month: &str, day: &str, month_count: i64, day_count: i64) -> UsageTotals {
        let number = |text| Decimal::parse(text).unwrap();
        UsageTotals { month_cost: number(month), day_cost: number(day), month_count, day_count }
    }

    #[test]
    fn defaults_are_those_of_the_service() {
        let monthly = |level, module| system_default(level, module).monthly_cost.max.to_i64().unwrap();
        assert_eq!(monthly(Level::Tenant, Module::Investigation), 1_000);
        assert_eq!(monthly(Level::Tenant, Module::UserInvestigation), 1_000);
        assert_eq!(monthly(Level::Account, Module::Investigation), 600);
        assert_eq!(monthly(Level::Account, Module::UserInvestigation), 400);
        assert_eq!(system_default(Level::Account, Module::Investigation).daily_count, None);
    }

    #[test]
    fn a_limit_is_reached_when_usage_is_as_high() {
        let limits = system_default(Level::Account, Module::UserInvestigation);
        assert_eq!(first_reached(&limits, &used("399.999", "29.99", 900, 900)), None);
        assert_eq!(first_reached(&limits, &used("400", "0", 0, 0)), Some("cost of the month"));
        assert_eq!(first_reached(&limits, &used("400", "30.00", 0, 0)), Some("cost of the day"));
    }

    #[test]
    fn sessions_are_limited_for_the_tenant() {
        let limits = system_default(Level::Tenant, Module::UserInvestigation);
        assert_eq!(first_reached(&limits, &used("0", "0", 50, 50)), Some("number of sessions of the day"));
        assert_eq!(first_reached(&limits, &used("0", "0", 500, 1)), Some("number of sessions of the month"));
    }

    #[test]
    fn a_budget_that_is_disabled_limits_nothing() {
        let mut limits = system_default(Level::Tenant, Module::Investigation);
        limits.is_disabled = true;
        assert_eq!(first_reached(&limits, &used("9000", "9000", 9_000, 9_000)), None);
    }

    #[test]
    fn a_limit_that_is_disabled_is_not_looked_at() {
        let mut limits = system_default(Level::Tenant, Module::Investigation);
        limits.daily_cost.is_enabled = false;
        assert_eq!(first_reached(&limits, &used("0", "9000", 0, 0)), None);
    }

    #[test]
    fn limits_above_the_cap_and_below_zero_are_refused() {
        let check = |limit| {
            let limit = Decimal::parse(limit).unwrap();
            check_cost("monthly_cost_limit", Level::Account, limit, Level::Account.caps().0)
        };
        assert_eq!(check("5000"), Ok(()));
        assert_eq!(
            check("5000.01").unwrap_err().message,
            "monthly_cost_limit is 5000.01: for one account, at most 5000 may be set"
        );
        assert_eq!(check("-1").unwrap_err().message, "monthly_cost_limit is -1: expected 0 or more");
    }
}
