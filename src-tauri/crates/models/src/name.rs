//! Names of models.

use std::fmt;

/// The models of the registry in the contract, each with its purpose.
pub const OFFERED: [(&str, &str); 3] = [
    ("svc-llm", "Main reasoning and planning model: questions, decisions, answers."),
    ("svc-slm", "Small model for single tasks."),
    ("svc-text-embeddings", "Vector embeddings for search in your knowledge bases."),
];

/// A name that is safe in URLs and as a file name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelName(String);

/// A text that is not a model name.
#[derive(Debug, thiserror::Error)]
#[error(
    "{found:?} is no name of a model: expected 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit, such as svc-llm"
)]
pub struct NotAName {
    pub found: String,
}

impl ModelName {
    pub fn parse(text: &str) -> Result<Self, NotAName> {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        let begins = text.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        let is_ours = [".sha256", ".part"].iter().any(|ending| text.ends_with(ending));
        if begins && text.len() <= 64 && text.chars().all(is_letter) && !is_ours {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotAName { found: text.to_owned() })
        }
    }

    /// The name of the model in a file: the file name without a model's extension.
    pub fn of_file(file: &str) -> Result<Self, NotAName> {
        let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = [".gguf", ".safetensors", ".bin"].iter().find_map(|ending| name.strip_suffix(ending));
        Self::parse(stem.unwrap_or(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_else_in_an_address_or_a_folder() {
        for wrong in
            ["", "..", "../etc", "a/b", "a b", "-rf", ".hidden", "a.sha256", "a.part", "ä", &"x".repeat(65)]
        {
            assert!(ModelName::parse(wrong).is_err(), "{wrong}");
        }
        for (name, _) in OFFERED {
            assert_eq!(ModelName::parse(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn a_file_names_its_model_without_folder_and_ending() {
        for file in ["svc-llm", "svc-llm.gguf", "/media/stick/svc-llm.gguf", "C:\\models\\svc-llm.bin"] {
            assert_eq!(ModelName::of_file(file).unwrap().as_str(), "svc-llm");
        }
    }
}
