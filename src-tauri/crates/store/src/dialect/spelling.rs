//! Expressions that SQLite and PostgreSQL write differently. Functions that neither has are our own, with the same name in both
//! (`driver/functions.rs`, `schema/postgres/functions.sql`).

use crate::query::{Direction, Term};
use crate::shared;
use crate::sql::DECIMAL_COLLATION;
use crate::sql::Dialect;
use crate::statement::Print;
use catalogue::Column;

impl Dialect {
    /// A column of the row with this alias; an empty alias means the only row in scope.
    pub(crate) fn cell(self, alias: &str, column: &Column) -> String {
        let row = if alias.is_empty() { String::new() } else { format!("{alias}.") };
        match (self, &column.shared) {
            (Self::Sqlite, Some(place)) => shared::read(&row, place),
            _ => format!("{row}\"{}\"", column.name),
        }
    }

    /// The assignments of an UPDATE; `row` is the alias of the updated row with its point.
    pub(crate) fn assignments(self, row: &str, sets: &[(&Column, String)]) -> Vec<String> {
        match self {
            Self::Sqlite => shared::assignments(row, sets),
            Self::Postgres => {
                sets.iter().map(|(column, value)| format!("\"{}\" = {value}", column.name)).collect()
            }
        }
    }

    /// Adds the collation that decimals lose in a function. PostgreSQL sorts decimals by value without one.
    pub(super) fn collated(self, expression: String, print: Print) -> String {
        if self == Self::Sqlite && print == Print::Decimal {
            format!("{expression} COLLATE {DECIMAL_COLLATION}")
        } else {
            expression
        }
    }

    /// The expression by which a value is sorted; text is sorted by its bytes.
    pub(super) fn in_order(self, expression: String, print: Print) -> String {
        match (self, print) {
            (Self::Sqlite, _) => self.collated(expression, print),
            (Self::Postgres, Print::Text) => format!("{expression} COLLATE \"C\""),
            (Self::Postgres, _) => expression,
        }
    }

    /// One term of ORDER BY. SQLite sorts nulls as smallest, PostgreSQL and the interface as largest. The position of nulls is stated only
    /// where the two differ. SQLite can then still use an index, with a separate pass for the nulls. For values that are never null
    /// nothing is stated, therefore other indices can be used too.
    pub(super) fn ordered(self, expression: &str, direction: Direction, nullable: bool) -> String {
        let (word, nulls_first) = match direction {
            Direction::Ascending { nulls_first } => ("ASC", nulls_first),
            Direction::Descending { nulls_first } => ("DESC", nulls_first),
        };
        let is_usual = match self {
            Self::Sqlite => nulls_first == (word == "ASC"),
            Self::Postgres => nulls_first == (word == "DESC"),
        };
        if !nullable || is_usual {
            return format!("{expression} {word}");
        }
        format!("{expression} {word} NULLS {}", if nulls_first { "FIRST" } else { "LAST" })
    }

    /// Compares text case-insensitively. PostgreSQL's case-insensitive collation can use an index, but it ignores invisible characters
    /// (U+00AD, U+200B, control characters) and sorts differently. Rows it finds are therefore compared a second time.
    pub(crate) fn compared_without_case(self, left: &str, sign: &str, right: &str) -> String {
        let folded = format!("{} {sign} {}", folded(left), folded(right));
        match (self, sign) {
            (Self::Sqlite, _) => format!("{left} {sign} {right}"),
            (Self::Postgres, "=") => format!("({left} = {right} AND {folded})"),
            (Self::Postgres, _) => folded,
        }
    }

    /// Tests case-insensitively whether text is one of several.
    pub(crate) fn among_without_case(self, left: &str, texts: &[String]) -> String {
        let found = format!("{left} IN ({})", texts.join(", "));
        match self {
            Self::Sqlite => found,
            Self::Postgres => {
                let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
                format!("({found} AND {} IN ({}))", folded(left), texts.join(", "))
            }
        }
    }

    /// The expression by which case-insensitive text is compared for equality.
    pub(super) fn told_apart(self, value: &str, any_case: bool) -> String {
        if any_case && self == Self::Postgres { folded(value) } else { value.to_owned() }
    }

    /// A number of any type as an argument of a statistical function.
    pub(super) fn float(self, cell: String) -> String {
        match self {
            Self::Sqlite => cell,
            Self::Postgres => format!("{cell}::float8"),
        }
    }

    /// Counts distinct combinations of several values. A combination is never null, even if all its parts are.
    pub(super) fn combinations(self, values: &[(String, Print, bool)]) -> String {
        match self {
            Self::Sqlite => {
                let parts: Vec<String> = values.iter().map(part).collect();
                format!("count(DISTINCT {})", parts.join(" || ',' || "))
            }
            Self::Postgres => {
                let value = |(value, print, any_case): &(String, Print, bool)| match print {
                    Print::Json | Print::JsonWithWhitespace => format!("json_print({value})"),
                    _ => self.told_apart(value, *any_case),
                };
                format!("count(DISTINCT ({}))", values.iter().map(value).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Completes an aggregate after its call and FILTER.
    pub(super) fn finished(self, call: String, term: &Term) -> String {
        match (self, term) {
            (Self::Postgres, Term::Latest { .. }) => format!("({call})[1]"),
            (Self::Postgres, Term::Values(_)) => {
                format!("coalesce(array_to_json(array_remove({call}, NULL)), '[]'::json)")
            }
            _ => call,
        }
    }

    /// The value of the row with the greatest `by`, then `tie`.
    pub(super) fn value_at_greatest(self, value: &str, by: &str, tie: &str) -> String {
        match self {
            Self::Sqlite => format!("value_at_greatest({value}, {by}, {tie})"),
            Self::Postgres => {
                format!("array_agg({value} ORDER BY {by} DESC NULLS LAST, {tie} DESC NULLS LAST)")
            }
        }
    }

    /// The distinct values that are not null, sorted, as a JSON list.
    pub(super) fn json_values(self, value: &str, print: Print) -> String {
        match self {
            Self::Sqlite => format!("json_values({value})"),
            Self::Postgres => {
                let value = self.in_order(value.to_owned(), print);
                format!("array_agg(DISTINCT {value} ORDER BY {value})")
            }
        }
    }

    /// A JSON path (`$.a[0]`) in the notation of the dialect's operators.
    pub(super) fn path(self, path: &str) -> String {
        match self {
            Self::Sqlite => path.to_owned(),
            Self::Postgres => path_list(path),
        }
    }

    /// The JSON value at a path.
    pub(super) fn json_at(self, cell: &str, path: &str) -> String {
        match self {
            Self::Sqlite => format!("{cell} -> {path}"),
            Self::Postgres => format!("({cell} #> ({path}::text)::text[])"),
        }
    }

    /// The text at a JSON path; numbers and booleans as JSON writes them.
    pub(crate) fn text_at(self, cell: &str, path: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "CASE json_type({cell}, {path}) WHEN 'text' THEN {cell} ->> {path} WHEN 'null' THEN NULL ELSE {cell} -> {path} END"
            ),
            Self::Postgres => format!("json_text_at({cell}, ({path}::text)::text[])"),
        }
    }
}

/// PostgreSQL text with case folded, sorted by its bytes.
fn folded(text: &str) -> String {
    format!("text_fold({text}) COLLATE \"C\"")
}

/// A value as part of a combination: equal exactly if the values are equal, including null, and without the comma that separates the parts.
fn part((value, print, any_case): &(String, Print, bool)) -> String {
    // `quote` ends a text at its first NUL.
    let text = match print {
        _ if *any_case => format!("text_fold({value})"),
        Print::Json => format!("json_print({value})"),
        Print::Text | Print::Decimal => value.clone(),
        _ => return format!("quote({value})"),
    };
    format!("iif({value} IS NULL, '-', hex({text}))")
}

/// Converts `$.a."b c"[0]` to the text of a list of steps: `{"a","b c","0"}`.
fn path_list(path: &str) -> String {
    let mut steps: Vec<String> = Vec::new();
    let mut letters = path.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                let mut step = String::new();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    step.extend(if letter == '\\' { escaped(&mut letters) } else { Some(letter) });
                }
                steps.push(step);
            }
            '$' | '.' | '[' | ']' => {}
            letter => {
                let mut step = String::from(letter);
                while let Some(letter) = letters.next_if(|letter| !['.', '[', ']'].contains(letter)) {
                    step.push(letter);
                }
                steps.push(step);
            }
        }
    }
    let quoted = |step: &String| format!("\"{}\"", step.replace('\\', "\\\\").replace('"', "\\\""));
    format!("{{{}}}", steps.iter().map(quoted).collect::<Vec<_>>().join(","))
}

/// The character after a backslash: itself, or given by its code (`u0000`).
fn escaped(letters: &mut impl Iterator<Item = char>) -> Option<char> {
    match letters.next() {
        Some('u') => {
            let number: String = letters.take(4).collect();
            u32::from_str_radix(&number, 16).ok().and_then(char::from_u32)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::path_list;

    #[test]
    fn paths_become_lists_of_steps() {
        assert_eq!(path_list("$.a[0]"), r#"{"a","0"}"#);
        assert_eq!(path_list(r#"$."b c".d"#), r#"{"b c","d"}"#);
        assert_eq!(path_list("$"), "{}");
        assert_eq!(path_list(r#"$."q\"x""#), r#"{"q\"x"}"#);
        assert_eq!(path_list(r#"$."a\u0000b""#), "{\"a\0b\"}");
    }
}
