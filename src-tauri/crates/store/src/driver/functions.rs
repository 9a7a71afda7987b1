//! SQL functions that SQLite lacks: exact decimals, PostgreSQL's LIKE, JSON containment, calendar units, variance.

use super::text_list;
use crate::query::TimeUnit;
use crate::sql::DECIMAL_COLLATION;
use crate::values::calendar::start_of;
use crate::values::citext::{self, fold};
use crate::values::json_changes::{concat, with_text, without_element, without_key, without_path};
use crate::values::json_predicates::{has_key, holds, order, print, text_under};
use crate::values::json_sort::sort_key;
use crate::values::like::matches;
use crate::values::pattern::{Dialect, compile};
use catalogue::{Decimal, DecimalSum};
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result};
use std::cmp::Ordering;
use uuid::Uuid;

/// Prefix of error messages for results out of range, although the arguments are valid.
pub(crate) const OUT_OF_RANGE: &str = "value out of range: ";
/// Prefix of error messages for changes that a JSON value does not allow.
pub(crate) const WRONG_JSON: &str = "not with this JSON: ";

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);

/// Registers the functions on a connection.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    super::gathering::register(connection)?;
    citext::register(connection)?;
    connection.create_collation(DECIMAL_COLLATION, compare_decimals)?;
    connection.create_aggregate_function("decimal_sum", 1, PURE, ExactSum)?;
    connection.create_aggregate_function("decimal_avg", 1, PURE, ExactAverage)?;
    for (name, spread) in [
        ("stddev_samp", Spread { sample: true, root: true }),
        ("stddev_pop", Spread { sample: false, root: true }),
        ("var_samp", Spread { sample: true, root: false }),
        ("var_pop", Spread { sample: false, root: false }),
    ] {
        connection.create_aggregate_function(name, 1, PURE, spread)?;
    }
    connection.create_aggregate_function("corr", 2, PURE, Together { correlation: true })?;
    connection.create_aggregate_function("covar_samp", 2, PURE, Together { correlation: false })?;
    connection.create_scalar_function("text_fold", 1, PURE, |context| {
        Ok(context.get_raw(0).as_str_or_null()?.map(|text| fold(text).into_owned()))
    })?;
    connection.create_scalar_function("text_like", 2, PURE, |context| like(context, false))?;
    connection.create_scalar_function("text_ilike", 2, PURE, |context| like(context, true))?;
    for (name, dialect) in [
        ("text_similar", Dialect::Similar),
        ("text_isimilar", Dialect::SimilarAnyCase),
        ("text_regex", Dialect::Regex),
        ("text_iregex", Dialect::RegexAnyCase),
    ] {
        connection.create_scalar_function(name, 2, PURE, move |context| pattern(context, dialect))?;
    }
    connection.create_scalar_function("json_order", 2, PURE, |context| {
        both_texts(context).map(|texts| texts.map(|(left, right)| order(left, right) as i64))
    })?;
    connection.create_scalar_function("json_sort_key", 1, PURE, |context| match context.get_raw(0) {
        ValueRef::Null => Ok(None),
        json => Ok(Some(sort_key(json.as_str()?))),
    })?;
    connection.create_scalar_function("decimal_add", 2, PURE, |context| {
        let Some((left, right)) = both_texts(context)? else { return Ok(None) };
        let read = |text: &str| Decimal::parse(text).map_err(|error| Error::UserFunctionError(error.into()));
        let sum = read(left)?.checked_add(read(right)?);
        let sum = sum.ok_or_else(|| out_of_range("the sum needs more than 38 digits"))?;
        Ok(Some(sum.to_string()))
    })?;
    connection.create_scalar_function("int_add", 3, PURE, |context| {
        let (Some(left), Some(right)) = (context.get::<Option<i64>>(0)?, context.get::<Option<i64>>(1)?)
        else {
            return Ok(None);
        };
        let bits: u32 = context.get(2)?;
        let fits = |sum: &i64| bits >= 64 || i32::try_from(*sum).is_ok();
        let sum = left.checked_add(right).filter(fits);
        sum.map(Some).ok_or_else(|| out_of_range(&format!("the sum is no {bits}-bit integer")))
    })?;
    connection.create_scalar_function("float_add", 2, PURE, |context| {
        let (Some(left), Some(right)) = (context.get::<Option<f64>>(0)?, context.get::<Option<f64>>(1)?)
        else {
            return Ok(None);
        };
        let sum = left + right;
        if sum.is_finite() { Ok(Some(sum)) } else { Err(out_of_range("the sum is beyond every float")) }
    })?;
    connection.create_scalar_function("json_concat", 2, PURE, |context| {
        both_texts(context).map(|texts| texts.map(|(left, right)| concat(left, right)))
    })?;
    connection.create_scalar_function("json_without_key", 2, PURE, |context| {
        both_texts(context).map(|texts| texts.map(|(json, key)| without_key(json, key)))
    })?;
    connection.create_scalar_function("json_without_element", 2, PURE, |context| {
        match (context.get_raw(0), context.get::<Option<i64>>(1)?) {
            (ValueRef::Null, _) | (_, None) => Ok(None),
            (json, Some(place)) => without_element(json.as_str()?, place).map(Some).map_err(wrong_json),
        }
    })?;
    connection.create_scalar_function("json_without_path", 2, PURE, |context| {
        both_texts(context).map(|texts| texts.map(|(json, path)| without_path(json, path)))
    })?;
    connection.create_scalar_function("json_with_text", 3, PURE, |context| {
        let (json, text) = (context.get_raw(0).as_str_or_null()?, context.get_raw(2).as_str_or_null()?);
        Ok(with_text(json, context.get_raw(1).as_str()?, text))
    })?;
    connection.create_scalar_function("json_print", 1, PURE, |context| match context.get_raw(0) {
        ValueRef::Null => Ok(None),
        json => Ok(Some(print(json.as_str()?))),
    })?;
    connection.create_scalar_function("json_holds", 2, PURE, |context| {
        both_texts(context).map(|texts| texts.map(|(json, part)| holds(json, part)))
    })?;
    connection.create_scalar_function("json_has_key", 2, PURE, |context| {
        both_texts(context).map(|texts| texts.map(|(json, key)| has_key(json, key)))
    })?;
    connection.create_scalar_function("json_text", 2, PURE, |context| {
        both_texts(context).map(|texts| texts.and_then(|(json, key)| text_under(json, key)))
    })?;
    connection.create_scalar_function("uuid_text", 1, PURE, |context| {
        let bytes = context.get_raw(0).as_blob_or_null()?;
        Ok(bytes.and_then(|bytes| Uuid::from_slice(bytes).ok()).map(|uuid| uuid.to_string()))
    })?;
    connection.create_scalar_function("text_uuid", 1, PURE, |context| {
        let text = context.get_raw(0).as_str_or_null()?;
        Ok(text.and_then(|text| Uuid::parse_str(text).ok()).map(|uuid| uuid.as_bytes().to_vec()))
    })?;
    connection.create_scalar_function("text_list", 1, PURE, |context| {
        let held = context.get_raw(0).as_str_or_null()?;
        Ok(held.map(|held| text_list::text_list(held).into_owned()))
    })?;
    connection.create_scalar_function("time_start", 2, PURE, |context| {
        let Some(micros) = context.get::<Option<i64>>(0)? else { return Ok(None) };
        let unit = context.get_raw(1).as_str().ok().and_then(TimeUnit::find).unwrap_or(TimeUnit::Day);
        Ok(Some(start_of(micros, unit)))
    })
}

fn out_of_range(why: &str) -> Error {
    Error::UserFunctionError(format!("{OUT_OF_RANGE}{why}").into())
}

fn wrong_json(why: &str) -> Error {
    Error::UserFunctionError(format!("{WRONG_JSON}{why}").into())
}

fn both_texts<'a>(context: &'a Context<'_>) -> Result<Option<(&'a str, &'a str)>> {
    match (context.get_raw(0), context.get_raw(1)) {
        (ValueRef::Null, _) | (_, ValueRef::Null) => Ok(None),
        (left, right) => Ok(Some((left.as_str()?, right.as_str()?))),
    }
}

fn like(context: &Context<'_>, any_case: bool) -> Result<Option<bool>> {
    Ok(both_texts(context)?.map(|(text, pattern)| matches(text, pattern, any_case)))
}

/// The pattern is compiled once per statement, not once per row.
fn pattern(context: &Context<'_>, dialect: Dialect) -> Result<Option<bool>> {
    if matches!((context.get_raw(0), context.get_raw(1)), (ValueRef::Null, _) | (_, ValueRef::Null)) {
        return Ok(None);
    }
    let compiled = context.get_or_create_aux(1, |pattern| {
        let pattern = pattern.as_str().map_err(|error| error.to_string())?;
        compile(pattern, dialect).map_err(|error| error.to_string())
    })?;
    Ok(Some(compiled.is_match(context.get_raw(0).as_str()?)))
}

fn compare_decimals(left: &str, right: &str) -> Ordering {
    match (Decimal::parse(left), Decimal::parse(right)) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        // Sums and averages may have more digits than [`Decimal`] can hold.
        _ => match (left.parse::<f64>(), right.parse::<f64>()) {
            (Ok(left), Ok(right)) => left.total_cmp(&right),
            _ => left.cmp(right),
        },
    }
}

/// Converts a number of any type to a float.
fn number(cell: ValueRef<'_>) -> Result<Option<f64>> {
    Ok(match cell {
        ValueRef::Null => None,
        ValueRef::Real(value) => Some(value),
        ValueRef::Integer(value) => Some(Decimal::from(value).to_f64()),
        text => Some(Decimal::parse(text.as_str()?).map_or(0.0, Decimal::to_f64)),
    })
}

fn decimal_of(context: &Context<'_>) -> Result<Option<Decimal>> {
    let text = match context.get_raw(0) {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(number) => return Ok(Some(Decimal::from(number))),
        other => other.as_str()?,
    };
    let unreadable = |error| Error::UserFunctionError(format!("decimal {text:?}: {error}").into());
    Decimal::parse(text).map(Some).map_err(unreadable)
}

/// Exact sum; null if there are no values.
struct ExactSum;

/// The running total and the number of values.
type Total = (DecimalSum, u32);

fn add(context: &Context<'_>, total: &mut Total) -> Result<()> {
    if let Some(value) = decimal_of(context)? {
        total.0.add(value);
        total.1 += 1;
    }
    Ok(())
}

impl Aggregate<Total, Option<String>> for ExactSum {
    fn init(&self, _: &mut Context<'_>) -> Result<Total> {
        Ok(Total::default())
    }

    fn step(&self, context: &mut Context<'_>, total: &mut Total) -> Result<()> {
        add(context, total)
    }

    fn finalize(&self, _: &mut Context<'_>, total: Option<Total>) -> Result<Option<String>> {
        Ok(total.filter(|total| total.1 > 0).map(|total| total.0.to_string()))
    }
}

/// Mean of decimals, see [`DecimalSum::mean`]; null if there are no values.
struct ExactAverage;

impl Aggregate<Total, Option<String>> for ExactAverage {
    fn init(&self, _: &mut Context<'_>) -> Result<Total> {
        Ok(Total::default())
    }

    fn step(&self, context: &mut Context<'_>, total: &mut Total) -> Result<()> {
        add(context, total)
    }

    fn finalize(&self, _: &mut Context<'_>, total: Option<Total>) -> Result<Option<String>> {
        Ok(total.filter(|total| total.1 > 0).map(|(sum, count)| sum.mean(count)))
    }
}

/// Variance or standard deviation, by Welford's method; null if there are no values, and for a sample of one value.
struct Spread {
    sample: bool,
    root: bool,
}

#[derive(Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Aggregate<Moments, Option<f64>> for Spread {
    fn init(&self, _: &mut Context<'_>) -> Result<Moments> {
        Ok(Moments::default())
    }

    fn step(&self, context: &mut Context<'_>, moments: &mut Moments) -> Result<()> {
        let Some(value) = number(context.get_raw(0))? else { return Ok(()) };
        moments.count += 1.0;
        let distance = value - moments.mean;
        moments.mean += distance / moments.count;
        moments.squares += distance * (value - moments.mean);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, moments: Option<Moments>) -> Result<Option<f64>> {
        let moments = moments.unwrap_or_default();
        let divisor = if self.sample { moments.count - 1.0 } else { moments.count };
        if divisor <= 0.0 {
            return Ok(None);
        }
        let variance = moments.squares / divisor;
        Ok(Some(if self.root { variance.sqrt() } else { variance }))
    }
}

/// Sample covariance or correlation of two columns; null for fewer than two pairs.
struct Together {
    correlation: bool,
}

#[derive(Default)]
struct Pairs {
    count: f64,
    means: (f64, f64),
    squares: (f64, f64),
    products: f64,
}

impl Aggregate<Pairs, Option<f64>> for Together {
    fn init(&self, _: &mut Context<'_>) -> Result<Pairs> {
        Ok(Pairs::default())
    }

    fn step(&self, context: &mut Context<'_>, pairs: &mut Pairs) -> Result<()> {
        let (Some(x), Some(y)) = (number(context.get_raw(0))?, number(context.get_raw(1))?) else {
            return Ok(());
        };
        pairs.count += 1.0;
        let (from_x, from_y) = (x - pairs.means.0, y - pairs.means.1);
        pairs.means.0 += from_x / pairs.count;
        pairs.means.1 += from_y / pairs.count;
        pairs.squares.0 += from_x * (x - pairs.means.0);
        pairs.squares.1 += from_y * (y - pairs.means.1);
        pairs.products += from_x * (y - pairs.means.1);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, pairs: Option<Pairs>) -> Result<Option<f64>> {
        let pairs = pairs.unwrap_or_default();
        if self.correlation {
            let spread = (pairs.squares.0 * pairs.squares.1).sqrt();
            return Ok((pairs.count > 0.0 && spread > 0.0).then(|| pairs.products / spread));
        }
        Ok((pairs.count > 1.0).then(|| pairs.products / (pairs.count - 1.0)))
    }
}
