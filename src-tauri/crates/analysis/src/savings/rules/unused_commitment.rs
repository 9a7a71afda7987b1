//! Rule: commitments that are paid for but not used.
//!
//! FOCUS: charges with the status Unused (<https://focus.finops.org/focus-columns/commitment-discount-status/>); KPI "Commitment utilisation" of
//! the FinOps Foundation.

use super::Judge;
use super::simple::number;
use crate::numbers::ratio;
use crate::rule_title;
use crate::savings::bill::{Bill, UnusedCommitment};
use crate::savings::finding::{Figure, Finding, Saving, Severity, for_a_month};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::severity;

const RULE: Rule = Rule {
    name: "unused_commitment",
    version: 1,
    about: "A reservation or savings plan was paid for and not used in full.",
    source: "https://focus.finops.org/focus-columns/",
    aliases: &["commitment_underused", "ws_commitment_unused"],
    category: Category::Cost,
    action: Action::Modify,
    confidence: Confidence::High,
    thresholds: &[Threshold { name: "Unused above", value: "0.01", unit: "of what it cost" }],
    limits: "What is paid is paid: the saving comes from moving use under it, exchanging or selling it, or not renewing it.",
    effort: "Move use under it, exchange it, or do not renew it",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    reads: super::none,
    find: |bill| bill.unused.iter().filter_map(|unused| one(bill, unused)).collect(),
};

fn one(bill: &Bill, unused: &UnusedCommitment) -> Option<Finding> {
    let whole = unused.used.checked_add(unused.unused)?;
    let part = ratio(unused.unused, whole)?;
    if part <= super::simple::threshold(&RULE, 0) || unused.unused.is_negative() {
        return None;
    }
    let name = unused.name.clone().unwrap_or_else(|| unused.commitment.clone());
    let kind = unused.kind.as_deref().unwrap_or("commitment");
    let money = |name: &str, value| Figure::new(name, value, unused.currency.clone());
    let mut finding = Finding {
        rule: &RULE,
        account: unused.account,
        resource: None,
        object: unused.commitment.clone(),
        title: format!("Use {kind} {name} in full"),
        why: format!("{} {} of {whole} {} were not used.", unused.unused, unused.currency, unused.currency),
        currency: Some(unused.currency.clone()),
        period_cost: unused.unused,
        monthly_cost: for_a_month(unused.unused, bill.period)?,
        saving: Saving::Share(number("1")),
        period: Some(bill.period),
        usage: Vec::new(),
        region: None,
        figures: vec![
            money("Unused", unused.unused),
            money("Used", unused.used),
            Figure::new("Part unused", part, ""),
        ],
        severity: Severity::Info,
        last_day: unused.last,
        change: format!("{}: {}", rule_title(RULE.name), unused.commitment),
        members: Vec::new(),
        cluster: None,
    };
    let account_cost = bill.totals.get(&(unused.account, unused.currency.clone())).copied();
    finding.severity = severity(&finding, account_cost.unwrap_or_default(), bill.period);
    Some(finding)
}
