//! Describes what a run would do after an approval: the plan a person agrees to.

mod place;

pub use place::QuestionScope;

use crate::definition::{Definition, Task};
use crate::dry_run::{DryStart, masked};
use crate::journal::{Entry, Journal, Status};
use crate::plan::{CallOutcome, composed};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The parts of the run that the plan depends on.
pub struct Upcoming<'a> {
    pub definition: &'a Definition,
    pub inputs: &'a Map<String, Value>,
    /// Names of secrets; their values are neither needed nor shown.
    pub secrets: &'a BTreeSet<String>,
    pub state: &'a Map<String, Value>,
    /// When the question was asked, µs since 1970 UTC. Templates use this as the current time, so repeating the plan gives the same result.
    pub asked_at: i64,
}

impl Upcoming<'_> {
    /// Describes what the tasks after the question at `path` would send or change, in order; `None` if nothing follows.
    pub fn text(&self, journal: &Journal, path: &str, hoped: &str) -> Option<String> {
        let place = QuestionScope::of(self.definition, path)?;
        let later = place.followers();
        let awaited = place.awaited(&later);
        let answer = || json!({ "status": hoped, "approver": "", "comments": "" });
        let mut finished = vec![CallOutcome { path: path.to_owned(), result: Ok(answer()) }];
        let mut under_way = BTreeSet::new();
        for entry in journal.entries().filter(|entry| entry.path != path && is_call(&entry.kind)) {
            match entry.status {
                // The following tasks depend on it too: assumed to be done, as in a dry run.
                Status::Started if place.own(&entry.path).is_some_and(|own| awaited.contains(own)) => {
                    let is_question = entry.kind == "core.approval";
                    let output = if is_question { answer() } else { json!({ "dry_run": true }) };
                    finished.push(CallOutcome { path: entry.path.clone(), result: Ok(output) });
                }
                Status::Started | Status::Unknown => drop(under_way.insert(entry.path.clone())),
                _ => {}
            }
        }
        let secrets = masked(self.secrets);
        let start = DryStart {
            definition: self.definition,
            inputs: self.inputs,
            secrets: &secrets,
            state: self.state,
            now: self.asked_at,
            // The question is asked within a transaction: nothing slow may happen there.
            works_out: false,
        };
        // Other items of a loop are left out: each has its own question.
        let is_enough = |journal: &Journal| place.is_inside() && place.is_over(journal, &later);
        let (_, previews, _) = start.go_through_until(journal.clone(), finished, &under_way, &is_enough);
        let mut text = String::new();
        for (path_there, would) in &previews {
            if place.own(path_there).is_some_and(|own| path_there == path || later.contains(own)) {
                let _ = write!(text, "{path_there}: {would}\n\n");
            }
        }
        text.push_str(&self.beyond(&place, path));
        let is_open =
            |id: &&String| journal.get(&place.path(id)).is_none_or(|entry| !entry.status.is_final());
        let open: Vec<&str> = awaited.iter().filter(is_open).map(String::as_str).collect();
        if !text.is_empty() && !open.is_empty() {
            let _ = write!(text, "{NOT_KNOWN}{} will give.", open.join(", "));
        }
        Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
    }

    /// For a question inside a loop, a group or a branch: a note that the tasks after the enclosing task are not part of the approval.
    fn beyond(&self, place: &QuestionScope, path: &str) -> String {
        let whole = top(path);
        let after = followers(&self.definition.tasks(), whole);
        if !place.is_inside() || after.is_empty() {
            return String::new();
        }
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        format!("Not part of this question is what comes after {whole}: {}.\n\n", after.join(", "))
    }

    /// Like [`text`](Self::text) for a question answered before: the plan if it were open now, with the results other tasks have given since.
    pub fn text_again(&self, journal: &Journal, path: &str, hoped: &str) -> Option<String> {
        let place = QuestionScope::of(self.definition, path)?;
        let later = place.followers();
        let is_later = |entry: &&Entry| place.own(&entry.path).is_some_and(|own| later.contains(own));
        let mut open: Journal = journal.entries().filter(|entry| !is_later(entry)).cloned().collect();
        let asked = journal.get(path)?.clone();
        open.put(Entry { status: Status::Started, output: None, order: 0, ..asked });
        self.text(&open, path, hoped)
    }
}

/// The end of a plan that depends on results of other tasks.
const NOT_KNOWN: &str = "Not known yet: what ";

/// The plan without the note about unknown results.
pub fn known_part(plan: &str) -> &str {
    let (known, rest) = plan.rsplit_once(NOT_KNOWN).unwrap_or((plan, ""));
    if rest.contains('\n') { plan } else { known.trim_end() }
}

/// A hash of a plan, to detect changes.
pub fn fingerprint(plan: &str) -> String {
    Sha256::digest(plan.as_bytes()).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The top-level task that a path belongs to.
pub fn top(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

/// The other tasks that the followers of a task depend on, directly or indirectly.
fn awaited<'t>(tasks: &[&'t Task], root: &str, followers: &BTreeSet<String>) -> BTreeSet<&'t str> {
    let mut found: BTreeSet<&'t str> = BTreeSet::new();
    loop {
        let before = found.len();
        for task in tasks {
            if followers.contains(&task.id) || found.contains(task.id.as_str()) {
                let others = task.depends_on.iter().flatten().map(String::as_str);
                found.extend(others.filter(|other| *other != root && !followers.contains(*other)));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn is_call(kind: &str) -> bool {
    !matches!(kind, "core.switch" | "core.foreach" | "core.group") && !composed::is_one(kind)
}

/// The tasks after another one, directly or indirectly.
pub fn followers(tasks: &[&Task], id: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([id.to_owned()]);
    loop {
        let before = found.len();
        for task in tasks {
            let depends = task.depends_on.iter().flatten().any(|other| found.contains(other));
            if depends {
                found.insert(task.id.clone());
            }
            if task.kind == "core.switch" && found.contains(&task.id) {
                found.extend(task.targets());
            }
        }
        if found.len() == before {
            break;
        }
    }
    found.remove(id);
    found
}

#[cfg(test)]
mod tests {
    use super::{Upcoming, followers, known_part};
    use crate::definition::Definition;
    use crate::journal::Journal;
    use crate::plan::{CallOutcome, PlanInput, plan};
    use serde_json::{Map, Value, json};
    use std::collections::BTreeSet;

    fn definition() -> Definition {
        let http = |id: &str, before: &[&str]| {
            json!({ "id": id, "type": "integrations.http", "depends_on": before,
                    "params": { "url": "http://a/{{ Inputs.n }}", "body": "{{ Secrets.TOKEN }}", "method": "POST" } })
        };
        let tasks = json!([
            http("apart", &[]),
            { "id": "ok", "type": "core.approval", "params": { "message": "Sure?" } },
            http("then", &["ok"]), http("last", &["then"]),
        ]);
        Definition::read(&json!({ "tasks": tasks })).unwrap()
    }

    fn text(definition: &Definition, inputs: &Value) -> Option<String> {
        let inputs = inputs.as_object().cloned().unwrap();
        let (none, nowhere) = (Map::new(), BTreeSet::new());
        let situation = PlanInput {
            definition,
            inputs: &inputs,
            secrets: &none,
            configs: &none,
            state: &none,
            now: 5,
            in_flight: &nowhere,
            is_dry: false,
            is_canceled: false,
        };
        let journal: Journal = plan(&situation, Journal::default(), &[]).journal;
        let names = BTreeSet::from(["TOKEN".to_owned()]);
        let upcoming = Upcoming { definition, inputs: &inputs, secrets: &names, state: &none, asked_at: 5 };
        upcoming.text(&journal, "ok", "approve")
    }

    #[test]
    fn a_question_shows_what_comes_after_it_and_no_secret() {
        let definition = definition();
        assert_eq!(
            text(&definition, &json!({ "n": 1 })).as_deref(),
            Some("last: POST http://a/1\n\n***\n\nthen: POST http://a/1\n\n***")
        );
        assert_ne!(text(&definition, &json!({ "n": 1 })), text(&definition, &json!({ "n": 2 })));
    }

    #[test]
    fn what_waits_for_something_else_too_is_shown_with_what_is_not_known_yet() {
        let tasks = json!([
            { "id": "slow", "type": "core.wait", "params": { "duration": "1h" } },
            { "id": "say", "type": "core.print", "params": { "message": "hello" }, "depends_on": ["slow"] },
            { "id": "ok", "type": "core.approval", "params": { "message": "Sure?" } },
            { "id": "act", "type": "integrations.http", "depends_on": ["ok", "say"],
              "params": { "url": "http://a/{{ Tasks.say.output.data }}", "method": "POST" } },
        ]);
        let definition = Definition::read(&json!({ "tasks": tasks })).unwrap();
        let shown = text(&definition, &json!({})).unwrap();
        assert!(shown.starts_with("act: POST http://a/"), "{shown}");
        assert!(shown.ends_with("Not known yet: what say, slow will give."), "{shown}");
        assert!(!known_part(&shown).contains("Not known") && shown.starts_with(known_part(&shown)));
        assert_eq!(known_part("act: x"), "act: x");
    }

    #[test]
    fn a_question_in_a_loop_shows_what_follows_in_its_item_alone() {
        let http = |id: &str, before: &[&str], url: &str| json!({ "id": id, "type": "integrations.http", "depends_on": before, "params": { "url": url, "method": "POST" } });
        let tasks = json!([
            { "id": "loop", "type": "core.foreach", "params": { "items": ["a", "b"], "concurrency": 2, "tasks": [
                { "id": "ok", "type": "core.approval", "params": { "message": "{{ item }}?" } },
                { "id": "slow", "type": "core.wait", "params": { "duration": "1h" } },
                http("aside", &[], "http://a/aside"), http("act", &["ok", "slow"], "http://a/{{ item }}"),
            ] } },
            http("last", &["loop"], "http://a/last"),
        ]);
        let definition = Definition::read(&json!({ "tasks": tasks })).unwrap();
        let (none, nowhere, names) = (Map::new(), BTreeSet::new(), BTreeSet::new());
        let at = |now: i64, journal: Journal, finished: &[CallOutcome]| {
            let situation = PlanInput {
                definition: &definition,
                inputs: &none,
                secrets: &none,
                configs: &none,
                state: &none,
                now,
                in_flight: &nowhere,
                is_dry: false,
                is_canceled: false,
            };
            plan(&situation, journal, finished).journal
        };
        let text = |journal: &Journal, path: &str| {
            let (definition, inputs, secrets, state) = (&definition, &none, &names, &none);
            let upcoming = Upcoming { definition, inputs, secrets, state, asked_at: 5 };
            upcoming.text(journal, path, "approve").unwrap()
        };
        let asked = at(5, Journal::default(), &[]);
        let first = text(&asked, "loop/0/ok");
        assert_eq!(
            first,
            "loop/0/act: POST http://a/a\n\nNot part of this question is what comes after loop: last.\n\nNot known yet: what slow will give."
        );
        // Results of the other item, or of unrelated tasks, change nothing.
        let done = |path: &str, output: Value| CallOutcome { path: path.to_owned(), result: Ok(output) };
        let ended = [
            done("loop/1/ok", json!({ "status": "approve" })),
            done("loop/1/aside", json!({ "status_code": 200 })),
            done("loop/0/aside", json!({ "status_code": 200 })),
        ];
        let later = at(6, asked, &ended);
        assert_eq!(text(&later, "loop/0/ok"), first);
        let over = at(3_600_000_007, later, &[]);
        assert_eq!(text(&over, "loop/0/ok"), known_part(&first), "now it is known what slow gave");
    }

    #[test]
    fn what_follows_is_found_through_others() {
        let definition = definition();
        let found: Vec<String> = followers(&definition.tasks(), "ok").into_iter().collect();
        assert_eq!(found, ["last", "then"]);
    }
}
