//! Tables and lookups of `schema/tables/models.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::table::table;

table! {
    /// A model whose file is here, whole and hashed.
    ModelFile in model_file by name {
        /// As the registry calls it, such as svc-llm.
        name: String,
        /// SHA-256 of the file, lower-case hex; the file's name in the models folder follows from it, so equal files are kept once.
        sha256: String,
        size_bytes: i64,
        /// Who vouches for the hash: registry, file (a .sha256 beside an imported file), person, or first_use (nobody: what came first is what counts).
        trust: String,
        /// Where the hash was said: the header, the file, the person.
        told_by: String,
        /// download or import.
        source: String,
        /// Host of the registry, or name of the imported file.
        origin: String,
        installed_at: ZonedTimestamp,
        /// When the file was last hashed and found equal.
        checked_at: ZonedTimestamp,
    }
}

table! {
    /// A download that has not ended well yet: what a restart goes on with.
    ModelDownload in model_download by name {
        name: String,
        /// Where it stands: queued, preflight, space_check, downloading, stalled, waiting_network, verifying, installing, paused, failed, quarantined.
        state: String,
        /// Size, which bytes are in the part file, what proves that the file is still the same, what went wrong.
        record: Json,
        updated_at: ZonedTimestamp,
    }
}

table! {
    /// A provider of models that a person set up, or what a person changed of the one the environment describes.
    ModelProvider in model_provider by id {
        /// A random id, or `environment` and `environment-embeddings` for what the environment describes.
        id: String,
        /// Such as bedrock or ollama. Null here and below: as the environment says.
        kind: Option<String>,
        name: Option<String>,
        /// The lowest is asked first, the others when it fails.
        position: i64,
        is_on: Option<bool>,
        /// Whether what it is asked may leave this machine.
        may_leave: Option<bool>,
        /// The model for questions; empty: not from here.
        chat_model: Option<String>,
        /// The model for single tasks.
        small_model: Option<String>,
        embeddings_model: Option<String>,
        /// Address, region and the like, by name.
        values: Json,
        /// Secrets by name, each sealed with a key that is not in the database.
        sealed: Json,
        /// What the last test showed, and when.
        test: Option<Json>,
        updated_at: ZonedTimestamp,
        /// The person who saved it, by name.
        updated_by: String,
    }
}

table! {
    /// Another model for one agent or one tier of tasks.
    ModelOverride in model_override {
        /// agent or tier.
        scope: String,
        /// The agent's name in small letters; reasoning, retrieval or summary.
        name: String,
        provider: String,
        model: String,
    }
}
