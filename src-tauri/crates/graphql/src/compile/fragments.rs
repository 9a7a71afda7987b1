//! Detects recursive fragments.

use crate::error::{GraphqlError, Path};
use async_graphql_parser::types::{ExecutableDocument, Selection, SelectionSet};
use std::collections::{BTreeMap, HashMap};

/// Refuses a document in which a fragment spreads itself, directly or indirectly.
pub(super) fn check(document: &ExecutableDocument) -> Result<(), GraphqlError> {
    // For each fragment, those that spread it; and for each, how many of its spreads are not yet known to terminate.
    let mut spread_in: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, fragment) in &document.fragments {
        let mut inner = Vec::new();
        gather(&fragment.node.selection_set.node, &mut inner);
        inner.retain(|next| document.fragments.contains_key(*next));
        open.insert(name.as_str(), inner.len());
        for next in inner {
            spread_in.entry(next).or_default().push(name.as_str());
        }
    }
    let mut ending: Vec<&str> =
        open.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    while let Some(name) = ending.pop() {
        open.remove(name);
        for outer in spread_in.get(name).into_iter().flatten() {
            if let Some(count) = open.get_mut(outer) {
                *count -= 1;
                if *count == 0 {
                    ending.push(outer);
                }
            }
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = open.keys().map(|name| format!("\"{name}\"")).collect();
    Err(Path::ROOT.join("query").invalid(format!(
        "fragments must not lead back to themselves: {} do, or lead to one that does",
        names.join(", ")
    )))
}

fn gather<'a>(set: &'a SelectionSet, found: &mut Vec<&'a str>) {
    for item in &set.items {
        match &item.node {
            Selection::Field(field) => gather(&field.node.selection_set.node, found),
            Selection::FragmentSpread(spread) => found.push(spread.node.fragment_name.node.as_str()),
            Selection::InlineFragment(fragment) => gather(&fragment.node.selection_set.node, found),
        }
    }
}
