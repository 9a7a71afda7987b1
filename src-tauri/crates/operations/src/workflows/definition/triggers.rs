//! The triggers of workflows, and the parameters that each type requires.

use super::check::{Mistakes, says_something};
use super::{Definition, Trigger, each};
use crate::states::either;
use automation::duration;
use automation::schedule::Schedule;
use automation::template::to_text;
use serde_json::Value;

/// The trigger types: those of the reference, and those for changes that this service detects.
pub(crate) const TYPES: &[&str] =
    &["schedule", "manual", "webhook", "event", "optimization", "import", "budget", "anomaly"];

/// The scopes of anomalies to which a trigger can be restricted.
const ANOMALY_SCOPES: &[&str] = &["service", "tag", "total", "metric", "events"];
/// The final states of an import, as `ingest` stores them.
const IMPORT_STATES: &[&str] = &[
    "done",
    "done_with_skips",
    "unchanged",
    "nothing_read",
    "needs_decision",
    "waiting_for_parts",
    "failed",
    "undone",
];

/// The policies for a run that is due while the previous one is still active.
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
        "manual" => {}
        "webhook" => {
            let secret = params.and_then(|params| params["secret"].as_str()).unwrap_or_default();
            if secret.contains("{{") || secret.contains("{%") {
                let message = "no template is read here: leave it out, and a secret is made and told once";
                mistakes.add(&format!("{place}.params.secret"), message);
            }
        }
        "import" => {
            check_texts(place, params, &[("formats", None), ("states", Some(IMPORT_STATES))], mistakes);
        }
        "anomaly" => {
            let known = [("types", None), ("names", None), ("scopes", Some(ANOMALY_SCOPES))];
            check_texts(place, params, &known, mistakes);
        }
        "budget" => {
            let known = [("budgets", None), ("on", Some(&["actual", "forecast"][..]))];
            check_texts(place, params, &known, mistakes);
            check_percent(place, params, mistakes);
        }
        other => {
            let expected = either(TYPES);
            mistakes.add(&format!("{place}.type"), format!("expected {expected}, found \"{other}\""));
        }
    }
}

/// Checks parameters that are a text or a list of texts, some of which allow only certain words.
fn check_texts(
    place: &str,
    params: Option<&Value>,
    known: &[(&str, Option<&[&str]>)],
    mistakes: &mut Mistakes,
) {
    for (name, words) in known {
        let given = match params.and_then(|params| params.get(name)) {
            None | Some(Value::Null) => continue,
            Some(Value::Array(list)) => list.iter().collect(),
            Some(one) => vec![one],
        };
        for one in given {
            let fits = |text: &str| words.is_none_or(|words| text.is_empty() || words.contains(&text));
            if !one.as_str().is_some_and(fits) {
                let expected = words.map_or_else(|| "a text or a list of texts".to_owned(), either);
                mistakes.add(&format!("{place}.params.{name}"), format!("expected {expected}, found {one}"));
            }
        }
    }
}

/// Checks the minimum percentage at which a budget starts the workflow.
fn check_percent(place: &str, params: Option<&Value>, mistakes: &mut Mistakes) {
    let Some(given) = params.and_then(|params| params.get("percent")).filter(|given| !given.is_null()) else {
        return;
    };
    let number = to_text(given).trim().parse::<f64>().ok();
    if !number.is_some_and(|number| number.is_finite() && number >= 0.0) {
        let message = format!("expected a percentage such as 80, found {given}");
        mistakes.add(&format!("{place}.params.percent"), message);
    }
}

fn check_schedule(place: &str, params: Option<&Value>, mistakes: &mut Mistakes) {
    let text = |name: &str| params.and_then(|params| params.get(name)).and_then(Value::as_str);
    match text("cron") {
        None => mistakes.add(place, "a trigger of type schedule needs cron, such as \"0 5 * * *\""),
        Some(line) => {
            if let Err(reason) = Schedule::read(line, None) {
                mistakes.add(&format!("{place}.cron"), reason);
            }
        }
    }
    if let Some(zone) = params.and_then(|params| params.get("timezone")).filter(|zone| !zone.is_null())
        && let Err(reason) = Schedule::read("0 0 * * *", Some(&to_text(zone)))
    {
        mistakes.add(&format!("{place}.timezone"), reason);
    }
    if let Some(policy) = params.and_then(|params| params.get("overlap_policy"))
        && !policy.as_str().is_some_and(|policy| OVERLAPS.contains(&policy))
    {
        let message = format!("expected {}, found {policy}", either(OVERLAPS));
        mistakes.add(&format!("{place}.overlap_policy"), message);
    }
    if let Some(window) = text("catchup_window").filter(|window| duration::parse(window).is_none()) {
        let message = format!("expected a span of time such as 60s or 1h, found \"{window}\"");
        mistakes.add(&format!("{place}.catchup_window"), message);
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
            mistakes(json!({ "type": "webhook", "params": { "secret": "{{ Secrets.HOOK }}" } })),
            "the workflow definition has a mistake: triggers[0].params.secret: \
             no template is read here: leave it out, and a secret is made and told once"
        );
        for kind in ["import", "budget", "anomaly"] {
            assert_eq!(mistakes(json!({ "type": kind })), "");
        }
        let crossed = json!({ "budgets": "Shop", "on": ["actual", "forecast"], "percent": 80 });
        assert_eq!(mistakes(json!({ "type": "budget", "params": crossed })), "");
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
             triggers[0].type: expected schedule, manual, webhook, event, optimization, import, budget or anomaly, found \"whim\""
        );
    }

    #[test]
    fn what_the_service_finds_is_narrowed_by_known_words() {
        for (kind, params, expected) in [
            ("import", json!({ "states": ["finished"] }), "params.states: expected done, done_with_skips"),
            (
                "import",
                json!({ "formats": 3 }),
                "params.formats: expected a text or a list of texts, found 3",
            ),
            ("budget", json!({ "on": "past" }), "params.on: expected actual or forecast, found \"past\""),
            ("budget", json!({ "percent": "most" }), "params.percent: expected a percentage"),
            (
                "anomaly",
                json!({ "scopes": ["all"] }),
                "params.scopes: expected service, tag, total, metric or events",
            ),
        ] {
            let found = mistakes(json!({ "type": kind, "params": params }));
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn a_schedule_is_a_cron_line() {
        let found = mistakes(json!({ "type": "schedule", "params": { "cron": "every day" } }));
        assert!(found.contains("triggers[0].params.cron: expected a cron line"), "{found}");
        let found = mistakes(
            json!({ "type": "schedule", "params": { "cron": "0 5 * * *", "overlap_policy": "Wait" } }),
        );
        assert!(found.contains("overlap_policy: expected Skip, BufferOne"), "{found}");
        let found =
            mistakes(json!({ "type": "schedule", "params": { "cron": "0 5 * * *", "timezone": "Berlin" } }));
        assert!(found.contains("timezone: expected a time zone such as Europe/Berlin"), "{found}");
        let zone = json!({ "cron": "0 5 * * *", "timezone": "Europe/Berlin" });
        assert_eq!(mistakes(json!({ "type": "schedule", "params": zone })), "");
    }
}
