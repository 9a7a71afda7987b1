//! The same advice from several tools is one recommendation with several witnesses: the row of the tool stays, and says who else says so.

use super::row::{Advice, Draft};
use analysis::savings::{Amount, SOURCE, Witness};
use catalogue::Decimal;
use graphql::Refusal;
use model::{Id, Json, Read, RecommendationStatusType as Status, tables::recommendation};
use serde_json::Value;
use std::collections::BTreeMap;
use store::Transaction;
use store::query::Test;
use uuid::Uuid;

/// Resources whose recommendations are read at once.
const BATCH: usize = 400;
const MEMBER: &str = "witnesses";

/// Recommendations of other tools about resources.
pub struct Others {
    rows: Vec<Advice>,
    by_resource: BTreeMap<Uuid, Vec<usize>>,
}

impl Others {
    /// Those that are open and about the resources of the drafts, and those that name witnesses already.
    pub fn read(rows: &Transaction<'_>, drafts: &[Draft]) -> Result<Self, Refusal> {
        let mut found: BTreeMap<Uuid, Advice> = BTreeMap::new();
        let mut add = |one: Advice| {
            found.insert(one.id.uuid(), one);
        };
        let resources: Vec<_> = drafts.iter().filter_map(|draft| draft.resource).map(Id::new).collect();
        let foreign = recommendation::rule_version.is_null();
        for ids in resources.chunks(BATCH) {
            let about = recommendation::resource_id.one_of(ids.iter().copied());
            rows.query::<Advice>()
                .filter(foreign.clone())
                .filter(about)
                .rows()?
                .into_iter()
                .for_each(&mut add);
        }
        let named = Test::HasKeys { keys: vec![MEMBER.to_owned()], all: false };
        let named = rows.query::<Advice>().filter(foreign).filter(recommendation::recommendation.test(named));
        named.rows()?.into_iter().for_each(&mut add);
        let rows: Vec<Advice> = found.into_values().collect();
        let mut by_resource: BTreeMap<Uuid, Vec<usize>> = BTreeMap::new();
        for (place, row) in rows.iter().enumerate() {
            if let Some(resource) = row.resource_id {
                by_resource.entry(resource.uuid()).or_default().push(place);
            }
        }
        Ok(Self { rows, by_resource })
    }

    /// The place of an open one that advises the same.
    pub fn same(&self, draft: &Draft) -> Option<usize> {
        let places = self.by_resource.get(&draft.resource?)?;
        places.iter().copied().find(|place| self.rows.get(*place).is_some_and(|row| is_same(row, draft)))
    }

    /// Of the row at that place.
    pub fn id(&self, place: usize) -> Option<Uuid> {
        self.rows.get(place).map(|row| row.id.uuid())
    }

    /// The rows with the witnesses they should name by now, where these differ.
    pub fn changes(&self, of: &BTreeMap<usize, Vec<&Draft>>) -> Vec<(Uuid, Json)> {
        let change = |(place, row): (usize, &Advice)| {
            let mut card = row.recommendation.value();
            let witnesses = of.get(&place).map(|drafts| witnesses(row, &card, drafts));
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

/// The tool that wrote the row, then ours.
fn witnesses(row: &Advice, card: &Value, drafts: &[&Draft]) -> Vec<Witness> {
    let source = ["source", "tool"].iter().find_map(|name| card[*name].as_str()).unwrap_or("import");
    let savings = row.estimated_savings.filter(|sum: &Decimal| !sum.is_zero()).map(Amount);
    let mut witnesses = vec![Witness {
        source: source.to_owned(),
        rule: row.rule_name.clone().unwrap_or_default(),
        estimated_savings: savings,
        card: None,
    }];
    witnesses.extend(drafts.iter().map(|draft| Witness {
        source: SOURCE.to_owned(),
        rule: draft.rule_name.to_owned(),
        estimated_savings: Some(Amount(draft.savings)),
        card: Some(draft.card.clone()),
    }));
    witnesses
}

/// Whether a row of another tool advises what a draft does: the same is done to the same resource, for money.
fn is_same(row: &Advice, draft: &Draft) -> bool {
    let is_open =
        matches!(row.status.unwrap_or(Status::Open), Status::Open | Status::Assigned | Status::InProgress);
    let action = row.recommendation_action.as_str();
    let category = row.category.map_or("", |category| category.as_str());
    let rule = row.rule_name.as_deref().unwrap_or_default();
    let is_stop = rule.contains("Stop");
    let is_size = |category: &str| matches!(category, "RightSizing" | "InfraUpgrade");
    is_open
        && !row.is_dismissed
        && category != "Security"
        && match draft.rule_name {
            "night_hours" => is_stop,
            // Settings of a workload are as many as its rules.
            name if name.starts_with("k8s_") && draft.category == "Configuration" => false,
            _ if draft.action == "Delete" => action == "Delete" || is_stop,
            _ => {
                action == draft.action
                    && !is_stop
                    && (category == draft.category || (is_size(category) && is_size(draft.category)))
            }
        }
}
