//! Conversations with the assistant in the sample data.

use super::{Sample, after};
use graphql::Refusal;
use model::tables::{llm_conversations, llm_message};
use model::{Id, LlmConversation, LlmConversationStatus as Status};

/// Account, minutes before the start of the day, title, and the messages in turn: the user's first.
const CONVERSATIONS: [(&str, i64, &str, &[&str]); 2] = [
    (
        "shop",
        95,
        "Why does checkout restart?",
        &[
            "Why does checkout restart?",
            "Since version 2.14.0 the pods of `payments/checkout` end and start again. The new version may use at most 256 MiB of memory; 2.13.2 had \
             512 MiB, as the two dumps of the cluster say (Kubernetes → checkout → Changes). The alerts about its error rate and its missing replicas \
             began minutes later.\n\nNext: set the limit back to 512 MiB, or go back to 2.13.2. *Runbook: checkout* says how.",
            "Who has to know?",
            "The team `shop`: the storefront calls checkout, and ledger and postgres wait for it.",
        ],
    ),
    (
        "Analytics",
        4 * 24 * 60 + 30,
        "What makes Cloud Logging grow?",
        &[
            "What makes Cloud Logging grow?",
            "Cloud Logging costs more every day since a worker writes debug lines: 12% of its first day are added each day (Costs → Anomalies). A level of \
             `info` in the worker's settings ends it; what is stored ages by the bucket's retention.",
        ],
    ),
];

/// Writes the conversations.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    let writer = sample.writer()?;
    for (account, minutes, title, messages) in CONVERSATIONS {
        let account = sample.account(account)?;
        let id: Id<LlmConversation> = sample.id(title);
        let began = sample.before(minutes);
        let seconds = 20 * i64::try_from(messages.len()).unwrap_or_default();
        writer.insert([
            llm_conversations::id.to(id),
            llm_conversations::account_id.to(account.uuid()),
            llm_conversations::title.to(title.to_owned()),
            llm_conversations::user_id.to(sample.person.uuid()),
            llm_conversations::status.to(Status::Completed),
            llm_conversations::created_at.to(began),
            llm_conversations::updated_at.to(after(began, seconds)),
        ])?;
        for (place, text) in (0_i64..).zip(messages) {
            writer.insert([
                llm_message::id.to(sample.id(&format!("{title} {place}"))),
                llm_message::account_id.to(account),
                llm_message::conversation_id.to(id),
                llm_message::user_id.to(sample.person.uuid()),
                llm_message::sender.to(if place % 2 == 0 { "user" } else { "assistant" }),
                llm_message::status.to("COMPLETED"),
                llm_message::text.to(*text),
                llm_message::created_at.to(after(began, 20 * place)),
            ])?;
        }
    }
    Ok(())
}
