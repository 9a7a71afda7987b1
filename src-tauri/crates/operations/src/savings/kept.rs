//! Updates a tenant's recommendations to match the findings.

use super::again::{Fate, LatestLook, found, vanished};
use super::row::{Advice, DAY, Draft, REOPENED, Reopening};
use super::witness::Others;
use crate::kit::writer;
use catalogue::Decimal;
use graphql::Refusal;
use model::tables::{cloud_accounts, recommendation, recommendation_assignment};
use model::{
    Assignment, Date, Id, Json, Patch, Read, RecommendationActionType, RecommendationCategoryType,
    RecommendationSeverityType, RecommendationStatusType as Status, Timestamp, Writer,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// The state of the data that was judged.
pub struct Surroundings {
    /// The day as of which the data was judged.
    pub today: i32,
    /// The newest bill day and cluster state of each account.
    pub shown: BTreeMap<Uuid, LatestLook>,
    /// Whether there is no newer data than that day.
    pub is_newest: bool,
}

impl Surroundings {
    fn shown(&self, account: Id<cloud_accounts::Row>) -> LatestLook {
        let shown = self.shown.get(&account.uuid()).copied().unwrap_or_default();
        LatestLook { is_newest: self.is_newest, ..shown }
    }
}

/// How many rows a run changed, by kind of change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
    pub reopened: usize,
    pub closed: usize,
    pub proved: usize,
}

/// A finding and its recommendation: its own row, or that of a tool that recommends the same.
pub struct FindingRecord {
    pub draft: Draft,
    pub id: Uuid,
    pub status: Status,
}

/// Stores the findings of a complete analysis and returns them with their rows. Recommendations whose finding was not found again are closed,
/// archived or removed.
pub fn write(
    rows: &Transaction<'_>,
    drafts: Vec<Draft>,
    around: &Surroundings,
) -> Result<(Changes, Vec<FindingRecord>), Refusal> {
    let (mut changes, told, gone) = add(rows, drafts, around)?;
    let (writer, now) = (writer(rows)?, rows.now());
    for kept in gone {
        part(&writer, &kept, around.shown(kept.cloud_account_id), now, &mut changes)?;
    }
    Ok((changes, told))
}

/// Stores the findings of a partial analysis. Also returns the recommendations that were not found again.
pub fn add(
    rows: &Transaction<'_>,
    drafts: Vec<Draft>,
    around: &Surroundings,
) -> Result<(Changes, Vec<FindingRecord>, Vec<Advice>), Refusal> {
    let drafts = unique(drafts);
    let own = rows.query::<Advice>().filter(recommendation::rule_version.is_not_null()).rows()?;
    let mut own: BTreeMap<Uuid, Advice> = own.into_iter().map(|row| (row.id.uuid(), row)).collect();
    let others = Others::read(rows, &drafts)?;
    let writer = writer(rows)?;
    let now = rows.now();
    let (mut changes, mut told) = (Changes::default(), Vec::new());
    let mut witnesses: BTreeMap<usize, Vec<&Draft>> = BTreeMap::new();
    for draft in &drafts {
        let kept = own.remove(&draft.id);
        let is_taken =
            kept.as_ref().is_some_and(|kept| kept.is_dismissed || kept.status != Some(Status::Open));
        if let Some(place) = others.same(draft).filter(|_| !is_taken) {
            witnesses.entry(place).or_default().push(draft);
            if kept.is_some() {
                writer.delete(recommendation::id.eq(Id::new(draft.id)))?;
                changes.removed += 1;
            }
            let id = others.id(place).unwrap_or(draft.id);
            told.push(FindingRecord { draft: draft.clone(), id, status: Status::Open });
            continue;
        }
        let status = match kept {
            None => {
                insert(&writer, draft)?;
                changes.added += 1;
                Status::Open
            }
            Some(kept) => meet(&writer, (&kept, draft), around, now, &mut changes)?,
        };
        told.push(FindingRecord { draft: draft.clone(), id: draft.id, status });
    }
    for (id, card) in others.changes(&witnesses) {
        writer.update(recommendation::id.eq(Id::new(id)), [recommendation::recommendation.to(card)])?;
        changes.updated += 1;
    }
    let (archived, restored) = others.fold(&writer)?;
    changes.closed += archived;
    changes.reopened += restored;
    Ok((changes, told, own.into_values().collect()))
}

/// The table has one row per rule, account, resource and object; of several drafts, the one with the largest saving stays.
fn unique(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut ids = BTreeSet::new();
    drafts.sort_by_key(|draft| std::cmp::Reverse(draft.savings));
    drafts.retain(|draft| ids.insert(draft.id));
    drafts
}

/// Updates a stored recommendation that was found again, and returns its new status.
fn meet(
    writer: &Writer<'_>,
    (kept, draft): (&Advice, &Draft),
    around: &Surroundings,
    now: i64,
    changes: &mut Changes,
) -> Result<Status, StoreError> {
    let status = kept.status.unwrap_or(Status::Open);
    let shown = around.shown(kept.cloud_account_id);
    let fate = found(kept, draft, shown, around.today);
    let reopened = match (&fate, shown.until(kept)) {
        (Fate::Reopen(_), Some(until)) if status == Status::Closed && !kept.is_dismissed => {
            serde_json::to_value(Reopening::of(kept, until)).ok()
        }
        (Fate::Refresh, _) => kept.recommendation.value().get(REOPENED).cloned(),
        _ => None,
    };
    let mut card = draft.card.clone();
    if let (Some(reopened), Some(members)) = (reopened, card.as_object_mut()) {
        members.insert(REOPENED.to_owned(), reopened);
    }
    let is_same = is_same(kept, draft, &card);
    let mut patch: Patch<recommendation::Row> = evidence(draft, &card).into_iter().collect();
    let after = match fate {
        Fate::CloseAgain(reopened) => {
            patch = closed_again(&reopened);
            changes.closed += 1;
            Status::Closed
        }
        Fate::Restore(before, note) => {
            patch.set(recommendation::status.to(before));
            patch.set(recommendation::note.to(note));
            patch.extend(not_closed());
            changes.reopened += 1;
            before
        }
        Fate::Reopen(note) => {
            patch.set(recommendation::status.to(Status::Open));
            patch.set(recommendation::is_dismissed.to(false));
            patch.set(recommendation::dismissed_reason.to_null());
            patch.set(recommendation::dismissed_until.to_null());
            patch.extend(not_closed());
            patch.set(recommendation::note.to(note));
            writer.delete(recommendation_assignment::recommendation_id.eq(kept.id))?;
            changes.reopened += 1;
            Status::Open
        }
        Fate::Refresh if !is_same => {
            changes.updated += 1;
            status
        }
        _ => return Ok(status),
    };
    patch.set(recommendation::updated_at.to(Timestamp(now)));
    writer.update(recommendation::id.eq(kept.id), patch)?;
    Ok(after)
}

/// The columns of a recommendation that is closed again as it was before data reopened it.
fn closed_again(reopened: &Reopening) -> Patch<recommendation::Row> {
    let mut patch = Patch::new();
    let savings = reopened.estimated_savings.as_deref().and_then(|text| Decimal::parse(text).ok());
    patch.set(recommendation::status.to(Status::Closed));
    patch.set(recommendation::closed_at.to_option(reopened.closed_at.map(Timestamp)));
    patch.set(recommendation::closed_bill_until.to_option(reopened.closed_bill_until.map(Date)));
    patch.set(recommendation::closing_data_until.to_option(reopened.closing_data_until.map(Timestamp)));
    patch.set(recommendation::status_before_closing.to_option(reopened.status_before_closing.clone()));
    patch.set(recommendation::note_before_closing.to_option(reopened.note_before_closing.clone()));
    patch.set(recommendation::note.to_option(reopened.note.clone()));
    patch.set(recommendation::estimated_savings.to_option(savings));
    patch.set(recommendation::recommendation.to(Json::from(&reopened.card)));
    patch
}

/// The columns of a recommendation that is no longer closed.
fn not_closed() -> [Assignment<recommendation::Row>; 5] {
    [
        recommendation::closed_at.to_null(),
        recommendation::closed_bill_until.to_null(),
        recommendation::closing_data_until.to_null(),
        recommendation::status_before_closing.to_null(),
        recommendation::note_before_closing.to_null(),
    ]
}

/// Updates a stored recommendation that was not found again.
fn part(
    writer: &Writer<'_>,
    kept: &Advice,
    shown: LatestLook,
    now: i64,
    changes: &mut Changes,
) -> Result<(), StoreError> {
    let version = kept.rule_name.as_deref().and_then(version_of);
    let is_same_version = version.is_some() && version == kept.rule_version;
    let mut patch: Patch<recommendation::Row> = Patch::new();
    match vanished(kept, shown, is_same_version) {
        Fate::Close(note) => {
            let evidence = kept.evidence();
            let seen_on = shown.seen_at.map(|at| i32::try_from(at.div_euclid(DAY)).unwrap_or(i32::MAX));
            // A cluster shows immediately that a machine is gone; its bill shows it later.
            let last = match evidence.seen_at() {
                Some(_) => seen_on,
                None => evidence.last_charge.as_deref().and_then(catalogue::parse_date),
            };
            patch.set(recommendation::status.to(Status::Closed));
            patch.set(recommendation::closed_at.to(Timestamp(now)));
            patch.set(recommendation::closed_bill_until.to_option(last.map(Date)));
            patch.set(recommendation::closing_data_until.to_option(shown.until(kept).map(Timestamp)));
            patch.set(recommendation::status_before_closing.to(kept.status.unwrap_or(Status::Open).as_str()));
            patch.set(recommendation::note_before_closing.to_option(kept.note.clone()));
            patch.set(recommendation::note.to(note));
            changes.closed += 1;
        }
        Fate::CloseAgain(reopened) => {
            patch = closed_again(&reopened);
            changes.closed += 1;
        }
        Fate::Archive(note) => {
            patch.set(recommendation::status.to(Status::Archive));
            patch.set(recommendation::note.to(note));
            changes.closed += 1;
        }
        Fate::Remove => {
            changes.removed += 1;
            return writer.delete(recommendation::id.eq(kept.id)).map(drop);
        }
        _ => return Ok(()),
    }
    patch.set(recommendation::updated_at.to(Timestamp(now)));
    writer.update(recommendation::id.eq(kept.id), patch).map(drop)
}

fn version_of(name: &str) -> Option<String> {
    analysis::savings::catalogue().find(|rule| rule.name == name).map(|rule| rule.version.to_string())
}

fn insert(writer: &Writer<'_>, draft: &Draft) -> Result<(), StoreError> {
    let mut cells = vec![
        recommendation::id.to(Id::new(draft.id)),
        recommendation::cloud_account_id.to(Id::new(draft.account)),
        recommendation::resource_id.to_option(draft.resource.map(Id::new)),
        recommendation::account_object_id.to(draft.object.as_str()),
        recommendation::rule_name.to(draft.rule_name),
        recommendation::status.to(Status::Open),
    ];
    cells.extend(evidence(draft, &draft.card));
    writer.insert(cells)
}

/// The columns that depend on the finding.
fn evidence(draft: &Draft, card: &serde_json::Value) -> Vec<Assignment<recommendation::Row>> {
    let category = RecommendationCategoryType::find(draft.category);
    let action = RecommendationActionType::find(draft.action).unwrap_or(RecommendationActionType::Modify);
    vec![
        recommendation::category.to(category.unwrap_or(RecommendationCategoryType::Cost)),
        recommendation::recommendation_action.to(action),
        recommendation::recommendation.to(Json::from(card)),
        recommendation::estimated_savings.to(draft.savings),
        recommendation::severity.to_option(RecommendationSeverityType::find(draft.severity)),
        recommendation::rule_version.to(draft.rule_version.as_str()),
    ]
}

fn is_same(kept: &Advice, draft: &Draft, card: &serde_json::Value) -> bool {
    kept.recommendation.value() == *card
        && kept.estimated_savings == Some(draft.savings)
        && kept.severity.map(RecommendationSeverityType::as_str) == Some(draft.severity)
        && kept.rule_version.as_deref() == Some(draft.rule_version.as_str())
}
