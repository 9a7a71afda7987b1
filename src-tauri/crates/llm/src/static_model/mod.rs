//! Embeddings in this process: a static model in the format of model2vec, a folder with `model.safetensors` (one vector for each token) and
//! `tokenizer.json`.
//!
//! The vector of a text is the mean of its tokens' vectors, normalised to length 1.
//!
//! This is not `model2vec-rs`, because that depends on all of `tokenizers`, with parsers in C++, for models that all use WordPiece.

mod safetensors;
mod tokenizer;

use crate::failure::{Failure, FailureKind};
use safetensors::Table;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tokenizer::WordPiece;

/// Maximum number of tokens of a text, as in model2vec; further ones are ignored.
const LONGEST: usize = 512;
/// Maximum size of a file of a model, in bytes.
const LARGEST: u64 = 2 * 1024 * 1024 * 1024;

/// Models in memory, by folder; reloaded if the model in the folder has changed.
#[derive(Default)]
pub(crate) struct Statics(Mutex<HashMap<PathBuf, LoadedModel>>);

struct LoadedModel {
    changed: Option<SystemTime>,
    model: Arc<StaticModel>,
}

impl Statics {
    /// The model of a folder. Blocks the thread.
    pub(crate) fn get(&self, folder: &Path) -> Result<Arc<StaticModel>, Failure> {
        let changed =
            std::fs::metadata(folder.join("model.safetensors")).and_then(|file| file.modified()).ok();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(folder).filter(|known| known.changed == changed) {
            return Ok(Arc::clone(&known.model));
        }
        let model = Arc::new(StaticModel::load(folder)?);
        known.insert(folder.to_owned(), LoadedModel { changed, model: Arc::clone(&model) });
        Ok(model)
    }
}

/// A model in memory.
pub(crate) struct StaticModel {
    words: WordPiece,
    table: Table,
    is_normalized: bool,
}

impl StaticModel {
    /// Loads a folder. Blocks the thread.
    pub(crate) fn load(folder: &Path) -> Result<Self, Failure> {
        let read = |name: &str| {
            let path = folder.join(name);
            let size = std::fs::metadata(&path).map(|file| file.len());
            if size.is_ok_and(|size| size > LARGEST) {
                return Err(unusable(folder, &format!("{name} is larger than 2 GB")));
            }
            std::fs::read(&path)
                .map_err(|error| unusable(folder, &format!("{name} cannot be read ({error})")))
        };
        let wrong = |why: String| unusable(folder, &why);
        let words: Value = serde_json::from_slice(&read("tokenizer.json")?)
            .map_err(|error| wrong(format!("tokenizer.json is no JSON ({error})")))?;
        let words = WordPiece::of(&words).map_err(wrong)?;
        let table = Table::of(read("model.safetensors")?).map_err(wrong)?;
        // Without this file vectors have length 1, as in model2vec.
        let config: Option<Value> =
            read("config.json").ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let is_normalized = config.is_none_or(|config| config["normalize"] != false);
        Ok(Self { words, table, is_normalized })
    }

    /// The vector of a text; zeros if the model knows none of its words.
    pub(crate) fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0_f32; self.table.width()];
        let mut count = 0.0_f32;
        for token in self.words.tokens(text).into_iter().take(LONGEST) {
            if self.table.add(token, &mut sum) {
                count += 1.0;
            }
        }
        let length = if self.is_normalized { norm(&sum) } else { count };
        if length > 0.0 {
            for one in &mut sum {
                *one /= length;
            }
        }
        sum
    }
}

fn norm(vector: &[f32]) -> f32 {
    vector.iter().map(|one| one * one).sum::<f32>().sqrt()
}

fn unusable(folder: &Path, why: &str) -> Failure {
    Failure::new(
        FailureKind::Setting,
        format!("The static model in {} cannot be used: {why}.", folder.display()),
        "Expected a folder in the format of model2vec, with model.safetensors and tokenizer.json, such as one of minishlab/potion-base-8M.",
    )
}
