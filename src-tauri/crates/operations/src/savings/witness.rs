//! Merges equal recommendations of several tools: the row of the other tool stays and lists all tools as its witnesses.

use super::duplicates::{COMPARED, DUPLICATE_NOTE, Duplicates};
use super::row::{Draft, RecommendationRow};
use analysis::savings::{Amount, SOURCE, Witness};
use catalogue::Decimal;
use graphql::Refusal;
use model::{Id, Json, Read, RecommendationStatusType as Status, Writer, row, tables::recommendation};
use std::collections::BTreeMap;
use store::query::Test;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Resources per query.
const BATCH: usize = 400;
const MEMBER: &str = "witnesses";

row! { struct Subject from recommendation { id, resource_id, cloud_account_id, account_object_id, status } }

/// Recommendations of other tools.
pub struct ForeignRecommendations {
    rows: Vec<RecommendationRow>,
    by_resource: BTreeMap<Uuid, Vec<usize>>,
    duplicates: Duplicates,
}

impl ForeignRecommendations {
    /// The open recommendations about the resources of the drafts, and those that already have witnesses.
    pub fn read(rows: &Transaction<'_>, drafts: &[Draft]) -> Result<Self, Refusal> {
        let mut found: BTreeMap<Uuid, RecommendationRow> = BTreeMap::new();
        let mut add = |one: RecommendationRow| {
            found.insert(one.id.uuid(), one);
        };
        let resources: Vec<_> = drafts.iter().filter_map(|draft| draft.resource).map(Id::new).collect();
        let foreign = recommendation::rule_version.is_null();
        for ids in resources.chunks(BATCH) {
            let about = recommendation::resource_id.one_of(ids.iter().copied());
            rows.query::<RecommendationRow>()
                .filter(foreign.clone())
                .filter(about)
                .rows()?
                .into_iter()
                .for_each(&mut add);
        }
        let named = Test::HasKeys { keys: vec![MEMBER.to_owned()], all: false };
        let named = rows
            .query::<RecommendationRow>()
            .filter(foreign)
            .filter(recommendation::recommendation.test(named));
        named.rows()?.into_iter().for_each(&mut add);
        repeated(rows)?.into_iter().for_each(&mut add);
        let rows: Vec<RecommendationRow> = found.into_values().collect();
        let mut by_resource: BTreeMap<Uuid, Vec<usize>> = BTreeMap::new();
        for (place, row) in rows.iter().enumerate() {
            if let Some(resource) = row.resource_id {
                by_resource.entry(resource.uuid()).or_default().push(place);
            }
        }
        let duplicates = Duplicates::among(&rows);
        Ok(Self { rows, by_resource, duplicates })
    }

    /// Archives duplicate rows and reopens rows that no other row represents any more. Returns the number of archived and of reopened rows.
    pub fn fold(&self, writer: &Writer<'_>) -> Result<(usize, usize), StoreError> {
        for (keeper, place) in &self.duplicates.archived {
            let (Some(keeper), Some(row)) = (self.rows.get(*keeper), self.rows.get(*place)) else { continue };
            let rule = keeper.rule_name.as_deref().unwrap_or("a recommendation");
            let note = format!("{DUPLICATE_NOTE}{rule} of {}, which names it as a witness.", keeper.tool());
            let patch = [recommendation::status.to(Status::Archive), recommendation::note.to(note)];
            writer.update(recommendation::id.eq(row.id), patch)?;
        }
        for row in self.duplicates.restored.iter().filter_map(|place| self.rows.get(*place)) {
            let patch = [recommendation::status.to(Status::Open), recommendation::note.to_null()];
            writer.update(recommendation::id.eq(row.id), patch)?;
        }
        Ok((self.duplicates.archived.len(), self.duplicates.restored.len()))
    }

    /// The index of an open row that recommends the same as the draft.
    pub fn same(&self, draft: &Draft) -> Option<usize> {
        let places = self.by_resource.get(&draft.resource?)?;
        places.iter().copied().find(|place| self.rows.get(*place).is_some_and(|row| is_same(row, draft)))
    }

    /// The id of the row at that index.
    pub fn id(&self, place: usize) -> Option<Uuid> {
        self.rows.get(place).map(|row| row.id.uuid())
    }

    /// The rows whose witnesses changed, with their new JSON.
    pub fn changes(&self, of: &BTreeMap<usize, Vec<&Draft>>) -> Vec<(Uuid, Json)> {
        let change = |(place, row): (usize, &RecommendationRow)| {
            let mut card = row.recommendation.value();
            let drafts = of.get(&place).map(Vec::as_slice).unwrap_or_default();
            let same = self.duplicates.of.get(&place).map(Vec::as_slice).unwrap_or_default();
            let others = same.iter().filter_map(|place| self.rows.get(*place));
            let has_some = !drafts.is_empty() || !same.is_empty();
            let witnesses = has_some.then(|| witnesses(row, others, drafts));
            let object = card.as_object_mut()?;
            let before = object.remove(MEMBER);
            let now = witnesses.and_then(|witnesses| serde_json::to_value(witnesses).ok());
            if before == now {
                return None;
            }
            object.extend(now.map(|now| (MEMBER.to_owned(), now)));
            Some((row.id.uuid(), Json::from(card)))
        };
        self.rows.iter().enumerate().filter_map(change).collect()
    }
}

fn foreign(row: &RecommendationRow) -> Witness {
    Witness {
        source: row.tool(),
        rule: row.rule_name.clone().unwrap_or_default(),
        estimated_savings: row.estimated_savings.filter(|sum: &Decimal| !sum.is_zero()).map(Amount),
        card: None,
    }
}

/// Rows of other tools in the compared categories whose subject has several rows, and rows archived as duplicates.
fn repeated(rows: &Transaction<'_>) -> Result<Vec<RecommendationRow>, Refusal> {
    /// The resource, or the account and the object's name.
    type About = Result<Uuid, (Uuid, Option<String>)>;
    let foreign = recommendation::rule_version.is_null().and(recommendation::category.one_of(COMPARED));
    let mut subjects: BTreeMap<About, Vec<Id<recommendation::Row>>> = BTreeMap::new();
    rows.query::<Subject>().filter(foreign).for_each(|row| {
        let subject =
            row.resource_id.map(Id::uuid).ok_or((row.cloud_account_id.uuid(), row.account_object_id));
        let is_archived = row.status == Some(Status::Archive);
        let ids = subjects.entry(subject).or_default();
        // An archived row counts twice, so that it is included even if it is the only one of its subject.
        ids.extend(std::iter::repeat_n(row.id, 1 + usize::from(is_archived)));
        Ok::<_, StoreError>(())
    })?;
    let ids: Vec<_> = subjects.into_values().filter(|ids| ids.len() > 1).flatten().collect();
    let mut found = Vec::new();
    for ids in ids.chunks(BATCH) {
        found.extend(
            rows.query::<RecommendationRow>()
                .filter(recommendation::id.one_of(ids.iter().copied()))
                .rows()?,
        );
    }
    Ok(found)
}

/// The tool that wrote the row, then other tools, then this product.
fn witnesses<'a>(
    row: &'a RecommendationRow,
    others: impl Iterator<Item = &'a RecommendationRow>,
    drafts: &[&Draft],
) -> Vec<Witness> {
    let mut witnesses: Vec<_> = std::iter::once(row).chain(others).map(foreign).collect();
    witnesses.extend(drafts.iter().map(|draft| Witness {
        source: SOURCE.to_owned(),
        rule: draft.rule_name.to_owned(),
        estimated_savings: Some(Amount(draft.savings)),
        card: Some(draft.card.clone()),
    }));
    witnesses
}

/// Whether a row of another tool recommends the same as a draft: the same change to the same resource, to save money.
fn is_same(row: &RecommendationRow, draft: &Draft) -> bool {
    let is_open =
        matches!(row.status.unwrap_or(Status::Open), Status::Open | Status::Assigned | Status::InProgress);
    let action = row.recommendation_action.as_str();
    let category = row.category.map_or("", |category| category.as_str());
    let is_stop = row.advises_stop();
    let is_size = |category: &str| matches!(category, "RightSizing" | "InfraUpgrade");
    is_open
        && !row.is_dismissed
        && category != "Security"
        && match draft.rule_name {
            "night_hours" => is_stop,
            // Every rule about a workload's settings is a separate finding.
            name if name.starts_with("k8s_") && draft.category == "Configuration" => false,
            _ if draft.action == "Delete" => action == "Delete" || is_stop,
            _ => {
                action == draft.action
                    && !is_stop
                    && (category == draft.category || (is_size(category) && is_size(draft.category)))
            }
        }
}
