//! Templates in definitions: Jinja with limits on work, the filters definitions use, and the current time.
//!
//! A text that consists of one `{{ path }}` retains the type of the value; any other template gives text. Keys are not rendered.

mod clock;
mod depth;
mod dots;
mod filters;
mod methods;
mod path;
mod values;

use minijinja::{Environment, Error, ErrorKind, Template, UndefinedBehavior};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub use values::to_text;

/// Maximum number of instructions for one template.
const FUEL: u64 = 200_000;
/// Maximum number of instructions when a template is only checked.
const LITTLE_FUEL: u64 = 2_000;
/// Maximum recursion depth of templates.
const DEPTH: usize = 60;
/// Maximum size of a rendered text, in bytes.
pub const LARGEST_TEXT: usize = 1024 * 1024;
/// Maximum nesting of parameters.
const DEEPEST: usize = 64;

/// Why rendering failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the template \"{template}\" failed: {reason}")]
pub struct TemplateError {
    /// The first eighty characters of the template.
    template: String,
    reason: String,
}

impl TemplateError {
    fn new(template: &str, reason: impl Into<String>) -> Self {
        Self { template: template.chars().take(80).collect(), reason: reason.into() }
    }
}

/// Renders templates at a fixed time.
pub struct Renderer {
    environment: Environment<'static>,
    now: i64,
}

impl Renderer {
    /// `now` is µs since 1970 UTC: the value of `now()` and `date`.
    pub fn new(now: i64) -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        environment.set_fuel(Some(FUEL));
        environment.set_recursion_limit(DEPTH);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_formatter(|out, _, value| {
            out.write_str(&values::printed(value))
                .map_err(|_| Error::new(ErrorKind::WriteFailure, "the text ends"))
        });
        filters::add(&mut environment, now);
        clock::add(&mut environment, now);
        methods::add(&mut environment);
        // It prints everything a template can see, including secrets.
        environment.remove_global("debug");
        Self { environment, now }
    }

    /// A renderer for checking edited definitions, with little fuel: there may be thousands of templates to check at once.
    pub fn reader() -> Self {
        let mut reader = Self::new(0);
        reader.environment.set_fuel(Some(LITTLE_FUEL));
        reader
    }

    /// The time of this renderer, µs since 1970 UTC.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Renders a text: to the value itself if it is one path, else to text. A text without a template is returned unchanged.
    pub fn text(&self, template: &str, context: &Map<String, Value>) -> Result<Value, TemplateError> {
        if !has_template(template) {
            return Ok(Value::String(template.to_owned()));
        }
        let template = &*dots::without(template);
        if let Some(path) = path::single(template)
            && let Some(found) = path::find(&path, context)
        {
            return Ok(found.clone());
        }
        let failed = |error: Error| TemplateError::new(template, reason(&error));
        // A path to a missing value gives null, not an empty text.
        if path::single(template).is_some_and(|path| !clock::NAMES.contains(&path[0].as_str())) {
            return Ok(Value::Null);
        }
        let compiled = self.read(template)?;
        let rendered = compiled.render(values::context(context)).map_err(failed)?;
        if rendered.len() > LARGEST_TEXT {
            let reason = format!("it became {} bytes long, and {LARGEST_TEXT} are allowed", rendered.len());
            return Err(TemplateError::new(template, reason));
        }
        Ok(Value::String(rendered))
    }

    fn read<'t>(&'t self, template: &'t str) -> Result<Template<'t, 't>, TemplateError> {
        depth::check(template).map_err(|reason| TemplateError::new(template, reason))?;
        let read = self.environment.template_from_str(template);
        read.map_err(|error| TemplateError::new(template, reason(&error)))
    }

    /// Checks the syntax of a template and the names of its filters, tests and functions, as far as possible without values.
    ///
    /// # Errors
    /// The problem in the template.
    pub fn check(&self, template: &str) -> Result<(), TemplateError> {
        if !has_template(template) {
            return Ok(());
        }
        let template = &*dots::without(template);
        let rendered = self.read(template)?.render(values::context(&Map::new()));
        let unknown = [
            ErrorKind::UnknownFilter,
            ErrorKind::UnknownTest,
            ErrorKind::UnknownFunction,
            ErrorKind::UnknownMethod,
        ];
        match rendered {
            Err(error) if unknown.contains(&error.kind()) => {
                Err(TemplateError::new(template, reason(&error)))
            }
            // The problem may just be that values are missing.
            _ => Ok(()),
        }
    }

    /// The top-level names used in a text that neither the text nor the clock defines.
    pub(crate) fn free_names(&self, template: &str) -> BTreeSet<String> {
        let template = &*dots::without(template);
        let Ok(read) = self.read(template) else { return BTreeSet::new() };
        let is_known = |name: &str| self.environment.globals().any(|(known, _)| known == name);
        read.undeclared_variables(false).into_iter().filter(|name| !is_known(name)).collect()
    }

    /// Renders every text in a value.
    pub fn value(&self, value: &Value, context: &Map<String, Value>) -> Result<Value, TemplateError> {
        self.nested(value, context, 0)
    }

    fn nested(
        &self,
        value: &Value,
        context: &Map<String, Value>,
        depth: usize,
    ) -> Result<Value, TemplateError> {
        if depth > DEEPEST {
            return Err(TemplateError::new("", format!("values are nested deeper than {DEEPEST} levels")));
        }
        Ok(match value {
            Value::String(text) => self.text(text, context)?,
            Value::Array(list) => Value::Array(
                list.iter().map(|value| self.nested(value, context, depth + 1)).collect::<Result<_, _>>()?,
            ),
            Value::Object(fields) => {
                let field = |(key, value): (&String, &Value)| {
                    Ok((key.clone(), self.nested(value, context, depth + 1)?))
                };
                Value::Object(fields.iter().map(field).collect::<Result<_, _>>()?)
            }
            other => other.clone(),
        })
    }

    /// Whether a condition holds: rendered, trimmed and in lower case, it is `true`.
    pub fn holds(&self, condition: &Value, context: &Map<String, Value>) -> Result<bool, TemplateError> {
        let Value::String(text) = condition else { return Ok(to_text(condition) == "true") };
        Ok(to_text(&self.text(text, context)?).trim().to_lowercase() == "true")
    }
}

/// Whether any text in a value is a template.
pub(crate) fn has_templates(value: &Value) -> bool {
    match value {
        Value::String(text) => has_template(text),
        Value::Array(list) => list.iter().any(has_templates),
        Value::Object(fields) => fields.values().any(has_templates),
        _ => false,
    }
}

/// The template parts of a text: between `{{` and `}}`, or `{%` and `%}`.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = ["{{", "{%"].iter().filter_map(|sign| rest.find(sign)).min() {
        let inside = &rest[start + 2..];
        let end = if rest[start..].starts_with("{{") { "}}" } else { "%}" };
        let Some((part, after)) = inside.split_once(end) else { break };
        found.push(part);
        rest = after;
    }
    found
}

fn has_template(text: &str) -> bool {
    ["{{", "{%", "{#"].iter().any(|sign| text.contains(sign))
}

fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::OutOfFuel => format!("it took more than {FUEL} steps"),
        kind => error.detail().map_or_else(|| kind.to_string(), |detail| format!("{kind}: {detail}")),
    }
}

#[cfg(test)]
mod tests;
