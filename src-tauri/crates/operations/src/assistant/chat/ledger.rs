//! The ledger of requests to models: receiver, time, exact text, tokens and cost.

use super::send::Attribution;
use crate::kit::in_account::{argument, id, within};
use crate::model_access::Who;
use catalogue::{Decimal, Right, ValueRef, format_timestamptz};
use graphql::{Call, Refusal};
use llm::Usage;
use model::operations::{AISent, ListSentRequest, ListSentResponse};
use model::tables::llm_ledger;
use model::{Number, Read as _, row};
use serde_json::{Value, json};
use store::{Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "llm_ledger";
const MAX_LIST_ROWS: u64 = 200;

/// An entry of the ledger.
pub(super) struct Entry {
    pub id: Uuid,
    sent_at: i64,
    provider: String,
    model: String,
    host: String,
    left: bool,
    size: usize,
    replaced: usize,
}

impl Entry {
    /// The entry as pages show it, without the text.
    pub fn shown(&self) -> Value {
        json!({
            "id": self.id,
            "sent_at": format_timestamptz(self.sent_at),
            "provider": self.provider,
            "model": self.model,
            "host": self.host,
            "left_machine": self.left,
            "size_bytes": self.size,
            "replaced_names": self.replaced,
        })
    }
}

/// Records a request before it is sent.
pub(super) fn write(
    rows: &Transaction<'_>,
    attribution: &Attribution,
    who: &Who,
    payload: &str,
    replaced: usize,
) -> Result<Entry, Refusal> {
    let entry = Entry {
        id: Uuid::new_v4(),
        sent_at: rows.now(),
        provider: who.id.clone(),
        model: who.model.clone(),
        host: who.host.clone(),
        left: !who.is_local,
        size: payload.len(),
        replaced,
    };
    let whole = |number: usize| ValueRef::Int(i64::try_from(number).unwrap_or(i64::MAX));
    let optional = |id: Option<Uuid>| id.map_or(ValueRef::Null, ValueRef::Uuid);
    rows.insert(
        TABLE,
        &[
            ("id", entry.id.into()),
            ("account_id", attribution.account.into()),
            ("user_id", optional(attribution.person)),
            ("conversation_id", optional(attribution.conversation)),
            ("message_id", optional(attribution.message)),
            ("provider", who.id.as_str().into()),
            ("model", who.model.as_str().into()),
            ("host", who.host.as_str().into()),
            ("left_machine", entry.left.into()),
            ("size_bytes", whole(payload.len())),
            ("replaced_names", whole(replaced)),
            ("status", "SENT".into()),
            ("sent_at", ValueRef::Timestamp(entry.sent_at)),
            ("payload", payload.into()),
        ],
    )?;
    Ok(entry)
}

/// Records the result of a request.
pub(super) fn close(
    rows: &Transaction<'_>,
    id: Uuid,
    used: &Usage,
    cost: Option<Decimal>,
    has_failed: bool,
    why: Option<&str>,
) -> Result<(), Refusal> {
    let whole = |number: u64| ValueRef::Int(i64::try_from(number).unwrap_or(i64::MAX));
    let set = [
        ("status", if has_failed { "FAILED" } else { "ANSWERED" }.into()),
        ("status_reason", why.map_or(ValueRef::Null, ValueRef::Text)),
        ("input_tokens", whole(used.input_tokens + used.cached_input_tokens + used.cache_creation_tokens)),
        ("output_tokens", whole(used.output_tokens + used.thinking_tokens)),
        ("cost", cost.map_or(ValueRef::Null, ValueRef::Decimal)),
    ];
    rows.update(TABLE, &[eq("id", id)], &set)?;
    Ok(())
}

/// Handles `ai_list_sent`: the caller's own entries, of one conversation or all, newest first. A caller who may
/// read the tenant sees all entries of the account. The text is only included when a single entry is requested.
pub(crate) fn list(call: &Call<'_>) -> Result<ListSentResponse, Refusal> {
    let request: ListSentRequest = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let optional =
            |name: &str, text: &Option<String>| text.as_deref().map(|text| id(name, text)).transpose();
        let conversation = optional("conversation_id", &request.conversation_id)?;
        let own = optional("id", &request.id)?;
        let person =
            if call.caller.reads_tenant() { None } else { Some(place.person.ok_or_else(Refusal::denied)?) };
        let lines = place
            .rows
            .query::<SentLine>()
            .filter(llm_ledger::account_id.eq(place.account))
            .filter_some(conversation.map(|conversation| llm_ledger::conversation_id.eq(conversation)))
            .filter_some(own.map(|own| llm_ledger::id.eq(own)))
            .filter_some(person.map(|person| llm_ledger::user_id.eq(person)))
            .order(llm_ledger::sent_at.desc())
            .order(llm_ledger::id.asc())
            .limit(MAX_LIST_ROWS)
            .rows()?;
        let mut sent = Vec::with_capacity(lines.len());
        for line in lines {
            let payload = match own {
                Some(_) => place.rows.find::<SentText>(line.id)?.map(|found| found.payload),
                None => None,
            };
            sent.push(line.shown(payload));
        }
        Ok(ListSentResponse { data: Some(sent), errors: Some(Vec::new()) })
    })
}

row! {
    struct SentLine from llm_ledger {
        id, conversation_id, sent_at, provider, model, host, left_machine, size_bytes, replaced_names, status,
        status_reason, input_tokens, output_tokens, cost,
    }
}
row! { struct SentText from llm_ledger { payload } }

impl SentLine {
    fn shown(self, payload: Option<String>) -> AISent {
        AISent {
            id: self.id.to_string(),
            conversation_id: self.conversation_id.map(|id| id.to_string()),
            sent_at: format_timestamptz(self.sent_at.micros()),
            provider: self.provider,
            model: self.model,
            host: self.host,
            left_machine: self.left_machine,
            size_bytes: self.size_bytes,
            replaced_names: self.replaced_names,
            status: self.status,
            status_reason: self.status_reason,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cost: self.cost.map(Number::from),
            payload,
        }
    }
}
