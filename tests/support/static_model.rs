//! An embeddings model in the format of model2vec, small enough to be written by a test: words with the same meaning have the same vector.

use serde_json::{Map, json};
use std::path::Path;

/// Writes the model into `folder`. Each list contains words with one meaning; all other words are unknown.
pub fn write(folder: &Path, meanings: &[&[&str]]) {
    std::fs::create_dir_all(folder).unwrap();
    let mut vocabulary = Map::from_iter([("[UNK]".to_owned(), json!(0))]);
    let mut numbers: Vec<f32> = vec![0.0; meanings.len()];
    for (at, words) in meanings.iter().enumerate() {
        for word in *words {
            vocabulary.insert((*word).to_owned(), json!(vocabulary.len()));
            numbers.extend((0..meanings.len()).map(|place| if place == at { 1.0 } else { 0.0 }));
        }
    }
    let shape = [vocabulary.len(), meanings.len()];
    let model = json!({
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocabulary,
    });
    let tokenizer = json!({ "model": model, "normalizer": { "type": "BertNormalizer", "lowercase": true } });
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let head = json!({ "embeddings": { "dtype": "F32", "shape": shape, "data_offsets": [0, bytes.len()] } });
    let head = head.to_string();
    let mut file = u64::try_from(head.len()).unwrap().to_le_bytes().to_vec();
    file.extend(head.as_bytes());
    file.extend(bytes);
    std::fs::write(folder.join("model.safetensors"), file).unwrap();
}
