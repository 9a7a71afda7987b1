//! Tests of embeddings in this process, from a folder.

use super::{provider_at, wait};
use crate::{FailureKind, ProviderKind, embed};
use serde_json::json;
use std::path::Path;
use testkit::language_models::LanguageModels;

/// A model of five words with two-dimensional vectors.
fn write(folder: &Path, is_half: bool) {
    let vocabulary = json!({ "[UNK]": 0, "storage": 1, "cost": 2, "of": 3, "##s": 4 });
    let model = json!({
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocabulary,
    });
    let tokenizer = json!({ "model": model, "normalizer": { "type": "BertNormalizer", "lowercase": true } });
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let numbers = [[9.0_f32, 9.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.5]];
    let half = |number: f32| -> u16 {
        match number {
            9.0 => 0x4880,
            1.0 => 0x3c00,
            0.5 => 0x3800,
            _ => 0,
        }
    };
    let bytes: Vec<u8> =
        numbers
            .iter()
            .flatten()
            .flat_map(|number| {
                if is_half { half(*number).to_le_bytes().to_vec() } else { number.to_le_bytes().to_vec() }
            })
            .collect();
    let kind = if is_half { "F16" } else { "F32" };
    let head = json!({ "embeddings": { "dtype": kind, "shape": [5, 2], "data_offsets": [0, bytes.len()] } })
        .to_string();
    let mut file = u64::try_from(head.len()).unwrap().to_le_bytes().to_vec();
    file.extend(head.as_bytes());
    file.extend(bytes);
    std::fs::write(folder.join("model.safetensors"), file).unwrap();
}

fn vectors(folder: &Path, texts: &[&str]) -> Result<Vec<Vec<f32>>, crate::Failure> {
    let double = LanguageModels::start();
    let mut provider = provider_at(&double, ProviderKind::Ollama);
    provider.kind = ProviderKind::OnDevice;
    folder.clone_into(&mut provider.local.folder);
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    Ok(wait(embed(&[provider], &texts))?.vectors)
}

#[test]
fn a_text_is_the_mean_of_its_words_of_length_one() {
    for is_half in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), is_half);
        let found = vectors(folder.path(), &["Storage", "cost of storage", "xyzzy", "costs"]).unwrap();
        let root = 0.5_f32.sqrt();
        let expected = [[1.0, 0.0], [root, root], [0.0, 0.0], [0.0, 1.0]];
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6), "{found:?}");
        }
    }
}

#[test]
fn a_folder_without_a_model_is_told_with_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let failure = vectors(folder.path(), &["a"]).unwrap_err();
    assert_eq!(failure.trouble, FailureKind::Setting);
    assert!(failure.message.contains("tokenizer.json cannot be read"), "{failure}");
    assert!(failure.remedy.contains("model2vec"));
    write(folder.path(), false);
    std::fs::write(folder.path().join("model.safetensors"), b"\xff\xff\xff\xff\xff\xff\xff\xff{}").unwrap();
    let failure = vectors(folder.path(), &["a"]).unwrap_err();
    assert!(failure.message.contains("no file of that format"), "{failure}");
}
