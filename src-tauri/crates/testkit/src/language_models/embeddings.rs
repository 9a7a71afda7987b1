//! Embeddings of every provider: words hashed into sixteen dimensions, so that texts with the same words have similar vectors.

use super::ReceivedRequest;
use serde_json::{Value, json};

/// The vector of a text: of length 1, the same in every run.
pub fn vector_of(text: &str) -> Vec<f64> {
    let mut vector = vec![0.0; 16];
    for word in
        text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
    {
        let place = word.bytes().fold(7_usize, |sum, byte| (sum * 31 + usize::from(byte)) % 16);
        vector[place] += 1.0;
    }
    let length = vector.iter().map(|one| one * one).sum::<f64>().sqrt().max(1.0);
    vector.into_iter().map(|one| one / length).collect()
}

/// The response to a request for embeddings, in the provider's format.
pub fn answer(asked: &ReceivedRequest) -> Option<String> {
    let path = asked.path.split('?').next().unwrap_or_default();
    let body = &asked.body;
    let vectors = |texts: &Value| -> Vec<Value> {
        let texts = texts.as_array().cloned().unwrap_or_else(|| vec![texts.clone()]);
        texts.iter().map(|text| json!(vector_of(text.as_str().unwrap_or_default()))).collect()
    };
    let answer = if path.ends_with("/embeddings") {
        // In reverse order: each row has the index of its text.
        let rows = vectors(&body["input"]).into_iter().enumerate().rev();
        let rows: Vec<Value> = rows.map(|(at, vector)| json!({ "index": at, "embedding": vector })).collect();
        json!({ "object": "list", "data": rows, "usage": { "prompt_tokens": 5, "total_tokens": 5 } })
    } else if path == "/api/embed" {
        json!({ "embeddings": vectors(&body["input"]), "prompt_eval_count": 5 })
    } else if path.ends_with(":batchEmbedContents") {
        let texts = body["requests"].as_array()?.iter().map(|one| one["content"]["parts"][0]["text"].clone());
        let rows = vectors(&texts.collect()).into_iter().map(|vector| json!({ "values": vector }));
        json!({ "embeddings": rows.collect::<Vec<_>>() })
    } else if path.ends_with(":predict") {
        let texts = body["instances"].as_array()?.iter().map(|one| one["content"].clone());
        let rows = vectors(&texts.collect()).into_iter();
        let rows = rows
            .map(|vector| json!({ "embeddings": { "values": vector, "statistics": { "token_count": 5 } } }));
        json!({ "predictions": rows.collect::<Vec<_>>() })
    } else if path.ends_with("/invoke") && body.get("texts").is_some() {
        json!({ "embeddings": vectors(&body["texts"]), "response_type": "embeddings_floats" })
    } else if path.ends_with("/invoke") {
        json!({ "embedding": vectors(&body["inputText"])[0], "inputTextTokenCount": 5 })
    } else if path.ends_with("/pipeline/feature-extraction") || path.ends_with("/invocations") {
        json!(vectors(body.get("inputs")?))
    } else {
        return None;
    };
    Some(answer.to_string())
}
