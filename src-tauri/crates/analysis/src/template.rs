//! Reduces log lines to the part they have in common.

/// The line with its variable parts (numbers, ids, addresses, quoted values) replaced by `<*>`. Lines that the same statement of a program wrote
/// give the same template.
pub fn template(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    for (place, word) in message.split_whitespace().enumerate() {
        if place > 0 {
            out.push(' ');
        }
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        let named = core.split_once('=').filter(|(name, value)| !is_value(name) && is_value(value));
        if let Some((name, value)) = named {
            // key=value: the key is part of the statement.
            let start = word.find(core).unwrap_or_default() + name.len() + 1;
            out.push_str(&word[..start]);
            out.push_str("<*>");
            out.push_str(&word[start + value.len()..]);
        } else if is_value(core) {
            let start = word.find(core).unwrap_or_default();
            out.push_str(&word[..start]);
            out.push_str("<*>");
            out.push_str(&word[start + core.len()..]);
        } else {
            out.push_str(word);
        }
    }
    out
}

/// Whether a word is a value, judged by its digits: a number, a time, an id, an address. A word with a single digit among more letters, like
/// `http2`, is not.
fn is_value(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    digits > 0
        && (letters == 0 || digits * 3 >= letters || word.starts_with(|c: char| c.is_ascii_digit()))
        && !(letters > digits && digits == 1)
}

#[cfg(test)]
mod tests {
    use super::template;

    #[test]
    fn lines_of_one_statement_come_out_equal() {
        let one = template("timeout after 3012ms calling 10.0.0.7:8443 id=9f86d081");
        assert_eq!(one, template("timeout after 12ms calling 10.0.3.9:8443 id=1b4f0e98"));
        assert_eq!(one, "timeout after <*> calling <*> id=<*>");
    }

    #[test]
    fn words_stay_words() {
        assert_eq!(template("http2 stream closed by peer"), "http2 stream closed by peer");
    }

    #[test]
    fn marks_around_a_value_stay() {
        assert_eq!(template("retry (3) of [17]: failed"), "retry (<*>) of [<*>]: failed");
    }
}
