//! Links between agents and knowledge bases: an agent may use the linked ones.

use super::agents::agent_named;
use crate::kit::in_account::{
    Data, DataOnly, Object, Place, Removal, argument, data, filled, id, sort_by_text, within,
};
use crate::knowledge::content;
use crate::knowledge::document_store::{Document, KNOWLEDGE_BASES};
use catalogue::Right;
use graphql::{Call, Refusal};
use model::tables::llm_knowledgebase_agent;
use model::{Id, LlmAgent, Read as _, count, row};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use store::eq;
use uuid::Uuid;

const TABLE: &str = "llm_knowledgebase_agent";
const COLUMNS: [&str; 7] =
    ["kb_id", "agent_id", "account_id", "created_by", "updated_by", "created_at", "updated_at"];

row! { struct Link from llm_knowledgebase_agent { kb_id } }

#[derive(Deserialize)]
struct Request {
    account_id: String,
    id: Option<String>,
    kb_id: Option<String>,
    agent_id: Option<String>,
}

/// The number of knowledge bases of an agent.
#[derive(Serialize)]
pub(super) struct AgentCount {
    agent_id: Id<LlmAgent>,
    kb_count: i64,
}

/// A link that was deleted.
#[derive(Serialize)]
pub(super) struct LinkRemoval {
    kb_id: Uuid,
    agent_id: Uuid,
    success: bool,
}

/// A document of an agent.
#[derive(Serialize)]
pub(super) struct AgentDocument {
    kb_id: Uuid,
    agent_id: Uuid,
}

/// Reads a knowledge base by its id. The contract calls this field "knowledge bases mapped to an
/// agent": for the id of an agent, it returns the knowledge base linked last.
pub(super) fn get_kb(call: &Call<'_>) -> Result<Data<Object>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let own = id("id", request.id.as_deref().unwrap_or_default())?;
        let latest = place
            .rows
            .query::<Link>()
            .filter(llm_knowledgebase_agent::account_id.eq(place.account))
            .filter(llm_knowledgebase_agent::agent_id.eq(own))
            .order(llm_knowledgebase_agent::created_at.desc())
            .first()?;
        Ok(data(KNOWLEDGE_BASES.read(place, latest.map_or(own, |link| link.kb_id.uuid()))?))
    })
}

/// Deletes a knowledge base. Its links are deleted first to write them to the audit trail.
pub(super) fn delete_kb(call: &Call<'_>) -> Result<Data<Removal>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let own = id("id", request.id.as_deref().unwrap_or_default())?;
        place.rows.delete(TABLE, &[eq("account_id", place.account), eq("kb_id", own)])?;
        KNOWLEDGE_BASES.remove(place, own)
    })
}

/// The knowledge bases of an agent, without their texts.
pub(super) fn list_agent_kbs(call: &Call<'_>) -> Result<Data<Vec<Object>>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let agent = agent_named(place, request.agent_id.as_deref().unwrap_or_default())?;
        let mut all = Vec::new();
        for link in place.objects(TABLE, &["kb_id"], &[eq("agent_id", agent)])? {
            let kb = id("kb_id", link.get("kb_id").and_then(Value::as_str).unwrap_or_default())?;
            all.push(place.object(
                KNOWLEDGE_BASES.table,
                KNOWLEDGE_BASES.columns_without_text(),
                KNOWLEDGE_BASES.noun,
                kb,
            )?);
        }
        sort_by_text(&mut all, "name");
        Ok(data(all))
    })
}

/// The number of knowledge bases of each agent.
pub(super) fn list_counts(call: &Call<'_>) -> Result<Data<Vec<AgentCount>>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let agent = llm_knowledgebase_agent::agent_id.key();
        let counts = place
            .rows
            .query::<Link>()
            .filter(llm_knowledgebase_agent::account_id.eq(place.account))
            .group((agent.clone(), count()))
            .asc(agent)
            .rows()?;
        let count = |(agent_id, kb_count): (Id<LlmAgent>, i64)| AgentCount { agent_id, kb_count };
        Ok(data(counts.into_iter().map(count).collect::<Vec<_>>()))
    })
}

pub(super) fn list_kb_agents(call: &Call<'_>) -> Result<Data<Vec<Object>>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let kb = id("kb_id", request.kb_id.as_deref().unwrap_or_default())?;
        place.object(KNOWLEDGE_BASES.table, &["id"], KNOWLEDGE_BASES.noun, kb)?;
        let links = place.objects(TABLE, &COLUMNS, &[eq("kb_id", kb)])?;
        Ok(data(named(place, links)?))
    })
}

pub(super) fn list_mappings(call: &Call<'_>) -> Result<Data<Vec<Object>>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let names: HashMap<Value, Value> = place
            .objects(KNOWLEDGE_BASES.table, &["id", "name"], &[])?
            .into_iter()
            .filter_map(|mut kb| kb.remove("id").zip(kb.remove("name")))
            .collect();
        let mut links = place.objects(TABLE, &COLUMNS, &[])?;
        for link in &mut links {
            let name = link.get("kb_id").and_then(|kb| names.get(kb)).cloned().unwrap_or_default();
            link.insert("kb_name".to_owned(), name);
        }
        sort_by_text(&mut links, "kb_name");
        Ok(data(named(place, links)?))
    })
}

/// The links with names of users instead of their ids (semantics §12), sorted by knowledge base and agent.
fn named(place: &Place<'_>, mut links: Vec<Object>) -> Result<Vec<Object>, Refusal> {
    let name = |link: &Object| link.get("kb_name").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let agent = |link: &Object| link.get("agent_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    links.sort_by_cached_key(|link| (name(link), agent(link)));
    for link in &mut links {
        for column in ["created_by", "updated_by"] {
            let person = link.get(column).and_then(Value::as_str).and_then(|id| id.parse().ok());
            if let Some(person) = person {
                link.insert(column.to_owned(), place.person_name(person)?.into());
            }
        }
    }
    Ok(links)
}

/// The ids of both ends of a link, which must exist.
fn ends(place: &Place<'_>, request: &Request) -> Result<(Uuid, Uuid), Refusal> {
    let kb = id("kb_id", request.kb_id.as_deref().unwrap_or_default())?;
    place.object(KNOWLEDGE_BASES.table, &["id"], KNOWLEDGE_BASES.noun, kb)?;
    let agent = agent_named(place, request.agent_id.as_deref().unwrap_or_default())?;
    Ok((kb, agent))
}

/// Links a knowledge base to an agent. Linking them again has no effect.
pub(super) fn map(call: &Call<'_>) -> Result<Data<Option<Object>>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let (kb, agent) = ends(place, &request)?;
        link(place, kb, agent)?;
        let links = place.objects(TABLE, &COLUMNS, &[eq("kb_id", kb), eq("agent_id", agent)])?;
        Ok(data(named(place, links)?.pop()))
    })
}

pub(super) fn unmap(call: &Call<'_>) -> Result<Data<LinkRemoval>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let (kb, agent) = ends(place, &request)?;
        match place.rows.delete(TABLE, &[eq("kb_id", kb), eq("agent_id", agent)])? {
            0 => {
                let message = format!("knowledge base {kb} is not mapped to agent {agent}");
                Err(Refusal::not_found(message))
            }
            _ => Ok(data(LinkRemoval { kb_id: kb, agent_id: agent, success: true })),
        }
    })
}

fn link(place: &Place<'_>, kb: Uuid, agent: Uuid) -> Result<(), Refusal> {
    if place.rows.count(TABLE, &[eq("kb_id", kb), eq("agent_id", agent)])? > 0 {
        return Ok(());
    }
    place.rows.insert(
        TABLE,
        &[
            ("account_id", place.account.into()),
            ("kb_id", kb.into()),
            ("agent_id", agent.into()),
            ("created_by", place.person.into()),
            ("updated_by", place.person.into()),
        ],
    )?;
    Ok(())
}

/// Stores a document submitted with an agent, and links both. By default the format follows from the file name.
pub(crate) fn keep_for_agent(
    place: &Place<'_>,
    agent: Uuid,
    agent_name: &str,
    text: &str,
    file_name: Option<&str>,
    format: Option<&str>,
) -> Result<Uuid, Refusal> {
    let file_name = file_name.map_or("document", str::trim);
    let document = Document {
        name: &name_of(agent_name, file_name),
        description: None,
        file_name,
        format: format.unwrap_or_else(|| content::format_of(file_name)),
        data: text,
    };
    let kb = KNOWLEDGE_BASES.insert(place, &document)?;
    link(place, kb, agent)?;
    Ok(kb)
}

/// The name of an agent's document: the names of the agent and the file, without characters that are not allowed.
fn name_of(agent: &str, file: &str) -> String {
    let allowed =
        |c: char| if c.is_ascii_alphanumeric() || [' ', '-', '_', ':'].contains(&c) { c } else { '-' };
    format!("{agent}: {file}").chars().map(allowed).take(100).collect()
}

#[derive(Deserialize)]
struct Rag {
    account_id: String,
    agent: String,
    data: String,
    file_name: Option<String>,
    format: Option<String>,
}

pub(super) fn create_rag(call: &Call<'_>) -> Result<DataOnly<AgentDocument>, Refusal> {
    let request: Rag = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let name = filled("agent", &request.agent)?;
        let agent = agent_named(place, name)?;
        let (file, format) = (request.file_name.as_deref(), request.format.as_deref());
        let kb = keep_for_agent(place, agent, name, &request.data, file, format)?;
        Ok(DataOnly { data: AgentDocument { kb_id: kb, agent_id: agent } })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_of_an_agent_is_named_after_both() {
        assert_eq!(name_of("Cost expert", "prices 2026.csv"), "Cost expert: prices 2026-csv");
        assert_eq!(name_of("Cost expert", &"é".repeat(200)).len(), 100);
    }
}
