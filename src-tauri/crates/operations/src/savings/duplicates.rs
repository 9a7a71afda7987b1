//! Merges equal recommendations of several other tools: one row stays and lists the others as its witnesses; the others are archived for as long
//! as it represents them.

pub use ingest::DUPLICATE_NOTE;

use super::row::{CLOSED_BY_IMPORT, RecommendationRow};
use model::{
    Id, RecommendationActionType as Action, RecommendationCategoryType as Category,
    RecommendationStatusType as Status,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The categories that are compared: recommendations about money that one change saves. Weaknesses and settings are excluded because every check
/// is a separate finding.
pub const COMPARED: [Category; 4] =
    [Category::Cost, Category::InfraUpgrade, Category::RightSizing, Category::K8sSpotRecommendation];

/// Duplicate rows, identified by their index.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// For each row that stays, its duplicates.
    pub of: BTreeMap<usize, Vec<usize>>,
    /// Pairs of the row that stays and the row to archive now.
    pub archived: Vec<(usize, usize)>,
    /// Rows to open again, because no row represents them any more.
    pub restored: Vec<usize>,
}

/// The change that a recommendation proposes.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// The resource is removed.
    End,
    /// The resource is resized or replaced by a newer one.
    Size {
        action: &'static str,
    },
    Other {
        action: &'static str,
        category: &'static str,
    },
}

/// The resource, or the account and the object's name; and the proposed change.
type Subject<'a> = (Result<Uuid, (Uuid, &'a str)>, Change);

impl Duplicates {
    /// Finds the duplicates among rows of other tools.
    pub fn among(rows: &[RecommendationRow]) -> Self {
        let mut subjects: BTreeMap<Subject<'_>, Vec<usize>> = BTreeMap::new();
        for (place, row) in rows.iter().enumerate() {
            if row.category.is_some_and(|category| COMPARED.contains(&category)) {
                subjects.entry(subject(row)).or_default().push(place);
            }
        }
        let mut found = Self::default();
        for places in subjects.into_values() {
            let same: Vec<_> =
                places.iter().filter_map(|place| rows.get(*place).map(|row| (*place, row))).collect();
            found.add(&same);
        }
        found
    }

    /// Adds a group of equal rows.
    fn add(&mut self, same: &[(usize, &RecommendationRow)]) {
        // Priority: the row furthest in progress, then the largest saving, then the first.
        let rank = |place: usize, row: &RecommendationRow| {
            Some((progress(row)?, row.estimated_savings, Reverse(place)))
        };
        let keeper = same
            .iter()
            .filter(|(place, row)| rank(*place, row).is_some())
            .max_by_key(|(place, row)| rank(*place, row));
        for (place, row) in same {
            let is_archived = is_archived(row);
            match keeper {
                Some((kept, _)) if kept == place => {}
                Some((kept, keeper)) if is_archived || stands_for(keeper, row) => {
                    self.of.entry(*kept).or_default().push(*place);
                    if !is_archived {
                        self.archived.push((*kept, *place));
                    }
                }
                None if is_archived && !same.iter().any(|(_, other)| settles(other, row)) => {
                    self.restored.push(*place);
                }
                _ => {}
            }
        }
    }
}

fn subject(row: &RecommendationRow) -> Subject<'_> {
    let object = row.account_object_id.as_deref().unwrap_or_default();
    let about = row.resource_id.map(Id::uuid).ok_or((row.cloud_account_id.uuid(), object));
    let action = row.recommendation_action;
    let change = match row.category {
        _ if action == Action::Delete || row.advises_stop() => Change::End,
        Some(Category::RightSizing | Category::InfraUpgrade) => Change::Size { action: action.as_str() },
        category => {
            Change::Other { action: action.as_str(), category: category.map_or("", Category::as_str) }
        }
    };
    (about, change)
}

/// How far an open recommendation has progressed; `None` if it is decided.
fn progress(row: &RecommendationRow) -> Option<u8> {
    match row.status.unwrap_or(Status::Open) {
        _ if row.is_dismissed => None,
        Status::Open => Some(0),
        Status::Assigned => Some(1),
        Status::InProgress => Some(2),
        Status::Closed | Status::Dismissed | Status::Archive => None,
    }
}

/// Whether the row was archived because another one represents it.
fn is_archived(row: &RecommendationRow) -> bool {
    row.status == Some(Status::Archive)
        && row.note.as_deref().is_some_and(|note| note.starts_with(DUPLICATE_NOTE))
}

/// Whether an import closed the recommendation while another one represented it. It is then not a saving of its own.
pub fn is_closed_duplicate(status: Option<Status>, note: Option<&str>) -> bool {
    status == Some(Status::Closed)
        && note.is_some_and(|note| note.starts_with(CLOSED_BY_IMPORT) && note.contains(DUPLICATE_NOTE))
}

/// Whether `keeper` may represent `row`: nobody has taken `row` up, and it comes from another tool.
fn stands_for(keeper: &RecommendationRow, row: &RecommendationRow) -> bool {
    progress(row) == Some(0) && keeper.tool() != row.tool()
}

/// Whether the decision about `decided` also applies to a row that it represented: no import has updated that row since the closing.
fn settles(decided: &RecommendationRow, row: &RecommendationRow) -> bool {
    match decided.status {
        Some(Status::Dismissed) => true,
        Some(Status::Closed) => decided.closed_at.is_some_and(|at| row.updated_at.micros() <= at.micros()),
        _ => decided.is_dismissed,
    }
}
