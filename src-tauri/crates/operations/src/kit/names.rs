//! Validation of names that users give to documents, agents and tools.

use graphql::Refusal;

/// Refuses a name that breaks the rule for knowledge bases (semantics §12): 3 to 100 characters, starting with a letter, then letters, digits,
/// spaces, hyphens, underscores and colons. Surrounding spaces are ignored.
pub(crate) fn check_name<'a>(noun: &str, name: &'a str) -> Result<&'a str, Refusal> {
    let name = name.trim();
    let length = name.chars().count();
    let refuse = |why: String| Err(Refusal::invalid(format!("the name of the {noun} {why}")));
    if !(3..=100).contains(&length) {
        return refuse(format!("is {length} long: expected 3 to 100 characters"));
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return refuse(format!("is {name:?}: expected a letter (a to z) first"));
    }
    let allowed = |c: &char| c.is_ascii_alphanumeric() || [' ', '-', '_', ':'].contains(c);
    match name.chars().find(|c| !allowed(c)) {
        Some(found) => refuse(format!(
            "is {name:?}: {found:?} is not allowed; expected letters (a to z), digits, spaces, hyphens, underscores and colons"
        )),
        None => Ok(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> String {
        check_name("agent", name).unwrap_err().message
    }

    #[test]
    fn a_name_of_letters_digits_and_the_four_marks_is_accepted() {
        assert_eq!(check_name("agent", " Team sea: run-book_2 "), Ok("Team sea: run-book_2"));
        assert_eq!(check_name("agent", &"a".repeat(100)).map(str::len), Ok(100));
    }

    #[test]
    fn a_name_too_short_or_too_long_is_refused_with_its_length() {
        assert_eq!(refused("ab"), "the name of the agent is 2 long: expected 3 to 100 characters");
        assert_eq!(
            refused(&"a".repeat(101)),
            "the name of the agent is 101 long: expected 3 to 100 characters"
        );
    }

    #[test]
    fn a_name_that_does_not_begin_with_a_letter_is_refused() {
        assert_eq!(
            refused("2nd try"),
            "the name of the agent is \"2nd try\": expected a letter (a to z) first"
        );
    }

    #[test]
    fn a_forbidden_character_is_named() {
        assert_eq!(
            refused("notes.txt"),
            "the name of the agent is \"notes.txt\": '.' is not allowed; expected letters (a to z), digits, spaces, \
             hyphens, underscores and colons"
        );
    }
}
