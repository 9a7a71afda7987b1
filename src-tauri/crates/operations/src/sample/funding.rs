//! The funding of a business unit and of one of its projects, for the three months around the current one. The second project has no funding, and
//! the first has less than its cost.

use super::{DAY, Sample};
use analysis::forecast::{first_of_next, start_of_month};
use graphql::Refusal;
use model::tables::{
    business_unit, businessunit_funding, funding_sources, project_accounts, project_fundings, projects,
};
use model::{BusinessUnit, BusinessunitFunding, Decimal, FundingSource, Id, Project, Timestamp};

/// Project, account, the project's percentage of the account, and the limit for that account.
const SHARES: [(&str, &str, i32, i64); 3] = [
    (FORECAST, "Analytics", 40, 8_000),
    (FORECAST, "Research", 100, 8_500),
    ("Data warehouse", "Analytics", 60, 0),
];
const FORECAST: &str = "Demand forecast";
const OF_UNIT: i64 = 36_000;
const OF_PROJECT: i64 = 15_500;

/// Writes all funding rows.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    let unit: Id<BusinessUnit> = sample.id("business unit");
    let money = of_unit(sample, unit)?;
    let writer = sample.writer()?;
    for name in [FORECAST, "Data warehouse"] {
        writer.insert([
            projects::id.to(project(sample, name)),
            projects::name.to(name),
            projects::description.to(""),
            projects::business_unit.to(unit),
            projects::created_by.to(sample.person.uuid()),
            projects::updated_by.to(sample.person.uuid()),
        ])?;
    }
    for (name, account, percent, budget) in SHARES {
        writer.insert([
            project_accounts::id.to(sample.id(&format!("share {name} {account}"))),
            project_accounts::project_id.to(project(sample, name)),
            project_accounts::account_id.to(sample.account(account)?),
            project_accounts::allocation_pct.to(f64::from(percent)),
            project_accounts::allocation_start.to_null(),
            project_accounts::budget.to(Decimal::from(budget)),
        ])?;
    }
    writer.insert([
        project_fundings::id.to(sample.id("project funding")),
        project_fundings::project.to(project(sample, FORECAST)),
        project_fundings::businessunit_funding.to(money),
        project_fundings::amount.to(Decimal::from(OF_PROJECT)),
        project_fundings::created_by.to(sample.person.uuid()),
        project_fundings::updated_by.to(sample.person.uuid()),
    ])?;
    Ok(())
}

/// Writes the business unit with its funding.
fn of_unit(sample: &Sample<'_>, unit: Id<BusinessUnit>) -> Result<Id<BusinessunitFunding>, Refusal> {
    let writer = sample.writer()?;
    let (source, money): (Id<FundingSource>, Id<BusinessunitFunding>) =
        (sample.id("funding source"), sample.id("unit funding"));
    // The newest charges are yesterday's.
    let month = start_of_month(day_of(sample.before(24 * 60)));
    let first = start_of_month(month - 1);
    let last = first_of_next(first_of_next(month)) - 1;
    writer.insert([
        business_unit::id.to(unit),
        business_unit::name.to("Data and analytics"),
        business_unit::description.to(""),
        business_unit::created_by.to(sample.person.uuid()),
        business_unit::updated_by.to(sample.person.uuid()),
    ])?;
    writer.insert([
        funding_sources::id.to(source),
        funding_sources::name.to("Cloud fund"),
        funding_sources::description.to("Three months of the data teams"),
        funding_sources::amount.to(Decimal::from(OF_UNIT)),
        funding_sources::owners.to(sample.person.uuid()),
        funding_sources::start_date.to(begin(first)),
        funding_sources::end_date.to(begin(last)),
        funding_sources::created_by.to(sample.person),
        funding_sources::updated_by.to(sample.person),
    ])?;
    writer.insert([
        businessunit_funding::id.to(money),
        businessunit_funding::business_unit.to(unit),
        businessunit_funding::funding_source.to(source),
        businessunit_funding::amount.to(Decimal::from(OF_UNIT)),
        businessunit_funding::created_by.to(sample.person),
        businessunit_funding::updated_by.to(sample.person),
    ])?;
    Ok(money)
}

fn project(sample: &Sample<'_>, name: &str) -> Id<Project> {
    sample.id(&format!("project {name}"))
}

fn day_of(time: Timestamp) -> i32 {
    i32::try_from(time.micros().div_euclid(DAY)).unwrap_or(i32::MAX)
}

fn begin(day: i32) -> Timestamp {
    Timestamp(i64::from(day) * DAY)
}
