//! A WordPiece tokenizer as in BERT, configured by Hugging Face's `tokenizer.json`: normalises a text, splits it at spaces and punctuation, and
//! then into the longest pieces in the vocabulary.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use serde_json::Value;
use std::collections::HashMap;

/// A vocabulary with its rules.
pub(super) struct WordPiece {
    vocabulary: HashMap<String, usize>,
    unknown: Option<usize>,
    /// Prefix of pieces inside a word, `##`.
    prefix: String,
    longest_word: usize,
    is_lower: bool,
    strips_accents: bool,
}

impl WordPiece {
    pub(super) fn of(file: &Value) -> Result<Self, String> {
        let model = &file["model"];
        // Older files have no type, but only this kind has the prefix.
        let is_word_piece = model["type"] == "WordPiece" || model["continuing_subword_prefix"].is_string();
        if !is_word_piece {
            let kind = model["type"].as_str().unwrap_or("of another kind");
            return Err(format!("its tokenizer is {kind}: only WordPiece is read"));
        }
        let vocabulary = model["vocab"].as_object().ok_or("tokenizer.json has no vocabulary")?;
        let vocabulary: HashMap<String, usize> = vocabulary
            .iter()
            .filter_map(|(word, id)| Some((word.clone(), usize::try_from(id.as_u64()?).ok()?)))
            .collect();
        let normalizer = find(&file["normalizer"], "BertNormalizer");
        let is_lower = normalizer.is_none_or(|one| one["lowercase"] != false);
        let strips = normalizer.and_then(|one| one["strip_accents"].as_bool());
        Ok(Self {
            unknown: model["unk_token"].as_str().and_then(|word| vocabulary.get(word)).copied(),
            prefix: model["continuing_subword_prefix"].as_str().unwrap_or("##").to_owned(),
            longest_word: usize::try_from(model["max_input_chars_per_word"].as_u64().unwrap_or(100))
                .unwrap_or(100),
            vocabulary,
            is_lower,
            strips_accents: strips.unwrap_or(is_lower),
        })
    }

    /// The tokens of a text. Unknown words are omitted, as in model2vec.
    pub(super) fn tokens(&self, text: &str) -> Vec<usize> {
        let mut tokens = Vec::new();
        for word in words(&self.normalized(text)) {
            self.pieces(&word, &mut tokens);
        }
        tokens
    }

    /// In BERT's order: removes invisible characters, separates Chinese characters, strips accents, converts to lower case.
    fn normalized(&self, text: &str) -> String {
        let mut clean = String::with_capacity(text.len());
        for letter in text.chars().filter(|letter| !is_nothing(*letter)) {
            if is_chinese(letter) {
                clean.extend([' ', letter, ' ']);
            } else {
                clean.push(if letter.is_whitespace() { ' ' } else { letter });
            }
        }
        if self.strips_accents {
            let apart = DecomposingNormalizerBorrowed::new_nfd().normalize(&clean);
            clean =
                apart.chars().filter(|letter| category(*letter) != GeneralCategory::NonspacingMark).collect();
        }
        if self.is_lower { clean.chars().flat_map(char::to_lowercase).collect() } else { clean }
    }

    fn pieces(&self, word: &str, tokens: &mut Vec<usize>) {
        if word.chars().count() > self.longest_word {
            return;
        }
        let before = tokens.len();
        let mut rest = word;
        while !rest.is_empty() {
            let prefix = if rest.len() == word.len() { "" } else { self.prefix.as_str() };
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8()).rev();
            let found = ends
                .map(|end| (end, self.vocabulary.get(&format!("{prefix}{}", &rest[..end]))))
                .find_map(|(end, token)| Some((end, *token?)));
            let Some((end, token)) = found else {
                // A word that cannot be split is unknown as a whole.
                tokens.truncate(before);
                return;
            };
            if Some(token) != self.unknown {
                tokens.push(token);
            }
            rest = &rest[end..];
        }
    }
}

/// The normaliser of that type, in a sequence or alone.
fn find<'a>(normalizer: &'a Value, kind: &str) -> Option<&'a Value> {
    if normalizer["type"] == kind {
        return Some(normalizer);
    }
    normalizer["normalizers"].as_array()?.iter().find_map(|one| find(one, kind))
}

/// Splits at spaces; punctuation marks are words of their own.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in text.chars() {
        if letter == ' ' || is_punctuation(letter) {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if letter != ' ' {
                words.push(letter.to_string());
            }
        } else {
            word.push(letter);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn category(letter: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(letter)
}

/// Characters to remove: controls, joiners, and the replacement character.
fn is_nothing(letter: char) -> bool {
    let is_space = matches!(letter, '\t' | '\n' | '\r');
    letter == '\u{fffd}' || (!is_space && GeneralCategoryGroup::Other.contains(category(letter)))
}

fn is_punctuation(letter: char) -> bool {
    letter.is_ascii_punctuation() || GeneralCategoryGroup::Punctuation.contains(category(letter))
}

/// The blocks that BERT splits into single characters.
fn is_chinese(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0x4e00..=0x9fff
            | 0x3400..=0x4dbf
            | 0x20000..=0x2a6df
            | 0x2a700..=0x2b81f
            | 0x2b920..=0x2ceaf
            | 0xf900..=0xfaff
            | 0x2f800..=0x2fa1f
    )
}

#[cfg(test)]
mod tests {
    use super::WordPiece;
    use serde_json::{Value, json};

    /// The expected tokens are those of Hugging Face's library, generated by `vectors.py` in the folder `tokenizer`.
    #[test]
    fn texts_are_cut_as_the_library_cuts_them() {
        let vectors: Value = serde_json::from_str(include_str!("tokenizer/vectors.json")).unwrap();
        let words = WordPiece::of(&vectors["tokenizer"]).unwrap();
        for row in vectors["rows"].as_array().unwrap() {
            let expected: Vec<usize> = serde_json::from_value(row["tokens"].clone()).unwrap();
            assert_eq!(words.tokens(row["text"].as_str().unwrap()), expected, "{}", row["text"]);
        }
    }

    #[test]
    fn other_kinds_of_tokenizer_are_refused_in_words() {
        let why = WordPiece::of(&json!({ "model": { "type": "Unigram" } })).err().unwrap();
        assert_eq!(why, "its tokenizer is Unigram: only WordPiece is read");
    }
}
