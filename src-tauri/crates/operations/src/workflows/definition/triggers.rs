//! What starts a workflow, and what each kind of start needs to know.

use super::check::{Mistakes, says_something};
use super::{Definition, Trigger, each};
use crate::states::either;
use automation::duration;
use croner::Cron;
use serde_json::Value;
use std::str::FromStr;

pub(super) const TYPES: &[&str] = &["schedule", "manual", "webhook", "event", "optimization"];

/// What happens when a run is due and the last one is still going.
const OVERLAPS: &[&str] = &["Skip", "BufferOne", "BufferAll", "AllowAll", "CancelOther", "TerminateOther"];

pub(super) fn check(definition: &Definition, mistakes: &mut Mistakes) {
    let mut is_empty = true;
    for (place, trigger) in each(definition.triggers.as_ref()).enumerate() {
        is_empty = false;
        check_one(&format!("triggers[{place}]"), trigger, mistakes);
    }
    if is_empty {
        mistakes.add("triggers", "expected at least one trigger, found none");
    }
}

fn check_one(place: &str, trigger: &Trigger, mistakes: &mut Mistakes) {
    let params = trigger.params.as_ref();
    let needs = |names: &[&str], mistakes: &mut Mistakes| {
        if !names.iter().any(|name| says_something(params, name)) {
            let message = format!("a trigger of type {} needs {}", trigger.kind, either(names));
            mistakes.add(&format!("{place}.params"), message);
        }
    };
    match trigger.kind.as_str() {
        "schedule" => check_schedule(&format!("{place}.params"), params, mistakes),
        "event" => needs(&["event_type", "filter"], mistakes),
        "optimization" => needs(&["categories", "rule_names", "clusters", "filter"], mistakes),
        "manual" | "webhook" => {}
        other => {
            let expected = either(TYPES);
            mistakes.add(&format!("{place}.type"), format!("expected {expected}, found \"{other}\""));
        }
    }
}

fn check_schedule(place: &str, params: Option<&Value>, mistakes: &mut Mistakes) {
    match params.and_then(|params| params.get("cron")).and_then(Value::as_str) {
        None => mistakes.add(place, "a trigger of type schedule needs cron, such as \"0 5 * * *\" (UTC)"),
        Some(line) => {
            if let Err(reason) = Cron::from_str(line) {
                let message =
                    format!("expected a cron line such as \"0 5 * * *\", found \"{line}\": {reason}");
                mistakes.add(&format!("{place}.cron"), message);
            }
        }
    }
    if let Some(policy) = params.and_then(|params| params.get("overlap_policy"))
        && !policy.as_str().is_some_and(|policy| OVERLAPS.contains(&policy))
    {
        let message = format!("expected {}, found {policy}", either(OVERLAPS));
        mistakes.add(&format!("{place}.overlap_policy"), message);
    }
    let text = |name: &str| params.and_then(|params| params.get(name)).and_then(Value::as_str);
    if let Some(window) = text("catchup_window").filter(|window| duration::parse(window).is_none()) {
        let message = format!("expected a span of time such as 60s or 1h, found \"{window}\"");
        mistakes.add(&format!("{place}.catchup_window"), message);
    }
    if let Some(zone) = text("timezone").filter(|zone| !["", "UTC"].contains(zone)) {
        let message =
            format!("schedules are in UTC: leave it out and write the hours in UTC, found \"{zone}\"");
        mistakes.add(&format!("{place}.timezone"), message);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Definition, check};
    use serde_json::{Value, json};

    #[track_caller]
    fn mistakes(trigger: Value) -> String {
        let task = json!({ "id": "say", "type": "core.print", "params": { "message": "hello" } });
        let definition = json!({ "triggers": [trigger], "tasks": [task] });
        check(&Definition::read(&definition).unwrap())
            .map_or_else(|found| found.message(), |()| String::new())
    }

    #[test]
    fn each_kind_of_trigger_has_what_it_needs() {
        assert_eq!(mistakes(json!({ "type": "schedule", "params": { "cron": "*/15 * * * *" } })), "");
        assert_eq!(mistakes(json!({ "type": "event", "params": { "event_type": "pod_crash" } })), "");
        assert_eq!(mistakes(json!({ "type": "optimization", "params": { "clusters": ["east"] } })), "");
        assert_eq!(mistakes(json!({ "type": "webhook" })), "");
        assert_eq!(
            mistakes(json!({ "type": "event", "params": { "filter": " " } })),
            "the workflow definition has a mistake: \
             triggers[0].params: a trigger of type event needs event_type or filter"
        );
        assert_eq!(
            mistakes(json!({ "type": "optimization" })),
            "the workflow definition has a mistake: triggers[0].params: \
             a trigger of type optimization needs categories, rule_names, clusters or filter"
        );
        assert_eq!(
            mistakes(json!({ "type": "whim" })),
            "the workflow definition has a mistake: \
             triggers[0].type: expected schedule, manual, webhook, event or optimization, found \"whim\""
        );
    }

    #[test]
    fn a_schedule_is_a_cron_line() {
        let found = mistakes(json!({ "type": "schedule", "params": { "cron": "every day" } }));
        assert!(found.contains("triggers[0].params.cron: expected a cron line"), "{found}");
        let found = mistakes(
            json!({ "type": "schedule", "params": { "cron": "0 5 * * *", "overlap_policy": "Wait" } }),
        );
        assert!(found.contains("overlap_policy: expected Skip, BufferOne"), "{found}");
        let found = mistakes(
            json!({ "type": "schedule", "params": { "cron": "0 5 * * *", "timezone": "Europe/Berlin" } }),
        );
        assert!(found.contains("timezone: schedules are in UTC"), "{found}");
    }
}
