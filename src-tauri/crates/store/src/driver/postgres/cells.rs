//! Converts values between PostgreSQL's types and SQLite's storage classes; the declared type of a parameter or column decides.

use super::{nul, numeric};
use rusqlite::types::Value;
use std::error::Error;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, Kind, ToSql, Type, to_sql_checked};

type Fault = Box<dyn Error + Sync + Send>;

/// Microseconds from 1970 to 2000, PostgreSQL's epoch.
const EPOCH_MICROS: i64 = 946_684_800_000_000;
/// PostgreSQL's earliest and latest time, in microseconds since 2000 (`datatype/timestamp.h`).
const EARLIEST: i64 = -211_813_488_000_000_000;
const LATEST: i64 = 9_223_371_331_199_999_999;
/// Days from 1970 to 2000.
const EPOCH_DAYS: i64 = 10_957;

/// The value of a parameter.
#[derive(Debug, Clone)]
pub(super) enum Argument {
    One(Value),
    /// A one-dimensional array.
    Each(Vec<Value>),
}

impl Argument {
    pub(super) const NULL: Self = Self::One(Value::Null);

    /// Appends the binary form of the type.
    pub(super) fn encode(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Fault> {
        match self {
            Self::One(value) => encode(value, ty, out),
            Self::Each(values) => encode_list(values, ty, out),
        }
    }
}

/// An argument as a statement parameter.
#[derive(Debug)]
pub(super) struct Parameter<'a>(pub &'a Argument);

impl ToSql for Parameter<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Fault> {
        self.0.encode(ty, out)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Appends an array (`array_recv`): number of dimensions, whether there are nulls, element type; length and lower bound of the dimension;
/// then the elements.
fn encode_list(values: &[Value], ty: &Type, out: &mut BytesMut) -> Result<IsNull, Fault> {
    let Kind::Array(member) = ty.kind() else {
        return Err(format!("a parameter of type {ty} was given a list").into());
    };
    let has_null = values.iter().any(|value| matches!(value, Value::Null));
    out.extend_from_slice(&i32::from(!values.is_empty()).to_be_bytes());
    out.extend_from_slice(&i32::from(has_null).to_be_bytes());
    out.extend_from_slice(&member.oid().to_be_bytes());
    if !values.is_empty() {
        out.extend_from_slice(&i32::try_from(values.len())?.to_be_bytes());
        out.extend_from_slice(&1_i32.to_be_bytes());
    }
    for value in values {
        with_length(out, |out| encode(value, member, out))?;
    }
    Ok(IsNull::No)
}

/// Appends the length and then what `write` appends; null has the length -1.
pub(super) fn with_length(
    out: &mut BytesMut,
    write: impl FnOnce(&mut BytesMut) -> Result<IsNull, Fault>,
) -> Result<(), Fault> {
    let at = out.len();
    out.extend_from_slice(&(-1_i32).to_be_bytes());
    if let IsNull::No = write(out)? {
        let length = i32::try_from(out.len() - at - 4)?;
        out[at..at + 4].copy_from_slice(&length.to_be_bytes());
    }
    Ok(())
}

/// Appends the binary form of the type.
fn encode(value: &Value, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Fault> {
    match (value, ty) {
        (Value::Null, _) => return Ok(IsNull::Yes),
        (Value::Integer(number), &Type::BOOL) => out.extend_from_slice(&[u8::from(*number != 0)]),
        (Value::Integer(number), &Type::INT2) => {
            out.extend_from_slice(&i16::try_from(*number)?.to_be_bytes());
        }
        (Value::Integer(number), &Type::INT4) => {
            out.extend_from_slice(&i32::try_from(*number)?.to_be_bytes());
        }
        (Value::Integer(number), &Type::INT8) => out.extend_from_slice(&number.to_be_bytes()),
        (Value::Integer(number), &Type::FLOAT8) => {
            let float: f64 = number.to_string().parse()?;
            out.extend_from_slice(&float.to_be_bytes());
        }
        (Value::Integer(micros), &Type::TIMESTAMP | &Type::TIMESTAMPTZ) => {
            out.extend_from_slice(&moment(*micros).to_be_bytes());
        }
        (Value::Integer(days), &Type::DATE) => {
            out.extend_from_slice(&i32::try_from(days - EPOCH_DAYS)?.to_be_bytes());
        }
        (Value::Integer(number), &Type::NUMERIC) => out.extend_from_slice(&decimal(&number.to_string())?),
        // Adding 0.0 turns a negative zero into zero. SQLite stores whole floats as integers and has no negative zero either.
        (Value::Real(number), &Type::FLOAT8) => out.extend_from_slice(&(number + 0.0).to_be_bytes()),
        (Value::Real(number), &Type::NUMERIC) => out.extend_from_slice(&decimal(&number.to_string())?),
        (Value::Text(text), &Type::NUMERIC) => out.extend_from_slice(&decimal(text)?),
        (Value::Text(text), &Type::FLOAT8) => out.extend_from_slice(&text.parse::<f64>()?.to_be_bytes()),
        (Value::Text(text), &Type::INT8) => out.extend_from_slice(&text.parse::<i64>()?.to_be_bytes()),
        (Value::Text(text), &Type::UUID) => out.extend_from_slice(uuid::Uuid::parse_str(text)?.as_bytes()),
        (Value::Text(text), &Type::JSONB) => {
            out.extend_from_slice(&[1]);
            out.extend_from_slice(nul::json_to_stored(text).as_bytes());
        }
        (Value::Blob(bytes), &Type::TEXT) if bytes.len() == 16 => {
            out.extend_from_slice(uuid::Uuid::from_slice(bytes)?.to_string().as_bytes());
        }
        (Value::Text(text), &Type::JSON) => out.extend_from_slice(nul::json_to_stored(text).as_bytes()),
        (Value::Text(text), &Type::TEXT | &Type::VARCHAR | &Type::NAME | &Type::UNKNOWN) => {
            out.extend_from_slice(nul::to_stored(text).as_bytes());
        }
        (Value::Integer(number), &Type::TEXT | &Type::VARCHAR | &Type::UNKNOWN) => {
            out.extend_from_slice(number.to_string().as_bytes());
        }
        (Value::Real(number), &Type::TEXT | &Type::VARCHAR | &Type::UNKNOWN) => {
            out.extend_from_slice(number.to_string().as_bytes());
        }
        (Value::Blob(bytes), &Type::UUID | &Type::BYTEA) => out.extend_from_slice(bytes),
        (value, ty) => {
            return Err(format!("a parameter of type {ty} was given {:?}", value.data_type()).into());
        }
    }
    Ok(IsNull::No)
}

/// A time in PostgreSQL's range. Times outside it become infinity: they occur in bounds that exclude nothing.
fn moment(micros: i64) -> i64 {
    match micros.checked_sub(EPOCH_MICROS) {
        Some(found) if (EARLIEST..=LATEST).contains(&found) => found,
        Some(found) if found > LATEST => i64::MAX,
        _ => i64::MIN,
    }
}

fn decimal(text: &str) -> Result<Vec<u8>, Fault> {
    numeric::encode(text).ok_or_else(|| format!("{text:?} is no decimal").into())
}

/// A cell of a row.
pub(super) struct Cell(pub Value);

impl<'a> FromSql<'a> for Cell {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Fault> {
        Ok(Self(match *ty {
            Type::BOOL => Value::Integer(i64::from(raw.first() == Some(&1))),
            Type::INT2 => Value::Integer(i16::from_be_bytes(raw.try_into()?).into()),
            Type::INT4 => Value::Integer(i32::from_be_bytes(raw.try_into()?).into()),
            Type::INT8 => Value::Integer(i64::from_be_bytes(raw.try_into()?)),
            Type::FLOAT4 => Value::Real(f32::from_be_bytes(raw.try_into()?).into()),
            Type::FLOAT8 => Value::Real(f64::from_be_bytes(raw.try_into()?)),
            Type::TIMESTAMP | Type::TIMESTAMPTZ => {
                let micros = i64::from_be_bytes(raw.try_into()?);
                Value::Integer(if micros == i64::MIN { micros } else { micros.saturating_add(EPOCH_MICROS) })
            }
            Type::DATE => Value::Integer(i64::from(i32::from_be_bytes(raw.try_into()?)) + EPOCH_DAYS),
            Type::NUMERIC => Value::Text(numeric::decode(raw).ok_or("a numeric without its head")?),
            Type::UUID | Type::BYTEA => Value::Blob(raw.to_vec()),
            Type::JSONB => {
                let json = std::str::from_utf8(raw.get(1..).unwrap_or_default())?;
                Value::Text(nul::json_from_stored(json).into_owned())
            }
            Type::JSON => Value::Text(nul::json_from_stored(std::str::from_utf8(raw)?).into_owned()),
            _ => Value::Text(nul::from_stored(std::str::from_utf8(raw)?).into_owned()),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Fault> {
        Ok(Self(Value::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
