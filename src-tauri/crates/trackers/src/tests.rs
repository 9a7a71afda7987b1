//! Tests with a loopback server that speaks the real protocols: [`testkit::trackers`].

mod issues;

use crate::{Auth, Failure, OpenedTicket, Ticket, Tool, Tracker, check, send};
use outgoing::{EgressPolicy, OutgoingSettings};
use std::time::Duration;
use testkit::trackers::{Fault, KEY, NAME, Trackers};

/// 2026-11-21T04:05:06Z
const NOW: i64 = 1_795_233_906_000_000;

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Network settings with the given exceptions.
fn to(allowed: &str) -> OutgoingSettings {
    OutgoingSettings { egress: EgressPolicy::parse(allowed).unwrap(), ..OutgoingSettings::default() }
}

fn tracker(double: &Trackers, tool: Tool, secret: &str) -> Tracker {
    let auth = if tool == Tool::ServiceNow { Auth::Basic } else { Auth::Token };
    Tracker {
        tool,
        name: "desk".to_owned(),
        base: tool.base(&double.address).unwrap(),
        username: NAME.to_owned(),
        auth,
        secret: secret.to_owned().into(),
    }
}

fn project(tool: Tool) -> &'static str {
    match tool {
        Tool::GitHub => "acme/shop",
        Tool::GitLab => "acme/web/shop",
        Tool::Jira => "OPS",
        Tool::PagerDuty => "PIJ90N7",
        Tool::ServiceNow => "incident",
    }
}

fn ticket(tool: Tool) -> Ticket {
    Ticket {
        marker: "quarterdeck-00000000-0000-0000-0000-00000000000a".to_owned(),
        title: "Too much memory".to_owned(),
        description: "The shop asks for 8 GB and uses 1.".to_owned(),
        project: project(tool).to_owned(),
        kind: "Task".to_owned(),
        severity: Some("High".to_owned()),
        opened_at: NOW,
    }
}

fn sent(double: &Trackers, tool: Tool, may_be_there: bool) -> Result<OpenedTicket, Failure> {
    wait(send(&to("127.0.0.1"), &tracker(double, tool, KEY), &ticket(tool), may_be_there, NOW))
}

#[test]
fn a_ticket_is_opened_in_every_tool_and_tells_its_number_place_and_state() {
    for (tool, ticket_id, url, status, says_when) in [
        (Tool::Jira, "OPS-1", "$/browse/OPS-1", "To Do", true),
        (Tool::GitHub, "#1", "https://git.example.com/acme/shop/issues/1", "open", true),
        (Tool::GitLab, "#1", "https://gitlab.example.com/acme/web/shop/-/issues/1", "opened", true),
        (
            Tool::ServiceNow,
            "INC0000001",
            "$/nav_to.do?uri=incident.do%3Fsys_id%3D00000000000000000000000000000001",
            "New",
            false,
        ),
        (Tool::PagerDuty, "Q000001", "https://acme.pagerduty.com/incidents/Q000001", "triggered", true),
    ] {
        let double = Trackers::start();
        let expected = OpenedTicket {
            ticket_id: ticket_id.to_owned(),
            url: url.replace('$', &double.address),
            status: status.to_owned(),
            updated_at: says_when.then_some(NOW),
        };
        assert_eq!(sent(&double, tool, false), Ok(expected.clone()), "{tool:?}");
        let issue = double.issues().remove(0);
        assert_eq!((issue.project.as_str(), issue.title.as_str()), (project(tool), "Too much memory"));
        let body = issue.body.to_string();
        for part in ["uses 1.", "Severity: High", "quarterdeck-00000000-0000-0000-0000-00000000000a"] {
            assert!(body.contains(part), "{body}");
        }
        assert_eq!(sent(&double, tool, true), Ok(expected), "{tool:?}: it is found");
        assert_eq!(double.issues().len(), 1, "{tool:?}: and not opened twice");
    }
}

#[test]
fn one_that_may_be_there_and_is_not_is_opened() {
    for tool in Tool::ALL {
        let double = Trackers::start();
        sent(&double, tool, true).unwrap();
        assert_eq!(double.issues().len(), 1, "{tool:?}");
    }
}

#[test]
fn an_answer_that_was_cut_off_is_not_final_and_the_ticket_is_found_afterwards() {
    for tool in Tool::ALL {
        let double = Trackers::start();
        double.fail([Fault::CutOff]);
        let failure = sent(&double, tool, false).unwrap_err();
        assert!(!failure.is_final && failure.message.contains("127.0.0.1"), "{failure:?}");
        sent(&double, tool, true).unwrap();
        assert_eq!(double.issues().len(), 1, "{tool:?}");
    }
}

#[test]
fn a_refusal_is_final_in_the_trackers_words() {
    for (tool, words) in [
        (Tool::Jira, "status 400). It says: project: valid project is required"),
        (Tool::GitHub, "knows no such place (status 404). It says: Not Found"),
        (Tool::GitLab, "It says: 404 Project Not Found"),
        (Tool::ServiceNow, "It says: Invalid table NOPE"),
        (Tool::PagerDuty, "It says: Invalid Input Provided Service not found"),
    ] {
        let double = Trackers::start();
        let project = if tool == Tool::GitHub { "acme/NOPE" } else { "NOPE" };
        let ticket = Ticket { project: project.to_owned(), ..ticket(tool) };
        let tracker = tracker(&double, tool, KEY);
        let failure = wait(send(&to("127.0.0.1"), &tracker, &ticket, false, NOW)).unwrap_err();
        assert!(failure.is_final && failure.message.contains(words), "{failure:?}");
    }
}

#[test]
fn a_limit_says_how_long_and_trouble_there_is_not_final() {
    let double = Trackers::start();
    double.fail([
        Fault::Status(429, r#"{"errorMessages":["Rate limit exceeded."]}"#.to_owned(), Some(17)),
        Fault::Status(500, "oops".to_owned(), None),
        Fault::Status(503, "{}".to_owned(), Some(5)),
        Fault::Nonsense,
    ]);
    let fails = || sent(&double, Tool::Jira, false).unwrap_err();
    let limit = fails();
    assert_eq!(
        (limit.is_final, limit.is_limit, limit.retry_after),
        (false, true, Some(Duration::from_secs(17)))
    );
    assert!(
        limit.message.ends_with("wants fewer requests (status 429). It says: Rate limit exceeded."),
        "{limit}"
    );
    let broken = fails();
    assert!(
        !broken.is_final && !broken.is_limit && broken.message.contains("trouble of its own"),
        "{broken}"
    );
    assert_eq!(fails().retry_after, Some(Duration::from_secs(5)));
    let nonsense = fails();
    assert!(!nonsense.is_final && nonsense.message.contains("no answer of such a tracker"), "{nonsense}");
    assert_eq!(double.issues().len(), 0);
}

#[test]
fn who_asks_is_told_and_a_wrong_key_in_the_trackers_words_without_it() {
    let double = Trackers::start();
    for (tool, said, refused) in [
        (Tool::Jira, "Signed in as Service desk.", "You are not authenticated."),
        (Tool::GitHub, "Signed in as desk-bot.", "Bad credentials"),
        (Tool::GitLab, "Signed in as desk-bot.", "401 Unauthorized"),
        (Tool::ServiceNow, "The key is accepted, and incidents can be read.", "User Not Authenticated"),
        (Tool::PagerDuty, "The key is accepted, and services can be read.", "Unauthorized"),
    ] {
        let checked = |secret| wait(check(&to("127.0.0.1"), &tracker(&double, tool, secret), NOW));
        assert_eq!(checked(KEY).unwrap(), said);
        let failure = checked("a-wrong-key-1234").unwrap_err();
        assert!(failure.is_final && failure.message.contains(refused), "{failure:?}");
        assert!(!failure.message.contains("a-wrong-key"), "{failure:?}");
    }
    let in_addresses = double.seen().iter().any(|asked| asked.path.contains("key"));
    assert!(!in_addresses, "a key is in no address");
}

#[test]
fn jira_is_told_a_name_and_a_token_where_there_is_a_name() {
    let double = Trackers::start();
    let tracker = Tracker { auth: Auth::Basic, ..tracker(&double, Tool::Jira, KEY) };
    assert!(wait(check(&to("127.0.0.1"), &tracker, NOW)).is_ok());
    assert!(double.seen()[0].headers["authorization"].starts_with("Basic "));
}

#[test]
fn nobody_there_is_not_final() {
    let tracker = tracker(&Trackers::start(), Tool::Jira, KEY);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let tracker = Tracker { base: format!("http://{free}/").parse().unwrap(), ..tracker };
    let failure = wait(send(&to("127.0.0.1"), &tracker, &ticket(Tool::Jira), false, NOW)).unwrap_err();
    assert!(
        !failure.is_final && failure.message.contains(&format!("Nobody answers at {free} (")),
        "{failure:?}"
    );
}

#[test]
fn a_tracker_inside_is_not_reached_unless_it_is_allowed() {
    for tool in Tool::ALL {
        let double = Trackers::start();
        let port = double.address.rsplit(':').next().unwrap().to_owned();
        for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0.0.0.0"] {
            let base = tool.base(&format!("http://{host}:{port}")).unwrap();
            let tracker = Tracker { base, ..tracker(&double, tool, KEY) };
            let failure = wait(check(&to("none"), &tracker, NOW)).unwrap_err();
            assert!(failure.is_final && failure.message.contains("private network"), "{host}: {failure:?}");
            assert!(failure.message.contains("private_addresses"), "{failure:?}");
        }
        assert!(double.seen().is_empty(), "{tool:?}");
    }
}

#[test]
fn what_answers_in_a_network_inside_is_told_by_its_status_alone() {
    let double = Trackers::start();
    let tracker = tracker(&double, Tool::Jira, "a-wrong-key-1234");
    let failure = wait(check(&to("loopback"), &tracker, NOW)).unwrap_err();
    assert_eq!(failure.message, "desk does not accept the name and key (status 401).");
    double.fail([Fault::Status(500, r#"{"errorMessages":["the key of the vault is 7"]}"#.to_owned(), None)]);
    let tracker = Tracker { secret: KEY.to_owned().into(), ..tracker };
    let failure = wait(send(&to("loopback"), &tracker, &ticket(Tool::Jira), false, NOW)).unwrap_err();
    assert_eq!(failure.message, "desk has trouble of its own (status 500).");
}
