//! Stores the passages of documents, and processes documents whose passages are still missing.

use super::passages::{Piece, cut, cut_pages};
use super::pdf;
use crate::model_access::{Models, Who};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalogue::{Caller, ValueRef};
use graphql::Refusal;
use model::tables::{llm_knowledgebase, llm_passage};
use model::{LlmKnowledgebase, Read as _, row};
use std::time::Duration;
use store::{Store, Transaction, eq};
use uuid::Uuid;

pub(super) const PASSAGES: &str = "llm_passage";
const DOCUMENTS: &str = "llm_knowledgebase";
/// The status of a document that is waiting to be read.
const PROCESSING: &str = "processing";
/// Maximum time to read one PDF.
const READ_TIMEOUT: Duration = Duration::from_mins(1);

row! { struct DocumentVersion from llm_knowledgebase { id, tenant_id, status, updated_at } }
row! { struct PassageText from llm_passage { id, text } }

/// Replaces the passages of a document. A PDF is left to [`process_next`], because reading one takes long.
pub(crate) fn replace_passages(
    rows: &Transaction<'_>,
    account: Uuid,
    id: Uuid,
    format: &str,
    data: &str,
) -> Result<(), Refusal> {
    if format == "pdf" {
        let set = [
            ("status", PROCESSING.into()),
            ("status_reason", ValueRef::Null),
            ("passages", ValueRef::Int(0)),
        ];
        rows.delete(PASSAGES, &[eq("kb_id", id)])?;
        rows.update(DOCUMENTS, &[eq("id", id)], &set)?;
        return Ok(());
    }
    store_passages(rows, account, id, Ok(&cut(format, data)))
}

/// Replaces the stored passages, or stores the reason why there are none.
fn store_passages(
    rows: &Transaction<'_>,
    account: Uuid,
    id: Uuid,
    pieces: Result<&[Piece], &str>,
) -> Result<(), Refusal> {
    rows.delete(PASSAGES, &[eq("kb_id", id)])?;
    for (number, piece) in (1_i64..).zip(pieces.unwrap_or_default()) {
        rows.insert(
            PASSAGES,
            &[
                ("account_id", account.into()),
                ("kb_id", id.into()),
                ("number", number.into()),
                ("place", piece.place.as_str().into()),
                ("text", piece.text.as_str().into()),
            ],
        )?;
    }
    let count = i64::try_from(pieces.map_or(0, <[Piece]>::len)).unwrap_or(i64::MAX);
    let (status, why) = match pieces {
        Ok([]) => ("error", Some("there is no text in it")),
        Ok(_) => ("active", None),
        Err(why) => ("error", Some(why)),
    };
    let set = [
        ("status", status.into()),
        ("status_reason", why.map_or(ValueRef::Null, ValueRef::Text)),
        ("passages", count.into()),
        ("embedded_by", ValueRef::Null),
    ];
    rows.update(DOCUMENTS, &[eq("id", id)], &set)?;
    Ok(())
}

/// Does one unit of background work: reads one waiting document and stores its passages, or else embeds the
/// passages of one document if a local embedding model is set up. Returns whether there was something to do.
pub(crate) fn process_next(store: &Store, models: &dyn Models) -> Result<bool, Refusal> {
    if read_one(store)? {
        return Ok(true);
    }
    // Documents are not sent to a remote embedding model; without a local one, search uses words only.
    match models.embedder() {
        Ok(who) if who.is_local => embed_one(store, models, &who),
        _ => Ok(false),
    }
}

/// Embeds the passages of one document. Returns `false` if all documents already have vectors from this model.
fn embed_one(store: &Store, models: &dyn Models, who: &Who) -> Result<bool, Refusal> {
    let first = store.snapshot(&Caller::system(), |rows| {
        let without = llm_knowledgebase::embedded_by
            .is_null()
            .or(llm_knowledgebase::embedded_by.ne(who.model.as_str()));
        let waiting = rows
            .query::<DocumentVersion>()
            .filter(llm_knowledgebase::status.eq("active"))
            .filter(without)
            .order(llm_knowledgebase::id.asc());
        let Some(document) = waiting.first()? else { return Ok(None) };
        let own = llm_passage::kb_id.eq(document.id);
        let passages = rows.query::<PassageText>().filter(own).rows()?;
        Ok::<_, Refusal>(Some((document, passages)))
    })?;
    let Some((document, passages)) = first else { return Ok(false) };
    let (keys, texts): (Vec<Uuid>, Vec<String>) =
        passages.into_iter().map(|passage| (passage.id.uuid(), passage.text)).unzip();
    let made = models.embed(who, &texts);
    store.transaction(&Caller::system_for(document.tenant_id.uuid()), |rows| {
        let known = rows.find::<DocumentVersion>(document.id)?;
        if known.is_none_or(|known| known.updated_at != document.updated_at) {
            return Ok(());
        }
        let why = match &made {
            Ok(vectors) => {
                let vectors: Vec<(Uuid, Vec<f32>)> =
                    keys.iter().copied().zip(vectors.iter().cloned()).collect();
                rows.keep_vectors(PASSAGES, document.id.uuid(), &who.model, &vectors)?;
                None
            }
            // The document can still be searched by words. Embedding is retried when the document or the model changes.
            Err(failure) => Some(format!("it is searched by its words only: {}", failure.message)),
        };
        let set = [
            ("embedded_by", who.model.as_str().into()),
            ("status_reason", why.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
        ];
        rows.update(DOCUMENTS, &[eq("id", document.id)], &set)?;
        Ok::<_, Refusal>(())
    })?;
    Ok(true)
}

/// Reads one waiting document and stores its passages. Returns whether there was one.
fn read_one(store: &Store) -> Result<bool, Refusal> {
    let first = store.snapshot(&Caller::system(), |rows| {
        let waiting = rows.query::<LlmKnowledgebase>().filter(llm_knowledgebase::status.eq(PROCESSING));
        waiting.order(llm_knowledgebase::id.asc()).first()
    })?;
    let Some(document) = first else { return Ok(false) };
    let pieces = match document.data_format.as_str() {
        "pdf" => match STANDARD.decode(document.data.trim()) {
            Ok(bytes) => pdf::pages(bytes, READ_TIMEOUT).map(|pages| cut_pages(&pages)),
            Err(_) => Err("its bytes are not whole: add the file again".to_owned()),
        },
        format => Ok(cut(format, &document.data)),
    };
    store.transaction(&Caller::system_for(document.tenant_id.uuid()), |rows| {
        // If the document was changed meanwhile, it is read again later; if it was removed, there is nothing to do.
        let known = rows.find::<DocumentVersion>(document.id)?;
        let is_same =
            known.is_some_and(|known| known.updated_at == document.updated_at && known.status == PROCESSING);
        if !is_same {
            return Ok(());
        }
        let (account, id) = (document.account_id.uuid(), document.id.uuid());
        store_passages(rows, account, id, pieces.as_deref().map_err(String::as_str))
    })?;
    Ok(true)
}
