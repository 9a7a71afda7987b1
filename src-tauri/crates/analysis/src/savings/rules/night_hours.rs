//! Rule: non-production machines that run at night and on weekends.
//!
//! OptScale, `bumiworker/modules/recommendations/instances_for_shutdown.py`; AWS Instance Scheduler
//! (<https://aws.amazon.com/solutions/implementations/instance-scheduler-on-aws/>).

use super::Judge;
use super::simple::threshold;
use crate::numbers::ratio;
use crate::savings::bill::Bill;
use crate::savings::finding::{Figure, Finding, Saving, Severity, for_a_month};
use crate::savings::hours::Night;
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::{STILL_DAYS, severity};

const RULE: Rule = Rule {
    name: "night_hours",
    version: 1,
    about: "A machine of an environment that is not production runs at night and on weekends as it does at work.",
    source: "https://aws.amazon.com/solutions/implementations/instance-scheduler-on-aws/",
    aliases: &["instances_for_shutdown", "ws_aws_ec2_non_prod_schedule"],
    category: Category::RightSizing,
    action: Action::Modify,
    confidence: Confidence::Medium,
    thresholds: &[
        Threshold { name: "An hour off work costs at least", value: "0.9", unit: "of one at work" },
        Threshold { name: "Hours known of at least", value: "168", unit: "hours" },
        Threshold { name: "Work is on Monday to Friday", value: "8 to 20", unit: "o'clock UTC" },
    ],
    limits: "By the bill only; utilisation unknown. Hours of work are counted in UTC.",
    effort: "Stop it by schedule",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    reads: super::none,
    find: |bill| bill.nights.iter().filter_map(|night| one(bill, night)).collect(),
};

fn one(bill: &Bill, night: &Night) -> Option<Finding> {
    let hours = &night.hours;
    let total = hours.total()?;
    let off = hours.night.checked_add(hours.weekend)?;
    let (work_hours, off_hours) = (hours.work_hours, hours.night_hours + hours.weekend_hours);
    let is_known = work_hours > 0 && off_hours > 0 && hours.night_hours > 0 && work_hours + off_hours >= 168;
    if !is_known || hours.last < bill.period.to - STILL_DAYS {
        return None;
    }
    // The hourly cost outside working hours relative to working hours: off / off_hours ÷ (work / work_hours).
    let beside = ratio(off.checked_mul_int(work_hours)?, hours.work.checked_mul_int(off_hours)?)?;
    if beside < threshold(&RULE, 0) {
        return None;
    }
    let money = |name: &str, value| Figure::new(name, value, night.currency.clone());
    let figures = vec![
        Figure::whole("Hours at work", work_hours, "hours"),
        money("Cost at work", hours.work),
        Figure::whole("Hours at night", hours.night_hours, "hours"),
        money("Cost at night", hours.night),
        Figure::whole("Hours on weekends", hours.weekend_hours, "hours"),
        money("Cost on weekends", hours.weekend),
        Figure::new("An hour off work beside one at work", beside, ""),
    ];
    let name = night.resource_name.clone().unwrap_or_else(|| night.service.clone());
    let mut finding = Finding {
        rule: &RULE,
        account: night.account,
        resource: Some(night.resource),
        object: name.clone(),
        title: format!("Stop {name} at night and on weekends"),
        why: format!(
            "It is labelled {} and costs as much off work as at work. Running from 8 to 20 o'clock on working days is enough for most work.",
            night.environment
        ),
        currency: Some(night.currency.clone()),
        period_cost: total,
        monthly_cost: for_a_month(total, bill.period)?,
        saving: Saving::Target(for_a_month(hours.work, bill.period)?),
        period: Some(bill.period),
        usage: vec![night.usage.clone()],
        region: Some(night.region.clone()).filter(|region| !region.is_empty()),
        figures,
        severity: Severity::Info,
        last_day: hours.last,
        change: RULE.name.to_owned(),
        members: Vec::new(),
        cluster: None,
    };
    let account_cost = bill.totals.get(&(night.account, night.currency.clone())).copied();
    finding.severity = severity(&finding, account_cost.unwrap_or_default(), bill.period);
    Some(finding)
}
