//! Every listing and operation has cases in `tests/cases`: a typical request, a filtered or grouped one, an invalid one.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod support;

use catalogue::{Catalogue, Root};
use support::{Asked, Case};

const LEAST: usize = 3;

/// Root fields without cases here. They need a language model (tested in `tests/journeys/assistant.rs` and `operations/src/assistant/`),
/// the bytes of an imported file (`server/src/tests/imports.rs`) or automation switched on (`operations/tests/all/workflows/`,
/// `operations/tests/all/ways/` and `server/src/tests/automation.rs`).
const NEEDS_MORE: [&str; 9] = [
    "ai_followup_response",
    "ai_generate_workflow",
    "auto_optimize_skip_execution",
    "auto_runbook_task_manual_run",
    "import_decide",
    "recommendation_undo",
    "workflow_retrigger_execution",
    "workflow_run_from_task",
    "workflow_trigger",
];
/// Has no arguments that could be invalid. A caller who is not signed in is refused earlier.
const NEVER_WRONG: &str = "users_list_token";

/// The uses of a root field in the cases.
fn asked<'a>(cases: &'a [Case], name: &str, is_mutation: bool) -> Vec<&'a Asked> {
    let one = |case: &'a Case| case.find(name).filter(|asked| asked.is_mutation == is_mutation);
    cases.iter().filter_map(one).collect()
}

/// Name of every individually declared root field, and whether it is a mutation.
fn fields(catalogue: &Catalogue) -> impl Iterator<Item = (&str, bool)> {
    let listings = catalogue.listings.iter().map(|listing| (listing.name.as_str(), false));
    let views = catalogue.view_fields.iter().map(|field| (field.name.as_str(), false));
    let operations = catalogue
        .operations
        .iter()
        .map(|operation| (operation.name.as_str(), operation.root == Root::Mutation));
    listings.chain(views).chain(operations)
}

#[test]
fn every_root_field_has_three_cases_one_answered_and_one_refused() {
    let (catalogue, cases) = (support::catalogue(), support::cases());
    assert!(fields(&catalogue).count() > 100);
    for (name, is_mutation) in fields(&catalogue) {
        let asked = asked(&cases, name, is_mutation);
        assert!(asked.len() >= LEAST, "{name} has {} cases of {LEAST}", asked.len());
        let answered = asked.iter().filter(|asked| asked.is_answered).count();
        assert!(answered > 0 || NEEDS_MORE.contains(&name), "no case shows what {name} answers");
        assert!(answered < asked.len() || name == NEVER_WRONG, "no case shows what {name} refuses");
    }
}

/// Arguments that control how rows are grouped.
const GROUPING: [&str; 3] = ["group_by", "columns", "column_transformations"];

#[test]
fn every_listing_has_a_case_that_filters_and_where_it_can_one_that_groups() {
    let (catalogue, cases) = (support::catalogue(), support::cases());
    for listing in &catalogue.listings {
        let asked = asked(&cases, &listing.name, false);
        let is_shown = |arguments: &[&str]| {
            let gives =
                |asked: &Asked| asked.arguments.iter().any(|given| arguments.contains(&given.as_str()));
            asked.iter().any(|asked| asked.is_answered && gives(asked))
        };
        assert!(!listing.takes("where") || is_shown(&["where"]), "no case filters {}", listing.name);
        assert!(!listing.takes("group_by") || is_shown(&GROUPING), "no case groups {}", listing.name);
    }
}

#[test]
fn every_case_asks_for_a_root_field_or_cannot_be_read() {
    for case in support::cases() {
        let is_unread = case.answer.contains("not a valid graphql query");
        assert!(!case.asked.is_empty() || is_unread, "{} asks for nothing", case.name);
    }
}
