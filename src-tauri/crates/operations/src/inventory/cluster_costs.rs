//! `k8s_cluster_costs`: the cost of the parts of a cluster, at the billed price of its nodes if that is known.
//!
//! [`analysis::cluster_costs`] calculates; this module reads the input and converts the result.

mod answer;
mod read;

use crate::kit::{Arguments, account};
use analysis::cluster_costs::{Window, scale};
use answer::{at_bill, at_tool};
use catalogue::format_date;
use graphql::{Call, Refusal};
use model::operations::K8sClusterCostsResponse;
use read::Metric;

/// One day in µs.
const DAY: i64 = 86_400_000_000;

/// `k8s_cluster_costs`
pub(super) fn read(call: &Call<'_>) -> Result<K8sClusterCostsResponse, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let cluster = account(call, request.needed_id("account_id")?)?;
    let days = days(request)?;
    let metric = match request.word("metric", &["billed", "effective"])? {
        Some("effective") => Metric::Effective,
        _ => Metric::Billed,
    };
    let costs = read::costs(call.rows, cluster, days)?;
    let nodes = read::nodes(call.rows, cluster)?;
    let charges = read::charges(call.rows, &costs, &nodes, days, metric)?;
    let known: Vec<_> = nodes.iter().map(|node| node.node.clone()).collect();
    match scale(&costs, &charges, &known) {
        Ok(scaled) => Ok(at_bill(scaled, &nodes)),
        Err(why) => at_tool(&costs, why),
    }
}

/// From the start of the first day to the end of the last.
fn days(request: Arguments<'_>) -> Result<Window, Refusal> {
    let day = |name: &str| -> Result<i64, Refusal> {
        let missing = || Refusal::invalid(format!("`{name}` is missing: expected a day such as 2026-11-20"));
        Ok(request.time(name)?.ok_or_else(missing)?.div_euclid(DAY))
    };
    let (from, to) = (day("from")?, day("to")?);
    if to < from {
        let text = |day: i64| i32::try_from(day).map(format_date).unwrap_or_default();
        let (from, to) = (text(from), text(to));
        return Err(Refusal::invalid(format!(
            "`to` is {to} and `from` is {from}: an interval ends on the day it begins or later"
        )));
    }
    Ok(Window { start: from * DAY, end: (to + 1) * DAY })
}
