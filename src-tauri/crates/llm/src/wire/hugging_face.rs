//! Hugging Face: chat uses its OpenAI-compatible router, embeddings use feature extraction.

use super::{Post, Vectors, below, json, vector};
use crate::chat::Usage;
use crate::failure::Failure;
use serde_json::{Value, json};
use url::Url;

const WHO: &str = "Hugging Face";
/// The default address for embeddings.
pub(crate) const EXTRACTION: &str = "https://router.huggingface.co/hf-inference";

/// `{base}/models/{model}/pipeline/feature-extraction`; the model's name contains a slash.
pub(crate) fn embed(base: &Url, model: &str, texts: &[String]) -> Result<Post, Failure> {
    let mut segments = vec!["models"];
    segments.extend(model.split('/'));
    segments.extend(["pipeline", "feature-extraction"]);
    Ok(Post::json(below(base, &segments)?, &json!({ "inputs": texts })))
}

pub(crate) fn vectors(body: &[u8]) -> Result<Vectors, Failure> {
    rows(WHO, &json(body, WHO)?)
}

/// One vector for each text. Fails for models that return one for each token.
pub(crate) fn rows(who: &str, value: &Value) -> Result<Vectors, Failure> {
    let rows = value.as_array().ok_or_else(|| Failure::nonsense(who, "expected a list of vectors"))?;
    if rows.first().is_some_and(|row| row.get(0).is_some_and(Value::is_array)) {
        let why = "it gives a vector for each word: this is no model for sentences";
        return Err(Failure::nonsense(who, why));
    }
    Ok((rows.iter().map(|row| vector(row, who)).collect::<Result<_, _>>()?, Usage::default()))
}
