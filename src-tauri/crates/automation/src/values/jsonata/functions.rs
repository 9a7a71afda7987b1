//! JSONata functions by name.

mod calls;
#[expect(clippy::unnecessary_wraps, reason = "all functions of the language have one signature")]
mod lists;
mod numbers;
#[expect(clippy::unnecessary_wraps, reason = "all functions of the language have one signature")]
mod objects;
mod texts;

use super::machine::{Evaluation, Machine};
use super::value::Val;

type Code = for<'e> fn(&mut Machine<'e>, Vec<Val<'e>>) -> Evaluation<'e>;

pub(super) struct Builtin {
    name: &'static str,
    /// Minimum number of arguments. If one is missing and `takes_context` is set, the context becomes the first.
    least: usize,
    most: usize,
    takes_context: bool,
    code: Code,
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "${}", self.name)
    }
}

/// JSONata functions that are not supported, since they need time, randomness, or picture strings.
pub(super) const MISSING: [&str; 14] = [
    "base64decodeUrl",
    "clone",
    "decodeUrl",
    "encodeUrl",
    "eval",
    "formatBase",
    "formatInteger",
    "formatNumber",
    "millis",
    "now",
    "parseInteger",
    "random",
    "shuffle",
    "single",
];

const fn function(name: &'static str, least: usize, most: usize, code: Code) -> Builtin {
    Builtin { name, least, most, takes_context: false, code }
}

const fn of_context(name: &'static str, least: usize, most: usize, code: Code) -> Builtin {
    Builtin { name, least, most, takes_context: true, code }
}

static FUNCTIONS: &[Builtin] = &[
    of_context("abs", 1, 1, numbers::abs),
    function("append", 2, 2, lists::append),
    function("assert", 1, 2, objects::assert),
    function("average", 1, 1, numbers::average),
    of_context("base64decode", 1, 1, texts::base64_decode),
    of_context("base64encode", 1, 1, texts::base64_encode),
    of_context("boolean", 1, 1, objects::boolean),
    of_context("ceil", 1, 1, numbers::ceil),
    of_context("contains", 2, 2, texts::contains),
    function("count", 1, 1, lists::count),
    of_context("decodeUrlComponent", 1, 1, texts::decode_url_component),
    function("distinct", 1, 1, lists::distinct),
    of_context("each", 2, 2, calls::each),
    of_context("encodeUrlComponent", 1, 1, texts::encode_url_component),
    function("error", 0, 1, objects::error),
    function("exists", 1, 1, objects::exists),
    function("filter", 2, 2, calls::filter),
    of_context("floor", 1, 1, numbers::floor),
    of_context("fromMillis", 1, 1, numbers::from_millis),
    function("join", 1, 2, texts::join),
    of_context("keys", 1, 1, objects::keys),
    of_context("length", 1, 1, texts::length),
    of_context("lookup", 2, 2, objects::lookup),
    of_context("lowercase", 1, 1, texts::lowercase),
    function("map", 2, 2, calls::map),
    of_context("match", 2, 3, texts::matches),
    function("max", 1, 1, numbers::max),
    function("merge", 1, 1, objects::merge),
    function("min", 1, 1, numbers::min),
    of_context("not", 1, 1, objects::not),
    of_context("number", 1, 1, numbers::number),
    of_context("pad", 2, 3, texts::pad),
    of_context("power", 2, 2, numbers::power),
    function("reduce", 2, 3, calls::reduce),
    of_context("replace", 3, 4, texts::replace),
    function("reverse", 1, 1, lists::reverse),
    of_context("round", 1, 2, numbers::round),
    of_context("sift", 2, 2, calls::sift),
    function("sort", 1, 2, calls::sort),
    of_context("split", 2, 3, texts::split),
    of_context("spread", 1, 1, objects::spread),
    of_context("sqrt", 1, 1, numbers::sqrt),
    of_context("string", 1, 2, texts::string),
    of_context("substring", 2, 3, texts::substring),
    of_context("substringAfter", 2, 2, texts::substring_after),
    of_context("substringBefore", 2, 2, texts::substring_before),
    function("sum", 1, 1, numbers::sum),
    of_context("toMillis", 1, 1, numbers::to_millis),
    of_context("trim", 1, 1, texts::trim),
    of_context("type", 1, 1, objects::kind),
    of_context("uppercase", 1, 1, texts::uppercase),
    function("zip", 1, 20, lists::zip),
];

/// The function with that name.
pub(super) fn find(name: &str) -> Option<&'static Builtin> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

impl Builtin {
    pub(super) fn call<'e>(
        &self,
        machine: &mut Machine<'e>,
        mut arguments: Vec<Val<'e>>,
        context: &Val<'e>,
    ) -> Evaluation<'e> {
        if self.takes_context && arguments.len() + 1 == self.least {
            arguments.insert(0, context.clone());
        }
        if !(self.least..=self.most).contains(&arguments.len()) {
            let expected = if self.least == self.most {
                self.least.to_string()
            } else {
                format!("{} to {}", self.least, self.most)
            };
            return Err(format!("${}: expected {expected} arguments, found {}", self.name, arguments.len()));
        }
        arguments.resize(self.most, Val::Nothing);
        (self.code)(machine, arguments).map_err(|reason| {
            if reason.starts_with('$') { reason } else { format!("${}: {reason}", self.name) }
        })
    }

    /// The number of arguments that a calling function passes to it.
    pub(super) fn takes(&self) -> usize {
        self.least.max(1)
    }
}

/// The text of an argument; `None` if it is undefined.
fn text<'a>(value: &'a Val<'_>) -> Result<Option<&'a str>, String> {
    match value {
        Val::Nothing => Ok(None),
        Val::Text(text) => Ok(Some(text)),
        other => Err(format!("expected a text, found {}", other.kind())),
    }
}

/// The number of an argument; `None` if it is undefined.
fn number(value: &Val<'_>) -> Result<Option<f64>, String> {
    match value {
        Val::Nothing => Ok(None),
        other => match other.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(format!("expected a number, found {}", other.kind())),
        },
    }
}

/// An argument truncated to a whole number.
fn whole(value: &Val<'_>) -> Result<Option<i64>, String> {
    let Some(number) = number(value)? else { return Ok(None) };
    let number = number.trunc().clamp(-9e15, 9e15);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within 2^53")]
    let number = number as i64;
    Ok(Some(number))
}
