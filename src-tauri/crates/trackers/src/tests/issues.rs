//! Tests of reading, commenting and changing tickets in every tool.

use super::{KEY, NOW, project, sent, to, tracker, wait};
use crate::issues::{
    Comment, Issue, IssueChange, IssueKey, IssueState, MarkedComment, change, comment, comments, read,
};
use crate::{Failure, Tool};
use testkit::trackers::{Fault, Trackers};

/// A tracker with one ticket.
fn opened(tool: Tool) -> Trackers {
    let double = Trackers::start();
    sent(&double, tool, false).unwrap();
    double
}

fn number(tool: Tool) -> &'static str {
    match tool {
        Tool::GitHub | Tool::GitLab => "1",
        Tool::Jira => "OPS-1",
        Tool::PagerDuty => "Q000001",
        Tool::ServiceNow => "INC0000001",
    }
}

fn key(tool: Tool) -> IssueKey<'static> {
    IssueKey { project: project(tool), number: number(tool) }
}

fn found(double: &Trackers, tool: Tool) -> Result<Option<Issue>, Failure> {
    wait(read(&to("127.0.0.1"), &tracker(double, tool, KEY), key(tool), NOW))
}

fn changed(double: &Trackers, tool: Tool, wanted: &IssueChange) -> Result<Issue, Failure> {
    wait(change(&to("127.0.0.1"), &tracker(double, tool, KEY), key(tool), wanted, NOW))
}

fn goes_to(double: &Trackers, tool: Tool, status: &str) -> Result<Issue, Failure> {
    changed(double, tool, &IssueChange { status: Some(status.to_owned()), ..IssueChange::default() })
}

fn said(double: &Trackers, tool: Tool, text: &str, attempt: u8) -> Result<bool, Failure> {
    let marker = format!("qd:run-1:tell:{attempt}");
    let remark = MarkedComment { text, marker: &marker, found_by: "qd:run-1:tell:" };
    wait(comment(&to("127.0.0.1"), &tracker(double, tool, KEY), key(tool), remark, NOW))
}

/// Number of modifying requests since the ticket was opened.
fn writes(double: &Trackers) -> usize {
    double.seen().iter().filter(|asked| asked.method != "GET").count() - 1
}

#[test]
fn a_ticket_is_read_in_every_tool() {
    for (tool, status, url) in [
        (Tool::Jira, "To Do", "$/browse/OPS-1"),
        (Tool::GitHub, "open", "https://git.example.com/acme/shop/issues/1"),
        (Tool::GitLab, "opened", "https://gitlab.example.com/acme/web/shop/-/issues/1"),
        (Tool::ServiceNow, "New", "$/nav_to.do?uri=incident.do%3Fsys_id%3D00000000000000000000000000000001"),
        (Tool::PagerDuty, "triggered", "https://acme.pagerduty.com/incidents/Q000001"),
    ] {
        let double = opened(tool);
        let issue = found(&double, tool).unwrap().unwrap();
        assert_eq!(
            (issue.title.as_str(), issue.status.as_str(), issue.state),
            ("Too much memory", status, IssueState::Open),
            "{tool:?}"
        );
        assert_eq!(issue.url, url.replace('$', &double.address));
        assert_eq!((issue.created_at, issue.updated_at), (Some(NOW), Some(NOW)), "{tool:?}: as UTC");
        assert_eq!(issue.project, project(tool));
        assert_eq!(writes(&double), 0, "{tool:?}");
    }
}

#[test]
fn a_state_is_told_in_one_word_and_an_unknown_one_is_said_to_be_so() {
    use IssueState::{Done, Open, Refused, Unknown};
    for (tool, status, resolution, state) in [
        (Tool::Jira, "In Progress", None, Open),
        (Tool::Jira, "Done", Some("Done"), Done),
        (Tool::Jira, "Done", Some("Won't Do"), Refused),
        (Tool::Jira, "Rejected", None, Refused),
        (Tool::Jira, "Parked", None, Unknown),
        (Tool::GitHub, "closed", Some("completed"), Done),
        (Tool::GitHub, "closed", Some("not_planned"), Refused),
        (Tool::GitHub, "parked", None, Unknown),
        (Tool::GitLab, "closed", None, Done),
        (Tool::GitLab, "locked", None, Unknown),
        (Tool::ServiceNow, "On Hold", None, Open),
        (Tool::ServiceNow, "Resolved", None, Done),
        (Tool::ServiceNow, "Canceled", None, Refused),
        (Tool::ServiceNow, "Waiting for parts", None, Unknown),
        (Tool::PagerDuty, "acknowledged", None, Open),
        (Tool::PagerDuty, "resolved", None, Done),
        (Tool::PagerDuty, "asleep", None, Unknown),
    ] {
        let double = opened(tool);
        double.set(1, status, resolution);
        let issue = found(&double, tool).unwrap().unwrap();
        assert_eq!((issue.status.as_str(), issue.state), (status, state), "{tool:?} {status} {resolution:?}");
    }
}

#[test]
fn a_ticket_is_gone_only_where_its_place_is_seen() {
    for tool in Tool::ALL {
        let double = opened(tool);
        double.remove(1);
        assert_eq!(found(&double, tool), Ok(None), "{tool:?}");
        let refused =
            wait(read(&to("127.0.0.1"), &tracker(&double, tool, "a-wrong-key-1234"), key(tool), NOW));
        assert!(refused.is_err(), "{tool:?}: who is not let in knows nothing of it");
    }
    for (tool, project, number) in
        [(Tool::GitHub, "acme/NOPE", "9"), (Tool::GitLab, "acme/NOPE", "9"), (Tool::Jira, "NOPE", "NOPE-9")]
    {
        let double = opened(tool);
        let key = IssueKey { project, number };
        let unknown = wait(read(&to("127.0.0.1"), &tracker(&double, tool, KEY), key, NOW)).unwrap_err();
        assert!(unknown.message.contains("status 404"), "{tool:?}: {unknown}");
    }
}

#[test]
fn a_comment_is_said_once_whatever_the_try() {
    for tool in Tool::ALL {
        let double = opened(tool);
        assert_eq!(said(&double, tool, "Still too much.", 1), Ok(false), "{tool:?}");
        assert_eq!(said(&double, tool, "Still too much.", 2), Ok(true), "{tool:?}: the second try finds it");
        let kept = double.issues()[0].standing.comments.clone();
        assert_eq!(kept.len(), 1, "{tool:?}");
        assert!(kept[0].starts_with("Still too much.") && kept[0].contains("qd:run-1:tell:1"), "{kept:?}");
        let key = key(tool);
        let listed: Vec<Comment> =
            wait(comments(&to("127.0.0.1"), &tracker(&double, tool, KEY), key, NOW)).unwrap();
        assert_eq!(listed.len(), 1, "{tool:?}: {listed:?}");
        assert_eq!(
            (listed[0].text.as_str(), listed[0].created_at),
            (kept[0].as_str(), Some(NOW)),
            "{tool:?}"
        );
    }
}

#[test]
fn a_comment_whose_answer_was_cut_off_is_found_again() {
    for tool in Tool::ALL {
        let double = opened(tool);
        double.fail([Fault::CutOff]);
        assert!(!said(&double, tool, "Once.", 1).unwrap_err().is_final, "{tool:?}");
        assert_eq!(said(&double, tool, "Once.", 2), Ok(true), "{tool:?}");
        assert_eq!(double.issues()[0].standing.comments.len(), 1, "{tool:?}");
    }
}

#[test]
fn a_ticket_is_closed_and_one_that_is_closed_is_left_alone() {
    for (tool, asked, status) in [
        (Tool::Jira, "done", "Done"),
        (Tool::Jira, "In Progress", "In Progress"),
        (Tool::Jira, "Finish", "Done"),
        (Tool::GitHub, "closed", "closed"),
        (Tool::GitHub, "not_planned", "closed"),
        (Tool::GitLab, "closed", "closed"),
        (Tool::ServiceNow, "resolved", "Resolved"),
        (Tool::ServiceNow, "7", "Closed"),
        (Tool::PagerDuty, "acknowledged", "acknowledged"),
        (Tool::PagerDuty, "resolved", "resolved"),
    ] {
        let double = opened(tool);
        let after = goes_to(&double, tool, asked).unwrap();
        assert_eq!(after.status, status, "{tool:?} {asked}");
        assert_eq!(writes(&double), 1, "{tool:?} {asked}");
        if asked != "Finish" && asked != "7" {
            assert_eq!(goes_to(&double, tool, asked).unwrap().status, status, "{tool:?} {asked}");
            assert_eq!(writes(&double), 1, "{tool:?} {asked}: it is so already");
        }
    }
}

#[test]
fn a_status_that_cannot_be_reached_says_which_can() {
    for (tool, asked, words) in [
        (Tool::Jira, "Shipped", "leads to In Progress, Done, Rejected, and not to \"Shipped\""),
        (Tool::Jira, "closed", "leads to In Progress, Done, Rejected"),
        (Tool::GitHub, "Shipped", "GitHub knows open, closed and not_planned"),
        (Tool::GitLab, "Shipped", "GitLab knows opened and closed"),
        (Tool::ServiceNow, "Shipped", "did not become \"Shipped\""),
        (Tool::PagerDuty, "triggered", "acknowledged and resolved"),
    ] {
        let double = opened(tool);
        let failure = goes_to(&double, tool, asked).unwrap_err();
        assert!(failure.is_final && failure.message.contains(words), "{tool:?}: {failure}");
        assert_eq!(double.issues()[0].standing.status, None, "{tool:?}");
    }
}

#[test]
fn fields_are_set_where_the_tool_has_them() {
    let text = |text: &str| Some(text.to_owned());
    let double = opened(Tool::Jira);
    let wanted = IssueChange {
        severity: text("High"),
        assignees: vec!["ada@example.com".to_owned()],
        description: text("Two GB."),
        labels: Some(vec!["memory".to_owned()]),
        ..IssueChange::default()
    };
    let after = changed(&double, Tool::Jira, &wanted).unwrap();
    assert_eq!((after.severity.as_deref(), after.description.as_str()), (Some("High"), "Two GB."));
    assert_eq!(after.assignees, ["ada-1"], "the account of that address");
    assert_eq!(after.labels.len(), 2, "the label that says where it was opened stays: {:?}", after.labels);

    let people = |names: &[&str]| IssueChange {
        assignees: names.iter().map(|name| (*name).to_owned()).collect(),
        ..IssueChange::default()
    };
    let double = opened(Tool::GitHub);
    assert_eq!(changed(&double, Tool::GitHub, &people(&["ada", "bob"])).unwrap().assignees, ["ada", "bob"]);
    let stranger = changed(&double, Tool::GitHub, &people(&["ada", "stranger"])).unwrap_err();
    assert!(stranger.message.contains("does not assign issues of acme/shop to stranger"), "{stranger}");
    let double = opened(Tool::GitLab);
    assert_eq!(changed(&double, Tool::GitLab, &people(&["@ada"])).unwrap().assignees, ["ada"]);
    let nobody = changed(&double, Tool::GitLab, &people(&["bob"])).unwrap_err();
    assert!(nobody.message.contains("knows nobody called bob"), "{nobody}");
    let double = opened(Tool::ServiceNow);
    let wanted = IssueChange { severity: text("high"), ..people(&["ada@example.com"]) };
    let after = changed(&double, Tool::ServiceNow, &wanted).unwrap();
    assert_eq!((after.severity.as_deref(), after.assignees), (Some("1 - so"), vec!["ada-1".to_owned()]));
    let double = opened(Tool::PagerDuty);
    let wanted = IssueChange { severity: text("low"), escalation_level: Some(2), ..people(&["PXPGF42"]) };
    let after = changed(&double, Tool::PagerDuty, &wanted).unwrap();
    assert_eq!((after.severity.as_deref(), after.assignees), (Some("low"), vec!["PXPGF42".to_owned()]));
    assert_eq!(double.issues()[0].standing.escalation, Some(2.into()));
}

#[test]
fn what_a_tool_cannot_do_is_said_before_it_is_asked() {
    let (labels, severity) = (Some(vec!["memory".to_owned()]), Some("High".to_owned()));
    let two = vec!["ada".to_owned(), "bob".to_owned()];
    for (tool, wanted, words) in [
        (
            Tool::GitHub,
            IssueChange { severity, ..IssueChange::default() },
            "severity cannot be set on tickets of github",
        ),
        (
            Tool::ServiceNow,
            IssueChange { labels, ..IssueChange::default() },
            "labels cannot be set on tickets of servicenow",
        ),
        (
            Tool::Jira,
            IssueChange { assignees: two, ..IssueChange::default() },
            "a ticket of jira has one assignee",
        ),
        (
            Tool::GitLab,
            IssueChange { escalation_level: Some(1), ..IssueChange::default() },
            "escalation_level cannot be set on tickets of gitlab",
        ),
    ] {
        let double = opened(tool);
        let before = double.seen().len();
        let failure = changed(&double, tool, &wanted).unwrap_err();
        assert!(failure.is_final && failure.message.contains(words), "{failure}");
        assert_eq!(double.seen().len(), before, "{tool:?}");
    }
}
