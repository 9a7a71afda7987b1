//! Splits command lines into words with the quoting rules of a shell, and no other shell features.

use serde::de::IgnoredAny;

/// Shell metacharacters: a command line that uses them expects a shell.
const SHELL: &str = "|&;<>`$()*?\n\\";

/// Splits a line into words. Quotes group words; unquoted shell metacharacters are refused.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    split(line, false)
}

/// Like [`words`], but accepts shell metacharacters as ordinary characters, for commands such as `KEYS user:*`.
pub(super) fn plain(line: &str) -> Result<Vec<String>, String> {
    split(line, true)
}

fn split(line: &str, is_plain: bool) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' if is_plain || letter != '\n' => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        None => return Err(format!("a quote ({letter}) is not closed")),
                        Some(next) if next == letter => break,
                        Some('\\') if letter == '"' => word.extend(letters.next()),
                        Some(next @ ('$' | '`')) if letter == '"' && !is_plain => return Err(no_shell(next)),
                        Some(next) => word.push(next),
                    }
                }
            }
            // Query fields such as `{size:diskSizeGb,state:diskState}` are ordinary words. With quotes inside, it is a JSON object or shell syntax.
            '{' if !is_plain && letters.as_str().starts_with(['"', '\'']) => {
                let rest = letters.as_str();
                let end = object(rest).filter(|_| word.is_none()).ok_or_else(|| no_shell(letter))?;
                word = Some(format!("{{{}", &rest[..end]));
                letters = rest[end..].chars();
            }
            letter if !is_plain && SHELL.contains(letter) => return Err(no_shell(letter)),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Ok(words)
}

/// The end of a word that is a JSON object; `rest` begins after its opening brace.
fn object(rest: &str) -> Option<usize> {
    let text = format!("{{{rest}");
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let end = values.byte_offset() - 1;
    rest[end..].chars().next().is_none_or(char::is_whitespace).then_some(end)
}

fn no_shell(letter: char) -> String {
    format!(
        "\"{}\" needs a shell, and none is run: put it in single quotes, or make each command a task",
        letter.escape_debug()
    )
}

/// A word as written in a command line, quoted if a shell would interpret it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./:=,@+%".contains(letter));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words(r#" a 'b c' d"e f"g  '' "h \" i" "#).unwrap(), ["a", "b c", "de fg", "", "h \" i"]);
        assert_eq!(words("--query 'Reservations[*].{a:b}'").unwrap()[1], "Reservations[*].{a:b}");
        let patch = r#"{"spec":{"size": "50 Gi", "of": [1, "*"]}}"#;
        assert_eq!(words(&format!("patch pvc -p {patch} -o wide")).unwrap()[3..], [patch, "-o", "wide"]);
        let query = "DBInstances[0].{Status:DBInstanceStatus,Storage:AllocatedStorage}";
        assert_eq!(
            words(&format!("--query {query} -o {{a:b,c:d}}")).unwrap(),
            ["--query", query, "-o", "{a:b,c:d}"]
        );
        for line in ["a {\"b\":1}c", "a x{\"b\":1}", "a {'b':1}"] {
            assert!(words(line).is_err(), "{line}");
        }
        assert!(words("a \"$HOME\"").is_err());
        assert!(words("").unwrap().is_empty());
        assert_eq!(
            super::plain("KEYS user:*\nSET 'a b' \"$1\"").unwrap(),
            ["KEYS", "user:*", "SET", "a b", "$1"]
        );
    }
}
