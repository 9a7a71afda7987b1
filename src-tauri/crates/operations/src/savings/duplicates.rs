//! The same advice of several other tools is one recommendation, too: one row stays and names the others as its witnesses; these are in the archive
//! for as long as it stands for them.

pub use ingest::SAME_ADVICE;

use super::row::{Advice, CLOSED_BY_IMPORT};
use model::{
    Id, RecommendationActionType as Action, RecommendationCategoryType as Category,
    RecommendationStatusType as Status,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What advice of this kind is about: money that a change of one thing saves. Weaknesses and settings are as many as the checks that find them.
pub const COMPARED: [Category; 4] =
    [Category::Cost, Category::InfraUpgrade, Category::RightSizing, Category::K8sSpotRecommendation];

/// Which rows stand for which; rows are named by their places.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Of each row that stays, those that say the same.
    pub of: BTreeMap<usize, Vec<usize>>,
    /// The one that stays and the one that goes to the archive now.
    pub archived: Vec<(usize, usize)>,
    /// Those that are open again: nothing stands for them any more.
    pub restored: Vec<usize>,
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// It is given up.
    End,
    /// It becomes larger, smaller or newer.
    Size {
        action: &'static str,
    },
    Other {
        action: &'static str,
        category: &'static str,
    },
}

/// The resource, or the account and the name in it; and what is to be done.
type Subject<'a> = (Result<Uuid, (Uuid, &'a str)>, Change);

impl Duplicates {
    /// Finds them among rows of other tools.
    pub fn among(rows: &[Advice]) -> Self {
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

    /// Rows that say the same.
    fn add(&mut self, same: &[(usize, &Advice)]) {
        // The one that somebody is on, then the one that saves most, then the first.
        let rank = |place: usize, row: &Advice| Some((progress(row)?, row.estimated_savings, Reverse(place)));
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

fn subject(row: &Advice) -> Subject<'_> {
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

/// How far an open one has come; none of one that is decided.
fn progress(row: &Advice) -> Option<u8> {
    match row.status.unwrap_or(Status::Open) {
        _ if row.is_dismissed => None,
        Status::Open => Some(0),
        Status::Assigned => Some(1),
        Status::InProgress => Some(2),
        Status::Closed | Status::Dismissed | Status::Archive => None,
    }
}

/// Whether another one has stood for it so far.
fn is_archived(row: &Advice) -> bool {
    row.status == Some(Status::Archive)
        && row.note.as_deref().is_some_and(|note| note.starts_with(SAME_ADVICE))
}

/// Whether an import closed it while another one stood for it: it is no saving of its own.
pub fn is_closed_duplicate(status: Option<Status>, note: Option<&str>) -> bool {
    status == Some(Status::Closed)
        && note.is_some_and(|note| note.starts_with(CLOSED_BY_IMPORT) && note.contains(SAME_ADVICE))
}

/// Whether the first stays in place of the other, which nobody has taken up.
fn stands_for(keeper: &Advice, row: &Advice) -> bool {
    progress(row) == Some(0) && keeper.tool() != row.tool()
}

/// Whether what was decided about the first holds for one that it stood for: nothing has told the other anew since it was closed.
fn settles(decided: &Advice, row: &Advice) -> bool {
    match decided.status {
        Some(Status::Dismissed) => true,
        Some(Status::Closed) => decided.closed_at.is_some_and(|at| row.updated_at.micros() <= at.micros()),
        _ => decided.is_dismissed,
    }
}
