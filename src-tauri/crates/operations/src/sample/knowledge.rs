//! The assistant's knowledge in the sample data: documents and memories.

use super::Sample;
use crate::knowledge::replace_passages;
use graphql::Refusal;
use model::tables::{llm_knowledgebase, llm_memory};
use model::{Id, LlmKnowledgebase};

/// Account, name, description, file, text.
const DOCUMENTS: [(&str, &str, &str, &str, &str); 2] = [
    (
        "shop",
        "Runbook: checkout",
        "What to do when customers cannot pay.",
        "runbook-checkout.md",
        include_str!("knowledge/checkout.md"),
    ),
    (
        "Analytics",
        "Data warehouse: what costs what",
        "What to know before something is changed or deleted.",
        "warehouse.md",
        include_str!("knowledge/warehouse.md"),
    ),
];

/// Account, age in days, kind, and text.
const MEMORIES: [(&str, i64, &str, &str); 5] = [
    (
        "shop",
        1,
        "investigation_result",
        "checkout 2.14.0 ends because its cache of prices outgrows the limit of 256 MiB; 2.13.2 ran with 512 MiB.",
    ),
    (
        "shop",
        9,
        "dependency_mapping",
        "checkout writes to postgres and posts to ledger; the storefront calls checkout.",
    ),
    (
        "Analytics",
        3,
        "pattern",
        "Cloud Logging grows by 12% of its first day every day since a worker writes debug lines.",
    ),
    ("Analytics", 16, "user_preference", "Costs are compared with the month before, by effective cost."),
    (
        "Analytics",
        23,
        "troubleshooting_guide",
        "When the nightly report fails, look at the volume of clickhouse-0 first.",
    ),
];

/// Writes the documents and memories.
pub(super) fn write(sample: &Sample<'_>) -> Result<(), Refusal> {
    let writer = sample.writer()?;
    for (account, name, about, file, text) in DOCUMENTS {
        let account = sample.account(account)?;
        let id: Id<LlmKnowledgebase> = sample.id(file);
        let written = sample.before(60 * 24 * 60);
        writer.insert([
            llm_knowledgebase::id.to(id),
            llm_knowledgebase::account_id.to(account),
            llm_knowledgebase::name.to(name),
            llm_knowledgebase::description.to(about.to_owned()),
            llm_knowledgebase::data_filename.to(file),
            llm_knowledgebase::data_format.to("text"),
            llm_knowledgebase::data_size_bytes.to(i64::try_from(text.len()).unwrap_or(i64::MAX)),
            llm_knowledgebase::data.to(text),
            llm_knowledgebase::created_by.to(sample.person.uuid()),
            llm_knowledgebase::updated_by.to(sample.person.uuid()),
            llm_knowledgebase::created_at.to(written),
            llm_knowledgebase::updated_at.to(written),
        ])?;
        replace_passages(sample.rows, account.uuid(), id.uuid(), "text", text)?;
    }
    for (account, days, kind, content) in MEMORIES {
        writer.insert([
            llm_memory::id.to(sample.id(&format!("memory {days}"))),
            llm_memory::account_id.to(sample.account(account)?),
            llm_memory::memory_type.to(kind.to_owned()),
            llm_memory::created_at.to(sample.before(days * 24 * 60 - 9 * 60)),
            llm_memory::content.to(content.to_owned()),
        ])?;
    }
    Ok(())
}
