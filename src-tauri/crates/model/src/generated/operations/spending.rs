//! Types of `schema/operations/spending.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct SpendForecastRequest {
    /// The last day that counts, UTC. A time of day other than midnight means that this day is not over: it counts from the day before. The
    /// last day with charges when left out.
    pub as_of: Option<String>,
    /// The last day that is forecast, UTC; the end of the month when left out.
    pub until: Option<String>,
    /// What makes a series, beside the currency: `service_name`, `service_category`, `account_id`, `region`, `provider_name`,
    /// `charge_category`, `billing_account_id` or `tags.KEY`. At most two.
    pub group_by: Option<Vec<String>>,
    /// Only charges of these accounts; all when left out.
    pub account_ids: Option<Vec<String>>,
    /// Which cost: `billed` (when left out), `effective`, `contracted` or `list`.
    pub metric: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendForecastResponse {
    pub rows: Vec<SpendForecastRow>,
    /// How far forecasts of the series with most charges were off.
    pub accuracy: Option<SpendForecastAccuracy>,
    /// The same for every series.
    pub accuracies: Vec<SpendForecastAccuracy>,
    /// What is known of the month, quarter or year, and what it comes to.
    pub totals: Vec<SpendForecastTotal>,
    /// What cannot be forecast and why, what was left out.
    pub messages: Vec<String>,
    /// The last day whose charges were read.
    pub as_of: Option<String>,
    /// The last day with charges; the forecast begins on the day after. Where a bill is known up to an earlier day only, what is expected of the days
    /// that it lacks stands under these days.
    pub known_until: Option<String>,
    pub until: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendForecastRow {
    pub date: String,
    pub currency: Option<String>,
    /// Value of what is grouped by, several with ` / ` between them; null without grouping and for charges that have none.
    pub group: Option<String>,
    /// Expected, in minor units of the currency.
    pub amount: Number,
    /// Lower bound of the 80% band of the sum: those of several days add up to the band of these days together. Single days scatter
    /// more. Null when no held-out sum tells it.
    pub low: Option<Number>,
    /// Upper bound of it.
    pub high: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct SpendForecastAccuracy {
    pub currency: Option<String>,
    pub group: Option<String>,
    /// `weekday_mean_4_weeks`, `weekday_trend_8_weeks`, `run_rate_28_days` or `last_week_again`: the one with the smallest error on held-out days.
    pub method: Option<String>,
    /// Σ|actual − forecast| ÷ Σ|actual| over the held-out days: the percentage error of a day, weighted by what the day cost, as a share
    /// (0.075 is 7.5%).
    pub mape: Option<Number>,
    /// Σ(forecast − actual) ÷ Σ actual; above zero when forecasts were too high.
    pub bias: Option<Number>,
    /// Share of held-out sums within the band that other days' forecasts give; 0.8 is meant. Null when there are too few.
    pub coverage: Option<Number>,
    /// 1 − mape ÷ mape of `last_week_again`; null when that made no error.
    pub skill: Option<Number>,
    /// Different days that were forecast and compared.
    pub held_out_days: Option<i64>,
    /// Days of one such forecast: the band is measured for sums of so many days.
    pub horizon: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendForecastTotal {
    pub currency: Option<String>,
    pub group: Option<String>,
    /// Start of the shortest of month, quarter and year that holds both the first day that is forecast and `until`; that day when none does.
    pub from: String,
    /// Charges from there to the last known day.
    pub booked: Number,
    /// Expected from the day after to `until`, and of the days before that a bill does not tell yet.
    pub expected: Number,
    /// Both together, with the bounds of the band.
    pub amount: Number,
    pub low: Option<Number>,
    pub high: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct SpendBudgetsRequest {
    /// The last day that counts, UTC; as for forecasts. The last day with charges when left out.
    pub as_of: Option<String>,
    /// Only these budgets: ids of the table `budget`, of accounts or of fundings.
    pub budget_ids: Option<Vec<Uuid>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendBudgetsResponse {
    pub rows: Vec<SpendBudgetRow>,
    /// The last day whose charges were read.
    pub as_of: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendBudgetRow {
    /// Of the table `budget`; of an account, the account's; of money that was given, that of the funding with the smallest id.
    pub budget_id: Uuid,
    /// The account, where the budget is `cloud_accounts.budget`.
    pub account_id: Option<Uuid>,
    /// The business unit, where the budget is what it was given (`businessunit_funding`).
    pub business_unit_id: Option<Uuid>,
    /// The project, where the budget is what it was given (`project_fundings`).
    pub project_id: Option<Uuid>,
    /// The fundings that make the amount: those of one receiver for the same days are one budget.
    pub funding_ids: Vec<Uuid>,
    pub name: String,
    /// Which charges count. Of a business unit, `{"business_unit": […]}`: charges that name it or a part of it, and of charges that name none, the shares
    /// that its projects have of accounts. Of a project, `{"project": […]}`: the shares that it has of accounts (`project_accounts`).
    pub scope: serde_json::Value,
    /// Null for money that was given: it is for the days from `from` to `until`, once.
    pub period: Option<BudgetPeriodType>,
    pub owner: Option<Uuid>,
    pub amount: Number,
    /// Null for the budget of an account, business unit or project that is charged in several currencies: in which it is meant, nobody has said. Null, too,
    /// where it has no charges yet.
    pub currency: Option<String>,
    /// First day of the running period.
    pub from: String,
    /// Last day of it.
    pub until: String,
    /// Billed from `from` to the day that was asked for, in the currency of the budget.
    pub spent: Option<Number>,
    /// `spent` and what is expected for the rest of the period; null when the history is too short, see `message`.
    pub forecast: Option<Number>,
    pub low: Option<Number>,
    pub high: Option<Number>,
    pub state: SpendBudgetState,
    /// The day on which what was billed reached the amount.
    pub crossed_on: Option<String>,
    pub thresholds: Vec<SpendBudgetThreshold>,
    /// Every day of the period.
    pub days: Vec<SpendBudgetDay>,
    /// Of a project's funding: its shares of accounts, with what it may spend in each (`project_accounts.budget`). None of other budgets.
    pub accounts: Vec<SpendBudgetAccount>,
    /// Charges of the scope in other currencies: they do not count.
    pub other_currencies: Vec<SpendBudgetAmount>,
    pub accuracy: Option<SpendForecastAccuracy>,
    /// Why there is no forecast, or no state; which bill is known up to an earlier day than the others; what else counts.
    pub message: Option<String>,
}

/// What a project has of an account.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendBudgetAccount {
    pub account_id: Uuid,
    pub name: String,
    /// Its share of every charge of the account.
    pub percent: Number,
    /// First day of the share; open when absent.
    pub from: Option<String>,
    /// Last day of it; open when absent.
    pub until: Option<String>,
    /// What the project may spend in the account, of its share and in the currency of the funding; null where nothing is set.
    pub budget: Option<Number>,
    /// Billed of the share since the funding began; null where the state is not known.
    pub spent: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendBudgetThreshold {
    pub percent: Number,
    /// `actual` or `forecast`.
    pub on: String,
    /// The day on which it was reached; of the forecast, the day on which the expected sum reaches it.
    pub reached_on: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendBudgetDay {
    pub date: String,
    /// Billed on the day; null after the last known one.
    pub amount: Option<Number>,
    /// Billed from the start of the period to the day; after the last known one with what is expected.
    pub running: Number,
    /// Whether `running` holds what is expected.
    pub is_forecast: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendBudgetAmount {
    pub currency: Option<String>,
    pub amount: Number,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct SpendCommitmentsRequest {
    /// First day, UTC.
    pub from: String,
    /// Last day, UTC.
    pub to: String,
    /// Only charges of these accounts; all when left out.
    pub account_ids: Option<Vec<String>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendCommitmentsResponse {
    /// Each commitment and currency, the largest unused cost first.
    pub rows: Vec<SpendCommitmentRow>,
    /// Of the currency with the largest list cost.
    pub totals: Option<SpendCommitmentTotal>,
    /// Of every currency.
    pub totals_by_currency: Vec<SpendCommitmentTotal>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendCommitmentRow {
    pub commitment_id: String,
    pub name: Option<String>,
    pub r#type: Option<String>,
    pub currency: Option<String>,
    /// Effective cost of its use that was made: Used ÷ (Used + Unused), a share. Null without use in the interval.
    pub utilization: Option<Number>,
    /// Contracted cost of the use it covers ÷ that of the eligible use, a share. Eligible is use of the services it covers at standard or committed
    /// prices; spot prices (Dynamic) are left out.
    pub coverage: Option<Number>,
    /// Effective cost of the use that was not made.
    pub unused_cost: Number,
    pub used_cost: Number,
    /// Day after the last one of its term, from its purchase; null when no purchase of more than a month is known.
    pub expires_on: Option<String>,
    /// Billed for its purchase.
    pub purchased: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendCommitmentTotal {
    pub currency: Option<String>,
    /// (list cost − effective cost) ÷ list cost of use, a share; unused commitments count against it, purchases are left out. Null when no
    /// list cost is known.
    pub effective_savings_rate: Option<Number>,
    pub list_cost: Number,
    pub effective_cost: Number,
    /// List cost less contracted cost.
    pub negotiated_savings: Number,
    /// Contracted cost less effective cost, of use that was made.
    pub commitment_savings: Number,
    /// Effective cost of commitments that were not used.
    pub unused_cost: Number,
    /// Effective cost of use that was made of commitments ÷ all of theirs.
    pub utilization: Option<Number>,
    /// Contracted cost of covered use ÷ that of all use at standard or committed prices.
    pub coverage: Option<Number>,
    /// Charges left out of the rate: their list cost is missing, zero or below the contracted cost, so that it is no public price.
    pub left_out_charges: i64,
    pub left_out_effective_cost: Number,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct SpendCommitmentProposalsRequest {
    /// The last day that counts, UTC; as for forecasts. The last day with charges when left out.
    pub as_of: Option<String>,
    /// Only charges of these accounts; all when left out.
    pub account_ids: Option<Vec<String>>,
    /// Only use of this service, and of each family within it; every service when left out.
    pub service_name: Option<String>,
    /// Only this family of the service, such as `m7g`; for other kinds of use, the kind in the words of the bill.
    pub family: Option<String>,
    /// Only charges in this currency.
    pub currency: Option<String>,
    /// What the commitment costs less than contract prices, as a share above 0 and below 1. When left out, what the bill shows: 1 − effective cost ÷
    /// contracted cost of use that commitments cover, in the same service and family.
    pub discount: Option<Number>,
    /// The share of the term's cost that is paid on the first day, 0 to 1.
    pub upfront: Number,
    /// 1 to 60.
    pub term_months: i64,
    /// An amount an hour, at committed prices, to hold beside the recommended one; with `service_name` and `currency`.
    pub hourly: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendCommitmentProposalsResponse {
    /// By currency, the largest eligible cost first; of each the last 30 days, then the last 60.
    pub rows: Vec<SpendCommitmentProposalRow>,
    /// The last day whose charges were read. A commitment would begin on the day after.
    pub as_of: Option<String>,
    /// What is not known, and what was left out.
    pub messages: Vec<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendCommitmentProposalRow {
    pub currency: Option<String>,
    pub service_name: Option<String>,
    /// Null for the service as a whole.
    pub family: Option<String>,
    /// 30 or 60.
    pub days: i64,
    /// The first and the last day of them that are known.
    pub from: String,
    pub until: String,
    pub hours: i64,
    /// Contracted cost of use in these hours that no commitment covers yet; spot prices are left out.
    pub eligible_cost: Number,
    /// Of it, the share that the bill tells by the hour. The rest is spread evenly over its days, so that hours below the commitment do not show: there,
    /// a saving is the most that is possible.
    pub hourly_share: Option<Number>,
    /// What the commitment costs less, a share; null when it is not stated and the bill shows none.
    pub discount: Option<Number>,
    /// `request` or `bill`.
    pub discount_from: Option<String>,
    /// 1 − discount: used by more than this, a commitment saves.
    pub break_even_utilization: Option<Number>,
    /// The amount an hour with the best net; null when none saves.
    pub recommended: Option<SpendCommitmentProposal>,
    /// The amount that was asked for.
    pub asked: Option<SpendCommitmentProposal>,
}

/// A commitment of `hourly` for each of the hours.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendCommitmentProposal {
    /// At committed prices.
    pub hourly: Number,
    /// hourly × hours.
    pub commitment_cost: Number,
    /// What of the commitment was used: of each hour, the smaller of `hourly` and its cost × (1 − discount).
    pub used_cost: Number,
    /// Contracted cost of the use it covers: used_cost ÷ (1 − discount).
    pub covered_cost: Number,
    /// eligible_cost − saving: the commitment, and what it does not cover.
    pub cost: Number,
    /// covered_cost − commitment_cost; below zero when it loses.
    pub saving: Number,
    /// used_cost ÷ commitment_cost, a share.
    pub utilization: Option<Number>,
    /// covered_cost ÷ eligible_cost, a share.
    pub coverage: Option<Number>,
    /// hourly × 24 × days of the term.
    pub term_cost: Number,
    /// term_cost × upfront.
    pub upfront_cost: Number,
    /// The day on which what was paid upfront has come back, at the same use; null when it does not within the term.
    pub pays_back_on: Option<String>,
    /// The day from which nothing is lost even if the use ends: its use has saved the cost of the whole term. Null when it does not within the term.
    pub earns_term_on: Option<String>,
}
