//! Finds passages that match a question by words and by meaning, and merges both lists by reciprocal-rank fusion.

use super::passage_store::PASSAGES;
use crate::kit::in_account::{Data, Place, argument, data, filled, id, place_of, within};
use crate::kit::reply;
use crate::model_access::Models;
use catalogue::Right;
use graphql::{Call, PreTransactionCall, Refusal};
use model::operations::{KBPassage, SearchKBData};
use model::tables::{llm_knowledgebase, llm_passage};
use model::{LlmPassage, Number, Read as _, row};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use store::one_of;
use uuid::Uuid;

/// Number of candidates fetched by each search method per requested result.
const CANDIDATES_PER_RESULT: usize = 4;
/// The usual constant of reciprocal-rank fusion; it reduces the weight of the first ranks.
const RRF_K: f64 = 60.0;
const MAX_LIMIT: usize = 50;

/// A passage that was found.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    pub id: Uuid,
    pub kb: Uuid,
    pub kb_name: String,
    pub number: i64,
    pub place: String,
    pub text: String,
    pub score: f64,
}

/// The embedding of a question.
pub(crate) struct QuestionEmbedding {
    pub model: String,
    pub vector: Vec<f32>,
}

/// Embeds a question, if a local embedding model is set up. Questions are not sent to a remote
/// model for searching. The search by words works without an embedding.
pub(crate) fn embed_question(models: &dyn Models, question: &str) -> Option<QuestionEmbedding> {
    let who = models.embedder().ok().filter(|who| who.is_local)?;
    let vector = models.embed(&who, &[question.to_owned()]).ok()?.pop()?;
    Some(QuestionEmbedding { model: who.model, vector })
}

#[derive(Deserialize)]
struct Request {
    account_id: String,
    kb_ids: Option<Vec<String>>,
    limit: Option<usize>,
    query: String,
}

/// A validated search request.
struct SearchRequest {
    account: String,
    query: String,
    only: Option<Vec<Uuid>>,
    limit: usize,
}

impl SearchRequest {
    fn read(request: Request) -> Result<Self, Refusal> {
        let limit = request.limit.unwrap_or(8);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Refusal::invalid(format!("limit is {limit}: expected 1 to {MAX_LIMIT}")));
        }
        let query = filled("query", &request.query)?.to_owned();
        let ids = |all: Vec<String>| all.iter().map(|kb| id("kb_ids", kb)).collect::<Result<Vec<_>, _>>();
        Ok(Self { account: request.account_id, query, only: request.kb_ids.map(ids).transpose()?, limit })
    }

    fn answer(
        &self,
        place: &Place<'_>,
        embedding: Option<&QuestionEmbedding>,
    ) -> Result<Data<SearchKBData>, Refusal> {
        let passages = search(place, &self.query, self.only.as_deref(), embedding, self.limit)?;
        let passages = passages.into_iter().map(shown).collect();
        Ok(data(SearchKBData { by_meaning: embedding.is_some(), passages }))
    }
}

/// Handles `ai_search_kb` before the transaction: searches by words, and by meaning if a local embedding model is set up.
pub(crate) fn find_pre_transaction(
    ahead: &PreTransactionCall<'_>,
    models: &dyn Models,
) -> Result<Value, Refusal> {
    let request = ahead.arguments.get("request").unwrap_or(&Value::Null);
    let request = Request::deserialize(request)
        .map_err(|error| Refusal::invalid(format!("{}(request): {error}", ahead.name)))?;
    let sought = SearchRequest::read(request)?;
    let embedding = embed_question(models, &sought.query);
    ahead.engine.store().snapshot(ahead.caller, |rows| {
        place_of(ahead.caller, rows, Right::Read, &sought.account, |place| {
            reply(&sought.answer(place, embedding.as_ref())?)
        })
    })
}

/// Handles `ai_search_kb` inside a request that calls no model: searches by words only.
pub(super) fn find(call: &Call<'_>) -> Result<Data<SearchKBData>, Refusal> {
    let sought = SearchRequest::read(argument(call, "request")?)?;
    within(call, Right::Read, &sought.account, |place| sought.answer(place, None))
}

fn shown(passage: Passage) -> KBPassage {
    KBPassage {
        id: passage.id.to_string(),
        kb_id: passage.kb.to_string(),
        kb_name: passage.kb_name,
        number: passage.number,
        place: passage.place,
        score: Number::Float(passage.score),
        text: passage.text,
    }
}

row! { struct BaseName from llm_knowledgebase { id, name } }

/// Returns the best-matching passages of the account's active knowledge bases.
pub(crate) fn search(
    place: &Place<'_>,
    question: &str,
    only: Option<&[Uuid]>,
    embedding: Option<&QuestionEmbedding>,
    limit: usize,
) -> Result<Vec<Passage>, Refusal> {
    let mut names: HashMap<Uuid, String> = HashMap::new();
    let active = place
        .rows
        .query::<BaseName>()
        .filter(llm_knowledgebase::account_id.eq(place.account))
        .filter(llm_knowledgebase::status.eq("active"))
        .filter_some(only.map(|only| llm_knowledgebase::id.one_of(only.iter().copied())));
    for base in active.rows()? {
        names.insert(base.id.uuid(), base.name);
    }
    let mut bases: Vec<Uuid> = names.keys().copied().collect();
    bases.sort_unstable();
    let among = one_of("kb_id", bases.iter().map(|id| (*id).into()).collect());
    let each = limit * CANDIDATES_PER_RESULT;
    let by_words = place.rows.find_words(PASSAGES, &[among], question, each)?;
    let by_meaning = match embedding {
        Some(embedding) => place.rows.nearest(PASSAGES, &bases, &embedding.model, &embedding.vector, each)?,
        None => Vec::new(),
    };
    // A similarity of 0 or below means the passage has nothing in common with the question.
    let fits = by_meaning.into_iter().filter(|near| near.likeness > 0.0);
    let by_meaning: Vec<Uuid> = fits.map(|near| near.key).collect();
    let best = fuse(&[&by_words, &by_meaning], limit);
    let found = place
        .rows
        .query::<LlmPassage>()
        .filter(llm_passage::id.one_of(best.iter().map(|(key, _)| *key)))
        .filter(llm_passage::account_id.eq(place.account));
    let mut passages = Vec::with_capacity(best.len());
    for row in found.rows()? {
        let id = row.id.uuid();
        let score = best.iter().find(|(key, _)| *key == id).map_or(0.0, |(_, score)| *score);
        passages.push(Passage {
            id,
            kb: row.kb_id.uuid(),
            kb_name: names.get(&row.kb_id.uuid()).cloned().unwrap_or_default(),
            number: row.number,
            place: row.place,
            text: row.text,
            score,
        });
    }
    passages.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.id.cmp(&other.id)));
    Ok(passages)
}

/// Reciprocal-rank fusion: keys ranked high in several lists come first. Equal scores are ordered by id.
fn fuse(lists: &[&[Uuid]], limit: usize) -> Vec<(Uuid, f64)> {
    let mut scores: HashMap<Uuid, f64> = HashMap::new();
    for list in lists {
        let mut rank = RRF_K;
        for key in *list {
            rank += 1.0;
            *scores.entry(*key).or_default() += 1.0 / rank;
        }
    }
    let mut all: Vec<(Uuid, f64)> = scores.into_iter().collect();
    all.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    all.truncate(limit);
    all
}

#[cfg(test)]
mod tests {
    use super::fuse;
    use uuid::Uuid;

    #[test]
    fn what_both_ways_find_stands_before_what_one_finds_first() {
        let id = Uuid::from_u128;
        let found = fuse(&[&[id(1), id(2)], &[id(3), id(2)]], 3);
        assert_eq!(found.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [id(2), id(1), id(3)]);
    }
}
