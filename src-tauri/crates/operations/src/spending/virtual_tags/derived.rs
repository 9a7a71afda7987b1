//! Writes the values of virtual tags into the tags of charges, with one statement, whenever charges or rules change. Charges that already have
//! the right values are not written.

use super::super::charges::Charges;
use super::rule::{self, TABLE, VirtualTag};
use catalogue::{Caller, Value};
use graphql::Refusal;
use model::tables::virtual_tag_key;
use model::{Id, Read, VirtualTagKey, Writer, row};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use store::query::{Filter, Operator, Test};
use store::{Member, Store, StoreError, Transaction};
use uuid::Uuid;

/// The charges whose virtual tags may be outdated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaggedCharges {
    All,
    /// Those that begin between these times, µs since 1970 UTC; all if tag definitions changed.
    Between(i64, i64),
    /// All charges if tag definitions changed; otherwise none.
    OfChangedTags,
}

/// Updates the virtual tags of a tenant's charges and returns the number of charges written. Blocks.
pub(crate) fn refresh(store: &Store, tenant: Uuid, which: TaggedCharges) -> Result<u64, StoreError> {
    let system = Caller::system_for(tenant);
    let look = |rows: &Transaction<'_>| -> Result<bool, Refusal> {
        let tags = rule::active(rows)?;
        let written = written(rows)?;
        Ok(match which {
            TaggedCharges::OfChangedTags => have_changed(&tags, &written),
            _ => !tags.is_empty() || !written.is_empty(),
        })
    };
    if !store.snapshot(&system, look).map_err(Refusal::into_error)? {
        return Ok(0);
    }
    store.transaction(&system, |rows| write(&rows.without_actor(), which)).map_err(Refusal::into_error)
}

row! { struct WrittenTag from virtual_tag_key { id, key, written } }

/// The definition that was last written for each key, with the id of its row.
fn written(rows: &Transaction<'_>) -> Result<BTreeMap<String, (Id<VirtualTagKey>, Json)>, Refusal> {
    let found = rows.query::<WrittenTag>().rows()?;
    Ok(found.into_iter().map(|tag| (tag.key, (tag.id, tag.written.value()))).collect())
}

fn have_changed(tags: &[VirtualTag], written: &BTreeMap<String, (Id<VirtualTagKey>, Json)>) -> bool {
    let is_written = |tag: &VirtualTag| written.get(&tag.key).is_some_and(|(_, json)| *json == tag.written);
    tags.len() != written.len() || !tags.iter().all(is_written)
}

fn write(rows: &Transaction<'_>, which: TaggedCharges) -> Result<u64, Refusal> {
    let tags = rule::active(rows)?;
    let mut written = written(rows)?;
    let charges = Charges::at(rows)?;
    let mut members = tags.iter().map(|tag| tag.member(&charges)).collect::<Result<Vec<_>, _>>()?;
    let gone = written.keys().filter(|key| !tags.iter().any(|tag| tag.key == **key));
    members.extend(gone.map(|key| Member { key: VirtualTag::key_in_tags(key), values: Vec::new() }));
    let look_at_resources = tags.iter().any(|tag| tag.rules.look_at_resources());
    let filter = match which {
        TaggedCharges::Between(from, until) if !look_at_resources && !have_changed(&tags, &written) => {
            let time = |operator, time| Test::Compare(operator, Value::Timestamp(time));
            let bounds = vec![time(Operator::GreaterOrEqual, from), time(Operator::LessOrEqual, until)];
            charges.test("date", Test::All(bounds))?
        }
        _ => Filter::And(Vec::new()),
    };
    let count = rows.set_members(&charges.table.name, "tags", &members, &filter)?;
    let writer = Writer::derived(rows)?;
    for tag in &tags {
        let cells = [
            virtual_tag_key::written.to(model::Json::from(&tag.written)),
            virtual_tag_key::version.to(Uuid::new_v4()),
        ];
        match written.remove(&tag.key) {
            Some((_, known)) if count == 0 && known == tag.written => {}
            Some((id, _)) => drop(writer.update(virtual_tag_key::id.eq(id), cells)?),
            None => {
                let key = virtual_tag_key::key.to(tag.key.as_str());
                writer.insert(cells.into_iter().chain([key]))?;
            }
        }
    }
    for (id, _) in written.into_values() {
        writer.delete(virtual_tag_key::id.eq(id))?;
    }
    tracing::debug!(count, table = TABLE, "values of virtual tags were written");
    Ok(count)
}
