//! The product's catalogue is valid, and its access rules are complete.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod support;

use catalogue::{AccountScope, RelationshipKind, Scope, Table, TableKind};

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
    // The reference joins a user with one saved conversation, the first of possibly several.
    assert_eq!(several, ["users.llm_conversation_saved"]);
}

/// Tables with rows that users may see. Lookups are excluded: their access follows from their kind.
fn met(catalogue: &catalogue::Catalogue) -> impl Iterator<Item = &Table> {
    let tables = catalogue.tables.iter();
    tables.filter(|table| table.scope != Scope::Service && !matches!(table.kind, TableKind::Lookup { .. }))
}

#[test]
fn every_table_says_what_roles_over_accounts_meet() {
    let catalogue = support::catalogue();
    let undecided: Vec<&str> =
        met(&catalogue).filter(|table| table.account.is_none()).map(|table| table.name.as_str()).collect();
    assert_eq!(undecided, [""; 0], "add account: \"column or relationship\", account: none or account: all");
}

#[test]
fn who_has_an_account_is_met_by_account() {
    let catalogue = support::catalogue();
    let accounts = catalogue.find("cloud_accounts").unwrap();
    let mut forgotten = Vec::new();
    for table in met(&catalogue).filter(|table| table.name != "cloud_accounts") {
        let follows = matches!(table.account, Some(AccountScope::Column { .. } | AccountScope::Through(_)));
        for column in table.columns.iter().filter(|_| !follows) {
            let refers = column.references.as_ref().is_some_and(|reference| reference.table == accounts);
            let named = ["account", "account_id", "cloud_account", "cloud_account_id"];
            if refers || named.contains(&column.name.as_str()) {
                forgotten.push(format!("{}.{}", table.name, column.name));
            }
        }
    }
    assert_eq!(forgotten, [""; 0]);
}

#[test]
fn who_has_a_namespace_is_met_by_namespace() {
    let catalogue = support::catalogue();
    let mut forgotten = Vec::new();
    for table in met(&catalogue) {
        let decided = matches!(table.account, Some(AccountScope::Column { namespace: Some(_), .. }));
        let columns = table.columns.iter().filter(|column| column.name.contains("namespace") && !decided);
        forgotten.extend(columns.map(|column| format!("{}.{}", table.name, column.name)));
    }
    // A rule applies to a namespace but does not belong to it.
    assert_eq!(forgotten, ["event_triage_rules.match_namespace"]);
}

#[test]
fn only_the_own_rows_and_general_knowledge_are_for_every_role() {
    let catalogue = support::catalogue();
    let open: Vec<String> = met(&catalogue)
        .filter(|table| table.account == Some(AccountScope::All))
        .map(|table| match table.own_user_column.or(table.private_user_column) {
            Some(own) => format!("{} ({})", table.name, table.column(own).name),
            None => table.name.clone(),
        })
        .collect();
    assert_eq!(
        open,
        [
            "auto_playbook_actions",
            "autopilot_attributes",
            "cloud_resource_details",
            "knowledge_base",
            "private_view (user_id)",
            "default_view (user_id)",
            "tenant_users (user_id)",
            "user_roles (user_id)",
            "tenant",
        ]
    );
}
