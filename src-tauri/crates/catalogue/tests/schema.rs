//! The catalogue of the product is without mistakes, and safe.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod support;

use catalogue::{RelationshipKind, Scope, TableKind};

#[test]
fn the_whole_catalogue_is_read_without_a_mistake() {
    let catalogue = support::catalogue();
    assert!(catalogue.find("spends").is_some());
}

#[test]
fn only_general_knowledge_and_lookups_are_for_everyone() {
    let catalogue = support::catalogue();
    let for_everyone = catalogue
        .tables
        .iter()
        .filter(|table| table.scope == Scope::Everyone && !matches!(table.kind, TableKind::Lookup { .. }))
        .map(|table| table.name.as_str())
        .collect::<Vec<_>>();
    assert_eq!(
        for_everyone,
        ["auto_playbook_actions", "autopilot_attributes", "cloud_resource_details", "knowledge_base"]
    );
}

#[test]
fn what_opens_a_door_is_a_secret() {
    let catalogue = support::catalogue();
    let mut open = Vec::new();
    for table in &catalogue.tables {
        for column in &table.columns {
            let name = column.name.as_str();
            let opens = ["secret", "password", "credential", "access_key", "token_hash", "code_hash"];
            if opens.iter().any(|word| name.contains(word)) && !column.secret {
                open.push(format!("{}.{name}", table.name));
            }
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn every_relationship_to_one_meets_at_most_one_row() {
    let catalogue = support::catalogue();
    let mut several = Vec::new();
    for table in &catalogue.tables {
        for relationship in table.relationships.iter().filter(|one| one.kind == RelationshipKind::One) {
            let target = catalogue.table(relationship.target);
            let mut columns = relationship.join.iter().map(|(_, there)| *there).collect::<Vec<_>>();
            columns.sort_unstable();
            let is_same = |unique: &[catalogue::ColumnId]| {
                let mut unique = unique.to_vec();
                unique.sort_unstable();
                unique == columns
            };
            if !is_same(&target.primary_key) && !target.unique.iter().any(|unique| is_same(&unique.columns)) {
                several.push(format!("{}.{}", table.name, relationship.name));
            }
        }
    }
    // The reference joins a person with one of their saved conversations, whichever comes first.
    assert_eq!(several, ["users.llm_conversation_saved"]);
}
