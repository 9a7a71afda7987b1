//! Parses log selectors and matches log lines against them.
//!
//! Two syntaxes are supported: that of Loki, `{app="web", ns=~"a.*"} |= "timeout" != "retry"`, and that of Kubernetes label selectors,
//! `app=web,tier in (front,back),!canary`. An empty selector matches every line. As in Loki, a missing label compares as an empty text;
//! only `key` and `!key` test for its presence. As in Loki, `detected_level` is the normalised level: error, warn, info or debug.

mod parser;

use regex::Regex;
use serde_json::{Map, Value};

/// A label that is available for every line.
const LEVEL: &str = "detected_level";

/// A parsed selector.
#[derive(Debug)]
pub(crate) struct Selector {
    labels: Vec<(String, LabelTest)>,
    lines: Vec<LineTest>,
}

#[derive(Debug)]
enum LabelTest {
    OneOf(Vec<String>),
    NoneOf(Vec<String>),
    Matches(Regex),
    MatchesNot(Regex),
    Present,
    Absent,
}

#[derive(Debug)]
enum LineTest {
    Contains(String),
    Lacks(String),
    Matches(Regex),
    MatchesNot(Regex),
}

/// A syntax error in a selector.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the log selector cannot be read at character {at}: expected {expected}, found {found}. \
     It is written {{app=\"web\", namespace=~\"shop.*\"}} |= \"timeout\", or app=web,tier in (front,back)"
)]
pub(crate) struct SelectorError {
    /// Position of the error in characters, starting at 1.
    at: usize,
    expected: String,
    found: String,
}

impl Selector {
    /// Parses either syntax. The first character decides which one.
    pub(crate) fn parse(text: &str) -> Result<Self, SelectorError> {
        parser::parse(text)
    }

    /// Whether the selector matches a message with these labels.
    pub(crate) fn matches(&self, labels: &Map<String, Value>, message: &str) -> bool {
        self.labels.iter().all(|(name, test)| test.matches(labels.get(name)))
            && self.lines.iter().all(|test| test.matches(message))
    }

    /// Whether the selector matches a line with that level. A label named `detected_level` takes precedence over `level`.
    pub(crate) fn matches_line(&self, labels: &Map<String, Value>, level: &str, message: &str) -> bool {
        let detected = Value::from(level);
        let value = |name: &str| labels.get(name).or_else(|| (name == LEVEL).then_some(&detected));
        self.labels.iter().all(|(name, test)| test.matches(value(name)))
            && self.lines.iter().all(|test| test.matches(message))
    }
}

impl LabelTest {
    fn matches(&self, label: Option<&Value>) -> bool {
        let text = match label {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        match self {
            Self::OneOf(values) => values.contains(&text),
            Self::NoneOf(values) => !values.contains(&text),
            Self::Matches(pattern) => pattern.is_match(&text),
            Self::MatchesNot(pattern) => !pattern.is_match(&text),
            Self::Present => label.is_some(),
            Self::Absent => label.is_none(),
        }
    }
}

impl LineTest {
    fn matches(&self, message: &str) -> bool {
        match self {
            Self::Contains(text) => message.contains(text.as_str()),
            Self::Lacks(text) => !message.contains(text.as_str()),
            Self::Matches(pattern) => pattern.is_match(message),
            Self::MatchesNot(pattern) => !pattern.is_match(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Selector;
    use serde_json::{Map, Value, json};

    fn labels() -> Map<String, Value> {
        let labels =
            json!({ "app": "web", "ns": "accounts", "tier": "front", "k8s.io/zone": "a", "replica": 3 });
        labels.as_object().cloned().unwrap_or_default()
    }

    #[track_caller]
    fn check(selector: &str, expected: bool) {
        let read = Selector::parse(selector);
        let picks = read.map(|read| read.matches(&labels(), "GET /cart timeout after 30s"));
        assert_eq!(picks, Ok(expected), "{selector}");
    }

    #[test]
    fn the_level_of_a_line_is_a_label() {
        let picks = |selector: &str| {
            Selector::parse(selector).unwrap().matches_line(&labels(), "error", "GET /cart timeout after 30s")
        };
        assert!(picks(r#"{detected_level="error", app="web"} |~ "(?i)TIMEOUT""#));
        assert!(picks(r#"{detected_level=~"error|warn"}"#));
        assert!(!picks(r#"{detected_level="info"}"#));
    }

    #[test]
    fn labels_are_compared_as_log_stores_compare_them() {
        check(r#"{app="web"}"#, true);
        check(r#"{app="web", ns="other"}"#, false);
        check(r#"{ app = "web" , ns != "other", }"#, true);
        check(r#"{replica="3"}"#, true);
        check("{app=`web`}", true);
        check("{}", true);
        check("", true);
    }

    #[test]
    fn a_pattern_must_fit_the_whole_label_and_any_part_of_the_line() {
        check(r#"{ns=~"a.*"}"#, true);
        check(r#"{ns=~"count"}"#, false);
        check(r#"{ns!~"a.*|b.*"}"#, false);
        check(r#"{app="web"} |~ "after [0-9]+s""#, true);
        check(r#"{app="web"} !~ "^GET""#, false);
    }

    #[test]
    fn line_filters_all_have_to_hold() {
        check(r#"{app="web"} |= "timeout" |= "cart""#, true);
        check(r#"{app="web"} |= "timeout" != "cart""#, false);
        check(r#"|= "timeout""#, true);
    }

    #[test]
    fn a_missing_label_is_an_empty_text() {
        check(r#"{nowhere=""}"#, true);
        check(r#"{nowhere!="x"}"#, true);
        check(r#"{nowhere=~".+"}"#, false);
    }

    #[test]
    fn labels_are_compared_as_kubernetes_compares_them() {
        check("app=web", true);
        check("app==web,tier!=back", true);
        check("tier in (front, back)", true);
        check("tier notin (front,back)", false);
        check("k8s.io/zone in (a)", true);
        check("app,!canary", true);
        check("!app", false);
        check("inside", false);
    }

    #[track_caller]
    fn refused(selector: &str, at: usize, expected: &str, found: &str) {
        let error = Selector::parse(selector).expect_err(selector);
        assert_eq!(
            (error.at, error.expected.as_str(), error.found.as_str()),
            (at, expected, found),
            "{selector}"
        );
    }

    #[test]
    fn what_is_not_understood_is_shown_with_its_place() {
        refused("{app=web}", 6, "a value in \" or `", "\"web}\"");
        refused(r#"{app="web""#, 11, "\",\" or \"}\"", "the end");
        refused(r#"{app="web}"#, 6, "a value that ends with \"", "\"\\\"web}\"");
        refused("{app}", 5, "=, !=, =~ or !~", "\"}\"");
        refused(r#"{app="web"} timeout"#, 13, "|=, !=, |~ or !~", "\"timeout\"");
        refused("app=web tier=x", 9, "\",\"", "\"tier=x\"");
        refused("tier in front", 9, "\"(\"", "\"front\"");
        refused("tier in (front", 15, "\",\" or \")\"", "the end");
        refused("=web", 1, "the name of a label", "\"=web\"");
        refused("app=web,", 9, "the name of a label", "the end");
    }

    #[test]
    fn a_pattern_that_is_none_is_refused_with_the_reason() {
        let error = Selector::parse(r#"{ns=~"a("}"#).expect_err("no pattern");
        assert!(error.to_string().contains("expected a regular expression"), "{error}");
        assert!(error.found.contains("unclosed group"), "{error}");
    }
}
