//! Rule: cost of traffic between zones and to the internet.
//!
//! <https://aws.amazon.com/blogs/architecture/overview-of-data-transfer-costs-for-common-architectures/>. The bill does not show what could be
//! saved, so no saving is stated.

use super::Judge;
use super::simple::{figures, threshold};
use crate::numbers::ratio;
use crate::savings::bill::Bill;
use crate::savings::finding::{Figure, Finding, Saving, Severity};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::subjects;
use catalogue::Decimal;
use std::collections::BTreeMap;
use uuid::Uuid;

const SOURCE: &str =
    "https://aws.amazon.com/blogs/architecture/overview-of-data-transfer-costs-for-common-architectures/";
const LIMITS: &str = "By the bill only; it does not say which traffic is needed, so no saving is claimed.";

const ZONES: Rule = Rule {
    name: "cross_zone_traffic",
    version: 1,
    about: "Traffic between zones is a notable part of what an account costs.",
    source: SOURCE,
    aliases: &["ws_aws_cross_az_traffic"],
    category: Category::Cost,
    action: Action::Modify,
    confidence: Confidence::Low,
    thresholds: &[
        Threshold { name: "Part of the account's cost above", value: "0.05", unit: "" },
        Threshold { name: "Cost of a month of at least", value: "10", unit: "in the bill's currency" },
    ],
    limits: LIMITS,
    effort: "Keep callers and callees in one zone",
};

const OUT: Rule = Rule {
    name: "egress_traffic",
    version: 1,
    about: "Traffic out to the internet is a notable part of what an account costs.",
    source: SOURCE,
    aliases: &["ws_aws_egress_traffic"],
    category: Category::Cost,
    action: Action::Modify,
    confidence: Confidence::Low,
    thresholds: &[
        Threshold { name: "Part of the account's cost above", value: "0.1", unit: "" },
        Threshold { name: "Cost of a month of at least", value: "10", unit: "in the bill's currency" },
    ],
    limits: LIMITS,
    effort: "Cache at the edge, compress, use private endpoints",
};

pub const CROSS_ZONE: Judge =
    Judge { rule: &ZONES, reads: is_between_zones, find: |bill| traffic(bill, &ZONES, is_between_zones) };
pub const EGRESS: Judge = Judge { rule: &OUT, reads: is_out, find: |bill| traffic(bill, &OUT, is_out) };

/// One finding per account, because it may concern many resources and the threshold applies to their sum.
fn traffic(bill: &Bill, rule: &'static Rule, reads: fn(&str) -> bool) -> Vec<Finding> {
    let mut of_accounts: BTreeMap<(Uuid, String), Vec<crate::savings::Line>> = BTreeMap::new();
    for line in bill.lines.iter().filter(|line| reads(&line.usage)) {
        let lines = of_accounts.entry((line.account, line.currency.clone())).or_default();
        match lines.iter_mut().find(|one| one.usage == line.usage) {
            Some(one) => {
                one.cost = one.cost.checked_add(line.cost).unwrap_or(one.cost);
                one.quantity = one.quantity.checked_add(line.quantity).unwrap_or(one.quantity);
                one.first = one.first.min(line.first);
                one.last = one.last.max(line.last);
            }
            None => lines.push(crate::savings::Line {
                resource: None,
                resource_name: None,
                region: String::new(),
                ..line.clone()
            }),
        }
    }
    let mut findings = Vec::new();
    for ((account, currency), lines) in of_accounts {
        let total = bill.totals.get(&(account, currency.clone())).copied().unwrap_or_default();
        let own = Bill { period: bill.period, lines, totals: bill.totals.clone(), ..Bill::default() };
        let of_account = subjects(&own, |_| true);
        let Some(subject) = of_account.first() else { continue };
        let cost = subject.cost(|_| true);
        let Some(share) = ratio(cost, total) else { continue };
        if share <= threshold(rule, 0) || cost < threshold(rule, 1) || !subject.is_billed_still(1) {
            continue;
        }
        let mut figures = figures(subject);
        figures.push(Figure::new("Cost of the account's usage", total, currency.clone()));
        figures.push(Figure::new("Part of it", share, ""));
        let title = match rule.name {
            "egress_traffic" => "Look at traffic out to the internet",
            _ => "Look at traffic between zones",
        };
        let why = format!("It cost {cost} {currency} of {total} {currency}.");
        let saving = Saving::Share(Decimal::ZERO);
        findings.extend(subject.finding(rule, saving, (title.to_owned(), why), figures).map(
            |mut finding| {
                finding.severity = Severity::Low;
                rule.name.clone_into(&mut finding.object);
                finding
            },
        ));
    }
    findings
}

fn is_between_zones(usage: &str) -> bool {
    usage.ends_with("DataTransfer-Regional-Bytes")
        || usage.starts_with("Inter-Availability Zone Data Transfer")
        || usage.starts_with("Network Inter Zone")
}

fn is_out(usage: &str) -> bool {
    usage.ends_with("DataTransfer-Out-Bytes")
        || usage == "Standard Data Transfer Out"
        || usage.starts_with("Network Internet Egress")
        || usage.starts_with("Network Internet Data Transfer Out")
}
