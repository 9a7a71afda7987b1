//! Passages of documents as they are kept, and documents that wait for theirs.

use super::passages::{Piece, cut, cut_pages};
use super::pdf;
use crate::assistant::{Models, Who};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalogue::{Caller, Value as Cell, ValueRef};
use graphql::Refusal;
use std::time::Duration;
use store::{Store, Transaction, eq, is_null, ne};
use uuid::Uuid;

pub(super) const PASSAGES: &str = "llm_passage";
const DOCUMENTS: &str = "llm_knowledgebase";
/// How long a PDF may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// Cuts a document anew. A PDF is left to [`step`], since reading one takes long.
pub(super) fn renew(
    rows: &Transaction<'_>,
    account: Uuid,
    id: Uuid,
    format: &str,
    data: &str,
) -> Result<(), Refusal> {
    if format == "pdf" {
        let set = [
            ("status", "processing".into()),
            ("status_reason", ValueRef::Null),
            ("passages", ValueRef::Int(0)),
        ];
        rows.delete(PASSAGES, &[eq("kb_id", id)])?;
        rows.update(DOCUMENTS, &[eq("id", id)], &set)?;
        return Ok(());
    }
    put(rows, account, id, Ok(&cut(format, data)))
}

/// Writes passages in place of those there are, or why there are none.
fn put(
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

/// Takes one step for documents that wait: reads one and keeps its passages, or has the passages of one turned into vectors by the
/// model of embeddings on this machine, where there is one. Whether there was something to do.
pub(crate) fn step(store: &Store, models: &dyn Models) -> Result<bool, Refusal> {
    if read_one(store)? {
        return Ok(true);
    }
    // Documents are not sent away for this: whose model is elsewhere searches by words.
    match models.embedder() {
        Ok(who) if who.is_local => embed_one(store, models, &who),
        _ => Ok(false),
    }
}

/// Turns the passages of one document into vectors; whether there was one without those of this model.
fn embed_one(store: &Store, models: &dyn Models, who: &Who) -> Result<bool, Refusal> {
    let columns = ["id", "tenant_id", "updated_at"];
    let first = store.snapshot(&Caller::house(), |rows| {
        let mut waiting =
            rows.select(DOCUMENTS, &columns, &[eq("status", "active"), is_null("embedded_by")])?;
        waiting.extend(rows.select(
            DOCUMENTS,
            &columns,
            &[eq("status", "active"), ne("embedded_by", who.model.as_str())],
        )?);
        let Some(row) = waiting.into_iter().min_by_key(|row| row[0].as_uuid()) else { return Ok(None) };
        let passages =
            rows.select(PASSAGES, &["id", "text"], &[eq("kb_id", row[0].as_uuid().unwrap_or_default())])?;
        Ok::<_, Refusal>(Some((row, passages)))
    })?;
    let Some((row, passages)) = first else { return Ok(false) };
    let id = |place: usize| row[place].as_uuid().unwrap_or_default();
    let texts: Vec<String> =
        passages.iter().map(|row| row[1].as_text().unwrap_or_default().to_owned()).collect();
    let made = models.embed(who, &texts);
    store.transaction(&Caller::house_for(id(1)), |rows| {
        let known = rows.select(DOCUMENTS, &["updated_at"], &[eq("id", id(0))])?.pop();
        if known.is_none_or(|known| known[0] != row[2]) {
            return Ok(());
        }
        let why = match &made {
            Ok(vectors) => {
                let keys = passages.iter().filter_map(|row| row[0].as_uuid());
                let vectors: Vec<(Uuid, Vec<f32>)> = keys.zip(vectors.iter().cloned()).collect();
                rows.keep_vectors(PASSAGES, id(0), &who.model, &vectors)?;
                None
            }
            // Its words are found all the same; it is tried again when the document or the model changes.
            Err(failure) => Some(format!("it is searched by its words only: {}", failure.message)),
        };
        let set = [
            ("embedded_by", who.model.as_str().into()),
            ("status_reason", why.as_deref().map_or(ValueRef::Null, ValueRef::Text)),
        ];
        rows.update(DOCUMENTS, &[eq("id", id(0))], &set)?;
        Ok::<_, Refusal>(())
    })?;
    Ok(true)
}

/// Reads one of the documents that wait, and keeps its passages; whether there was one.
fn read_one(store: &Store) -> Result<bool, Refusal> {
    let columns = ["id", "tenant_id", "account_id", "data_format", "updated_at", "data"];
    let waits = [eq("status", "processing")];
    let first = store.snapshot(&Caller::house(), |rows| {
        let known = rows.select(DOCUMENTS, &["id"], &waits)?;
        let Some(id) = known.iter().filter_map(|row| row[0].as_uuid()).min() else { return Ok(None) };
        Ok::<_, Refusal>(rows.select(DOCUMENTS, &columns, &[eq("id", id)])?.pop())
    })?;
    let Some(row) = first else { return Ok(false) };
    let id = |place: usize| row[place].as_uuid().unwrap_or_default();
    let data = row[5].as_text().unwrap_or_default();
    let pieces = match row[3].as_text() {
        Some("pdf") => match STANDARD.decode(data.trim()) {
            Ok(bytes) => pdf::pages(bytes, PATIENCE).map(|pages| cut_pages(&pages)),
            Err(_) => Err("its bytes are not whole: add the file again".to_owned()),
        },
        format => Ok(cut(format.unwrap_or_default(), data)),
    };
    store.transaction(&Caller::house_for(id(1)), |rows| {
        // Somebody may have changed or removed it meanwhile: then its turn comes again, or not.
        let known = rows.select(DOCUMENTS, &["updated_at", "status"], &[eq("id", id(0))])?.pop();
        let is_same =
            known.is_some_and(|known| known[0] == row[4] && known[1] == Cell::Text("processing".to_owned()));
        if is_same { put(rows, id(2), id(0), pieces.as_deref().map_err(String::as_str)) } else { Ok(()) }
    })?;
    Ok(true)
}
