//! Words into tokens as BERT does it, from the `tokenizer.json` of Hugging Face: normalised, cut at spaces and punctuation, then into the longest pieces
//! that the vocabulary has.

use serde_json::Value;
use std::collections::HashMap;

/// A vocabulary with its rules.
pub(super) struct WordPiece {
    vocabulary: HashMap<String, usize>,
    unknown: Option<usize>,
    /// What begins a piece inside a word, `##`.
    prefix: String,
    longest_word: usize,
    is_lower: bool,
    strips_accents: bool,
}

impl WordPiece {
    pub(super) fn of(file: &Value) -> Result<Self, String> {
        let model = &file["model"];
        // Older files do not say so, but for the prefix no other kind has.
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

    /// The tokens of a text. Unknown words have none, as model2vec has it.
    pub(super) fn tokens(&self, text: &str) -> Vec<usize> {
        let mut tokens = Vec::new();
        for word in words(&self.normalized(text)) {
            self.pieces(&word, &mut tokens);
        }
        tokens
    }

    fn normalized(&self, text: &str) -> String {
        let mut normalized = String::with_capacity(text.len());
        for letter in text.chars() {
            if letter == '\0' || letter == '\u{fffd}' || (letter.is_control() && !letter.is_whitespace()) {
                continue;
            }
            let letter = if letter.is_whitespace() { ' ' } else { letter };
            let plain = if self.strips_accents { without_accent(letter) } else { letter };
            if plain == '\0' {
                continue;
            }
            if is_chinese(plain) {
                normalized.extend([' ', plain, ' ']);
            } else if self.is_lower {
                normalized.extend(plain.to_lowercase());
            } else {
                normalized.push(plain);
            }
        }
        normalized
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
                // A word that cannot be cut is unknown as a whole.
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

/// A part of that type, in a sequence of parts or alone.
fn find<'a>(normalizer: &'a Value, kind: &str) -> Option<&'a Value> {
    if normalizer["type"] == kind {
        return Some(normalizer);
    }
    normalizer["normalizers"].as_array()?.iter().find_map(|one| find(one, kind))
}

/// Cut at spaces; punctuation stands alone.
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

/// All of ASCII that is neither letter, digit nor space, and the blocks of punctuation beyond.
fn is_punctuation(letter: char) -> bool {
    letter.is_ascii_punctuation()
        || matches!(letter, '¡' | '§' | '«' | '¶' | '·' | '»' | '¿')
        || matches!(u32::from(letter), 0x2010..=0x2027 | 0x2030..=0x205e | 0x3001..=0x3003 | 0x3008..=0x3011 | 0x3014..=0x301f | 0xff01..=0xff0f)
}

/// The blocks BERT cuts letter by letter.
fn is_chinese(letter: char) -> bool {
    matches!(u32::from(letter), 0x4e00..=0x9fff | 0x3400..=0x4dbf | 0x20000..=0x2a6df | 0x2a700..=0x2ceaf | 0xf900..=0xfaff | 0x2f800..=0x2fa1f)
}

/// The letter under an accent for the Latin alphabets, nothing for a combining accent; other letters as they are.
fn without_accent(letter: char) -> char {
    const PLAIN: [(&str, char); 40] = [
        ("ÀÁÂÃÄÅĀĂĄǍ", 'A'),
        ("àáâãäåāăąǎ", 'a'),
        ("ÇĆĈĊČ", 'C'),
        ("çćĉċč", 'c'),
        ("Ď", 'D'),
        ("ď", 'd'),
        ("ÈÉÊËĒĔĖĘĚ", 'E'),
        ("èéêëēĕėęě", 'e'),
        ("ĜĞĠĢ", 'G'),
        ("ĝğġģ", 'g'),
        ("Ĥ", 'H'),
        ("ĥ", 'h'),
        ("ÌÍÎÏĨĪĬĮİǏ", 'I'),
        ("ìíîïĩīĭįǐ", 'i'),
        ("Ĵ", 'J'),
        ("ĵ", 'j'),
        ("Ķ", 'K'),
        ("ķ", 'k'),
        ("ĹĻĽ", 'L'),
        ("ĺļľ", 'l'),
        ("ÑŃŅŇ", 'N'),
        ("ñńņň", 'n'),
        ("ÒÓÔÕÖŌŎŐǑ", 'O'),
        ("òóôõöōŏőǒ", 'o'),
        ("ŔŖŘ", 'R'),
        ("ŕŗř", 'r'),
        ("ŚŜŞŠȘ", 'S'),
        ("śŝşšș", 's'),
        ("ŢŤȚ", 'T'),
        ("ţťț", 't'),
        ("ÙÚÛÜŨŪŬŮŰŲǓ", 'U'),
        ("ùúûüũūŭůűųǔ", 'u'),
        ("Ŵ", 'W'),
        ("ŵ", 'w'),
        ("ÝŶŸ", 'Y'),
        ("ýŷÿ", 'y'),
        ("ŹŻŽ", 'Z'),
        ("źżž", 'z'),
        ("Ё", 'Е'),
        ("ё", 'е'),
    ];
    if letter.is_ascii() {
        return letter;
    }
    if ('\u{300}'..='\u{36f}').contains(&letter) {
        return '\0';
    }
    if letter == 'й' {
        return 'и';
    }
    PLAIN.iter().find(|(accented, _)| accented.contains(letter)).map_or(letter, |(_, plain)| *plain)
}

#[cfg(test)]
mod tests {
    use super::WordPiece;
    use serde_json::json;

    fn tokens(text: &str) -> Vec<usize> {
        let vocabulary = json!({
            "[UNK]": 0, "cost": 1, "##s": 2, "of": 3, "storage": 4, "!": 5, "un": 6, "##aff": 7, "##able": 8, "cafe": 9, "日": 10, "本": 11,
        });
        let model = json!({
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocabulary,
        });
        let normalizer = json!({ "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true });
        WordPiece::of(&json!({ "model": model, "normalizer": normalizer })).unwrap().tokens(text)
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces_known() {
        assert_eq!(tokens("Costs of\tSTORAGE!"), [1, 2, 3, 4, 5]);
        assert_eq!(tokens("unaffable"), [6, 7, 8]);
        assert_eq!(tokens("Café cafe\u{301}"), [9, 9]);
        assert_eq!(tokens("日本"), [10, 11]);
    }

    #[test]
    fn a_word_that_cannot_be_cut_counts_for_nothing() {
        assert_eq!(tokens("unknowable cost"), [1]);
        assert_eq!(tokens(""), [0; 0]);
    }

    #[test]
    fn other_kinds_of_tokenizer_are_refused_in_words() {
        let why = WordPiece::of(&json!({ "model": { "type": "Unigram" } })).err().unwrap();
        assert_eq!(why, "its tokenizer is Unigram: only WordPiece is read");
    }
}
