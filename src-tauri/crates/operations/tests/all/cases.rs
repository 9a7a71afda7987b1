//! Every operation and listing has its cases in `tests/cases`.

use crate::house::catalogue;
use regex::Regex;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// Typical, filtered or grouped, wrong.
const LEAST: usize = 3;

#[test]
fn every_operation_has_three_cases_and_one_of_them_is_wrong() {
    let catalogue = catalogue();
    let names = catalogue.operations.iter().map(|operation| operation.name.as_str());
    let names = names.chain(catalogue.listings.iter().map(|listing| listing.name.as_str()));
    let mut cases: BTreeMap<&str, (usize, usize)> = names.map(|name| (name, (0, 0))).collect();
    let field = Regex::new(r"[A-Za-z_]\w*").unwrap();
    for case in folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases")) {
        let Ok(query) = std::fs::read_to_string(case.join("query.graphql")) else { continue };
        let answer = std::fs::read_to_string(case.join("expect.json")).unwrap();
        let is_wrong = answer.contains("\"errors\"");
        let mentioned: HashSet<&str> = field.find_iter(&query).map(|name| name.as_str()).collect();
        for name in mentioned {
            if let Some((all, wrong)) = cases.get_mut(name) {
                *all += 1;
                *wrong += usize::from(is_wrong);
            }
        }
    }
    // It takes nothing that could be wrong; who is not signed in is refused before it.
    cases.remove("users_list_token");
    let few: Vec<_> = cases.iter().filter(|(_, (all, wrong))| *all < LEAST || *wrong == 0).collect();
    assert!(few.is_empty(), "operations with fewer than {LEAST} cases, or none that is refused: {few:?}");
}

/// The folders of all areas.
fn folders(cases: &Path) -> Vec<PathBuf> {
    let within = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    within(cases).iter().flat_map(|area| within(area)).collect()
}
