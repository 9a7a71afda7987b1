//! `schema/generated/reference.md` matches the catalogue. `UPDATE=1 cargo test -p catalogue` rewrites it.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod support;

use catalogue::{Catalogue, Example};
use std::collections::BTreeMap;
use support::Case;

#[test]
fn the_reference_page_is_up_to_date() {
    let path = support::schema_dir().join("generated/reference.md");
    let catalogue = support::catalogue();
    let cases = support::cases();
    let examples: BTreeMap<&str, Example<'_>> =
        names(&catalogue).filter_map(|name| Some((name, example(name, &cases)?))).collect();
    let page = catalogue::reference(&catalogue, &examples);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = written.lines().zip(page.lines()).position(|(old, new)| old != new);
    let line = differing.unwrap_or_else(|| written.lines().count().min(page.lines().count())) + 1;
    assert!(
        written == page,
        "schema/generated/reference.md:{line} is not what the catalogue says: run UPDATE=1 cargo test -p catalogue and read the change"
    );
}

#[test]
fn every_listing_and_every_operation_has_an_example() {
    let cases = support::cases();
    let catalogue = support::catalogue();
    let without: Vec<&str> = names(&catalogue).filter(|name| example(name, &cases).is_none()).collect();
    assert!(without.is_empty(), "no case in tests/cases/ asks for {without:?}");
}

/// The root fields with examples.
fn names(catalogue: &Catalogue) -> impl Iterator<Item = &str> {
    let listings = catalogue.listings.iter().map(|listing| listing.name.as_str());
    let fields = catalogue.view_fields.iter().map(|field| field.name.as_str());
    let operations = catalogue.operations.iter().map(|operation| operation.name.as_str());
    listings.chain(fields).chain(operations)
}

/// The shortest case in which the root field succeeds; if there is none (a language model is needed), the shortest one in which it fails.
fn example<'a>(name: &str, cases: &'a [Case]) -> Option<Example<'a>> {
    let asking = cases.iter().filter_map(|case| Some((case, case.find(name)?)));
    asking
        .min_by_key(|(case, asked)| (!asked.is_answered, case.query.len() + case.answer.len()))
        .map(|(case, _)| Example { query: &case.query, answer: &case.answer })
}
