//! Types of `schema/operations/assistant_privacy.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AIPreviewReplacementRequest {
    pub account_id: String,
    /// At most 20,000 characters.
    pub text: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIPreviewReplacementResponse {
    pub data: Option<AIReplacementPreview>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIReplacementPreview {
    /// When names are replaced: `outside` (for models that are not on this machine), `always` or `never`. The preview is made in any case.
    pub replaces: String,
    /// The text with tokens in place of names.
    pub text: String,
    pub replaced: Vec<AIReplacedName>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIReplacedName {
    pub name: String,
    /// Such as `account-1`.
    pub token: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AIListReplacedNamesRequest {
    /// Only names and tokens that contain it.
    pub search: Option<String>,
    /// 1 to 1,000; 100 unless said otherwise.
    pub limit: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIListReplacedNamesResponse {
    pub data: Option<AIReplacedNames>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIReplacedNames {
    pub names: Vec<AIReplacedName>,
    /// How many there are, also beyond `limit`.
    pub total: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AIListUsageRequest {
    /// `YYYY-MM`; this month without it.
    pub period: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AIListUsageResponse {
    pub data: Option<AIUsage>,
    pub errors: Option<Vec<Error>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIUsage {
    /// `YYYY-MM`
    pub period: String,
    pub people: Vec<AIUsageOf>,
    pub models: Vec<AIUsageOf>,
}

/// What one person, or one model, stands for in the ledger of a month.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AIUsageOf {
    /// Of the person, or of the model's provider; null for the service itself.
    pub id: Option<String>,
    /// The person, or the model.
    pub name: String,
    pub requests: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    /// Bytes of what was sent elsewhere.
    pub bytes_left: i64,
    /// By the tenant's price list; what has no price is not in it.
    pub cost: Number,
    /// Requests without a price.
    pub unpriced: i64,
}
