//! `analyse`: computes anomalies, waste, and the changes of the last week from the charges up to a day.

use super::{CliError, output};
use crate::data::open::OpenData;
use crate::settings::Settings;
use clap::Args;
use operations::cost_anomalies::{self, Outcome, Row};
use operations::{insights, savings};
use serde::Serialize;
use serde_json::Value;

/// Find cost anomalies and savings, and store them
///
/// This also runs after each import. With --as-of, only data up to that day is analysed, and stored findings are updated to the state of
/// that day. A second run changes nothing.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server analyse
  quarterdeck-server analyse --as-of 2026-06-18 --json | jq '.findings[0].reference_value'")]
pub struct Analyse {
    /// Last day to analyse, such as 2026-06-18 [default: today]
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,
    /// Tenant to analyse [default: the first tenant]
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Analyse, settings: &Settings) -> Result<(), CliError> {
    let house = OpenData::open(settings, arguments.tenant.as_deref())?;
    let found = cost_anomalies::run(&house.store, house.tenant.id, arguments.as_of.as_deref());
    let found = found.map_err(super::desk::refused)?;
    let waste = savings::run(&house.store, house.tenant.id, arguments.as_of.as_deref());
    let waste = waste.map_err(super::desk::refused)?;
    let digest = insights::run(&house.store, house.tenant.id, arguments.as_of.as_deref());
    let digest = digest.map_err(super::desk::refused)?;
    if arguments.json {
        let anomalies: Value = found.to_json().map_err(super::desk::refused)?;
        return Ok(output::json(&Findings { anomalies, recommendations: &waste, insights: digest })?);
    }
    tell(&found)?;
    tell_waste(&waste)?;
    Ok(output::line(format!(
        "What changed in the last week: {} new, {} changed, {} gone",
        digest.added, digest.updated, digest.removed
    ))?)
}

/// The JSON output: the members of the anomalies, and beside them the recommendations and the number of changed insights.
#[derive(Serialize)]
struct Findings<'a> {
    #[serde(flatten)]
    anomalies: Value,
    recommendations: &'a savings::Outcome,
    insights: insights::Changes,
}

fn tell_waste(found: &savings::Outcome) -> Result<(), CliError> {
    output::line(format!(
        "{} ({} new, {} changed, {} gone, {} open again, {} closed, {} proved anew)",
        output::counted(found.findings.len() as u64, "recommendation"),
        found.added,
        found.updated,
        found.removed,
        found.reopened,
        found.closed,
        found.proved,
    ))?;
    for one in &found.findings {
        let saving = match &one.currency {
            Some(currency) => format!("{} {currency} a month", one.estimated_savings.0),
            None => "no money".to_owned(),
        };
        let title = one.recommendation["title"].as_str().unwrap_or(one.rule_name);
        output::line(format!("{:<8}  {saving}  {title} ({})", one.severity, one.rule_name))?;
    }
    Ok(())
}

fn tell(found: &Outcome) -> Result<(), CliError> {
    let until = catalogue::format_date(found.newest.unwrap_or(found.as_of));
    if found.series == 0 {
        return Ok(output::line(format!("There are no charges of usage until {until}."))?);
    }
    output::line(format!(
        "{} looked at over {} days and hours until {until}: {} ({} new, {} changed, {} gone)",
        format_args!("{} series", found.series),
        found.days,
        match found.findings.len() + found.measured.len() {
            1 => "1 anomaly".to_owned(),
            count => format!("{count} anomalies"),
        },
        found.changes.added,
        found.changes.updated,
        found.changes.removed,
    ))?;
    for row in found.findings.iter().chain(&found.measured) {
        output::line(line_of(row))?;
    }
    Ok(())
}

fn line_of(row: &Row) -> String {
    let day = catalogue::format_date;
    let days = if row.started_on == row.ended_on {
        day(row.started_on)
    } else {
        format!("{} to {}", day(row.started_on), day(row.ended_on))
    };
    let rule = row.reference_value["rule"].as_str().unwrap_or_default();
    let what = match (row.impact, &row.currency) {
        (Some(amount), Some(currency)) => {
            format!("{}{amount} {currency}", if amount.is_negative() { "" } else { "+" })
        }
        // Only amounts of money are added up.
        _ => {
            format!("{} {} {}", row.anomaly_type, row.current_value, row.unit.as_deref().unwrap_or_default())
        }
    };
    format!("{days}  {:<7}  {}  {} ({}, {rule})", row.state, what.trim_end(), row.name, row.scope)
}
