//! Rust names for names of the catalogue.

/// Singular of a table name in camel case: `cloud_accounts` is `CloudAccount`.
pub fn row_name(table: &str) -> String {
    let (head, last) = table.rsplit_once('_').map_or(("", table), |(head, last)| (head, last));
    camel(&format!("{head}_{}", singular(last)))
}

fn singular(word: &str) -> String {
    let cut = |length: usize, ending: &str| format!("{}{ending}", &word[..word.len() - length]);
    match word {
        _ if word.ends_with("ies") && word.len() > 4 => cut(3, "y"),
        _ if ["ss", "us", "is", "os", "as", "series"].iter().any(|ending| word.ends_with(ending)) => {
            word.to_owned()
        }
        _ if ["sses", "xes", "ches", "shes"].iter().any(|ending| word.ends_with(ending)) => cut(2, ""),
        _ if word.ends_with('s') && word.len() > 3 => cut(1, ""),
        _ => word.to_owned(),
    }
}

/// A name in camel case. A name that starts with a digit gets a letter before it.
pub fn camel(name: &str) -> String {
    let mut out = String::new();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    for word in words {
        let mut letters = word.chars();
        // A word of capitals only is an abbreviation; `inProgress` keeps its inner capital.
        let is_shouted = word.len() > 1 && word.chars().all(|letter| !letter.is_ascii_lowercase());
        let rest = |letters: std::str::Chars<'_>| -> String {
            if is_shouted { letters.as_str().to_ascii_lowercase() } else { letters.as_str().to_owned() }
        };
        if let Some(first) = letters.next() {
            out.push(first.to_ascii_uppercase());
            out.push_str(&rest(letters));
        }
    }
    if out.starts_with(|letter: char| letter.is_ascii_digit()) {
        out.insert(0, 'N');
    }
    if out.is_empty() { "Empty".to_owned() } else { out }
}

/// A name as an identifier: keywords of Rust get the prefix `r#`.
pub fn identifier(name: &str) -> String {
    const WORDS: [&str; 35] = [
        "as", "async", "await", "break", "const", "continue", "do", "dyn", "else", "enum", "extern", "final",
        "fn", "for", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "override", "priv",
        "pub", "ref", "return", "static", "struct", "trait", "type", "use", "where", "while",
    ];
    if WORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

#[test]
fn a_row_is_one_of_what_its_table_has_many_of() {
    let named = |table: &str| row_name(table);
    assert_eq!(named("cloud_accounts"), "CloudAccount");
    assert_eq!(named("policies"), "Policy");
    assert_eq!(named("llm_usage"), "LlmUsage");
    assert_eq!(named("user_status"), "UserStatus");
    assert_eq!(named("k8s_pods"), "K8sPod");
}
