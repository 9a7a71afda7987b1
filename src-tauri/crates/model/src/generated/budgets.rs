//! Tables and lookups of `schema/tables/budgets.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// What may be spent on a part of the charges in every period, and at which shares of it to say so.
    Budget in budget by id {
        id: Id<Budget>,
        tenant: Id<Tenant>,
        /// Unique in the tenant.
        name: String,
        /// Which charges count: an object of lists by what is compared, `{"service_name": ["Amazon EC2"], "account_ids": ["…"]}`. All must hold,
        /// one value of each list suffices; `{}` is all charges. Known are `account_ids`, `service_name`, `service_category`, `region`,
        /// `provider_name`, `charge_category`, `billing_account_id` and `tags.KEY`.
        scope: Json,
        /// What may be billed in a period; above zero.
        amount: Decimal,
        /// The currency of `amount`, as a three-letter code. Charges in other currencies do not count and are named.
        currency: String,
        period: BudgetPeriodType,
        /// Percentages of the amount at which to say so, ascending: plain numbers are of what was billed, `{"percent": 100, "on": "forecast"}` is of
        /// the forecast for the end of the period.
        thresholds: Json,
        /// Who answers for it.
        owner: Option<Id<User>>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

lookup! {
    /// How long the amount of a budget is for. A period begins on the first day of a calendar month, UTC.
    BudgetPeriodType {
        /// A calendar month.
        Month = "month",
        /// January to March, and so on.
        Quarter = "quarter",
        /// A calendar year.
        Year = "year",
    }
}

table! {
    /// How long the amount of a budget is for. A period begins on the first day of a calendar month, UTC.
    BudgetPeriodTypeRow in budget_period_type by value {
        value: String,
        description: String,
    }
}
