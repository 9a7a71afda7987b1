//! `spend_commitment_proposals`: the cost and savings that a possible commitment would have had over the last 30 and 60 days.

mod eligible;
mod request;

use super::answer::{Date, Money, json, less, ratio, share, too_large};
use super::charges::Charges;
use super::scope::Scope;
use analysis::commitments::{HOURS_A_DAY, Proposal, Terms, assess, recommended, rest};
use analysis::forecast::day_after_months;
use analysis::words;
use catalogue::Decimal;
use eligible::{Eligible, Name};
use graphql::{Call, Refusal};
use request::Request;
use serde::Serialize;
use serde_json::Value as Json;

/// The analysed periods in days.
const SPANS: [i32; 2] = [30, 60];
/// The number of services, or of families of one service, returned per currency; those with the largest cost.
const MOST: usize = 12;

#[derive(Serialize)]
struct Answer {
    rows: Vec<Row>,
    as_of: Option<Date>,
    messages: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    currency: Option<String>,
    service_name: Option<String>,
    family: Option<String>,
    days: i32,
    from: Date,
    until: Date,
    hours: usize,
    eligible_cost: Money,
    hourly_share: Option<f64>,
    discount: Option<f64>,
    discount_from: Option<&'static str>,
    break_even_utilization: Option<f64>,
    recommended: Option<ProposalRow>,
    asked: Option<ProposalRow>,
}

#[derive(Serialize)]
struct ProposalRow {
    hourly: Money,
    commitment_cost: Money,
    used_cost: Money,
    covered_cost: Money,
    cost: Money,
    saving: Money,
    utilization: Option<f64>,
    coverage: Option<f64>,
    term_cost: Money,
    upfront_cost: Money,
    pays_back_on: Option<Date>,
    earns_term_on: Option<Date>,
}

/// An analysed period: its days, and the hours that the bill covers.
#[derive(Debug, Clone, Copy)]
struct Span {
    days: i32,
    from: i32,
    hours: (i64, i64),
}

pub(super) fn proposals(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Request::read(call.arguments)?;
    let charges = Charges::at(call.rows)?;
    let scope = Scope::of_accounts(request.account_ids)?;
    let mut answer = Answer { rows: Vec::new(), as_of: None, messages: Vec::new() };
    let Some(as_of) = charges.known_day(&scope, request.as_of)? else {
        answer.messages.push("There are no charges to propose a commitment from.".to_owned());
        return json(&answer);
    };
    answer.as_of = Some(Date(as_of));
    let longest = SPANS[SPANS.len() - 1];
    let first = charges.first_day(&scope)?.unwrap_or(as_of);
    let eligible = Eligible::read(&charges, &scope, (as_of - longest + 1, as_of), &request)?;
    let mut spans = Vec::new();
    for days in SPANS {
        let from = (as_of - days + 1).max(first);
        // A longer period with no additional known days would repeat the result.
        if spans.last().is_some_and(|span: &Span| span.from == from) {
            answer
                .messages
                .push(format!("The bill begins on {}, so {days} days are not known.", words::day(first)));
            continue;
        }
        if from > as_of - days + 1 {
            answer.messages.push(format!(
                "The bill begins on {}, so {} of {days} days are known.",
                words::day(first),
                as_of - from + 1
            ));
        }
        let until = eligible.known_until.min(i64::from(as_of + 1) * HOURS_A_DAY);
        spans.push(Span { days, from, hours: (i64::from(from) * HOURS_A_DAY, until) });
    }
    for (name, discount) in eligible.names(MOST, &mut answer.messages) {
        let known = request.discount.map(|discount| (discount, "request"));
        let discount = known.or_else(|| discount.map(|discount| (discount, "bill")));
        for span in &spans {
            answer.rows.push(row(&eligible, &name, *span, (discount, as_of), &request)?);
        }
    }
    if request.discount.is_none() && answer.rows.iter().any(|row| row.discount.is_none()) {
        answer.messages.push(
            "The bill has no committed prices for some services: state a discount to see what they would save.".to_owned(),
        );
    }
    json(&answer)
}

fn row(
    eligible: &Eligible,
    name: &Name,
    span: Span,
    (discount, as_of): (Option<(Decimal, &'static str)>, i32),
    request: &Request<'_>,
) -> Result<Row, Refusal> {
    let use_of = eligible.hours(name, span.hours)?;
    let total = use_of.total().ok_or_else(too_large)?;
    let begins = as_of + 1;
    let days = u32::try_from(day_after_months(begins, request.term_months) - begins).unwrap_or_default();
    let terms = |discount| Terms { discount, upfront: request.upfront, days };
    let proposal = |hourly: Option<Decimal>| -> Result<Option<ProposalRow>, Refusal> {
        let (Some((discount, _)), Some(hourly)) = (discount, hourly) else { return Ok(None) };
        if use_of.hours() == 0 {
            return Ok(None);
        }
        let found = assess(&use_of, hourly, terms(discount)).ok_or_else(too_large)?;
        proposal_row(&found, total, begins).map(Some)
    };
    let best = discount.and_then(|(discount, _)| recommended(&use_of, discount));
    Ok(Row {
        currency: name.currency.clone(),
        service_name: name.service.clone(),
        family: name.family.clone(),
        days: span.days,
        from: Date(span.from),
        until: Date(as_of),
        hours: use_of.hours(),
        eligible_cost: Money(total),
        hourly_share: ratio(use_of.by_hour(), total),
        discount: discount.map(|(discount, _)| share(discount.to_f64())),
        discount_from: discount.map(|(_, from)| from),
        break_even_utilization: discount
            .and_then(|(discount, _)| rest(discount))
            .map(|rest| share(rest.to_f64())),
        recommended: proposal(best)?,
        // A requested hourly amount applies to the named family only.
        asked: proposal(request.hourly.filter(|_| name.family.as_deref() == request.family))?,
    })
}

fn proposal_row(found: &Proposal, total: Decimal, begins: i32) -> Result<ProposalRow, Refusal> {
    let on =
        |days: Option<u32>| days.and_then(|days| i32::try_from(days).ok()).map(|days| Date(begins + days));
    Ok(ProposalRow {
        hourly: Money(found.hourly),
        commitment_cost: Money(found.commitment_cost),
        used_cost: Money(found.used_cost),
        covered_cost: Money(found.covered_cost),
        cost: Money(less(total, found.saving)?),
        saving: Money(found.saving),
        utilization: ratio(found.used_cost, found.commitment_cost),
        coverage: ratio(found.covered_cost, total),
        term_cost: Money(found.term_cost),
        upfront_cost: Money(found.upfront_cost),
        pays_back_on: on(found.pays_back_after),
        earns_term_on: on(found.earns_term_after),
    })
}
