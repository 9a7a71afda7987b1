//! Reads a cost CSV with a user-defined mapping.

use super::charge::Charge;
use super::header::Header;
use super::{InterpretedHeader, Source};
use crate::cells::{self, filled};
use crate::formats::focus::Column;
use crate::mapping::{Field, Mapping};
use crate::outcome::Failure;
use catalogue::format_timestamp;
use csv::ByteRecord;
use serde_json::{Map, Value};

/// The FOCUS columns that a row fills.
const FILLED: &[Column] = &[
    Column::BilledCost,
    Column::EffectiveCost,
    Column::BillingCurrency,
    Column::BillingAccountId,
    Column::BillingAccountName,
    Column::BillingPeriodStart,
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::ChargeCategory,
    Column::ChargeDescription,
    Column::ProviderName,
    Column::ServiceName,
    Column::RegionId,
    Column::ResourceId,
    Column::ResourceName,
    Column::InvoiceId,
    Column::ConsumedQuantity,
    Column::ConsumedUnit,
    Column::Tags,
];

/// The source of a field of a charge.
#[derive(Debug)]
enum From {
    Place(usize),
    Value(String),
}

/// Reads the rows of a file with a mapping.
#[derive(Debug)]
pub struct Reader {
    fields: Vec<(&'static [Column], From)>,
    /// Column indices and keys.
    tags: Vec<(usize, String)>,
}

impl Reader {
    /// The reader for a header; an error when the mapping names a column that the file does not have.
    pub fn find(header: &Header, mapping: &Mapping) -> Result<InterpretedHeader, Failure> {
        let keys = header.keys(|name| name.trim().to_lowercase());
        let place = |name: &String| keys.find(&[name.trim().to_lowercase().as_str()]);
        let content = &mapping.content;
        let wanted: Vec<&String> = content.columns.values().chain(&content.tags).collect();
        let missing: Vec<&str> =
            wanted.iter().filter(|name| place(name).is_none()).map(|name| name.as_str()).collect();
        if !missing.is_empty() {
            let needed: Vec<&str> = wanted.iter().map(|name| name.as_str()).collect();
            return Err(header.missing_columns_error(
                &format!("a file for the mapping {}", mapping.name),
                &missing,
                &needed,
            ));
        }
        let mut fields = Vec::new();
        let mut names = Vec::new();
        let mut used = Vec::new();
        for (field, value) in &content.values {
            fields.push((columns(*field), From::Value(value.clone())));
            if !content.columns.contains_key(field) {
                let name = format!("{}=={value} of the mapping", field.name());
                names.extend(columns(*field).iter().map(|column| (*column, name.clone())));
            }
        }
        // A column takes precedence over a fixed value.
        for (field, name) in &content.columns {
            if let Some(place) = place(name) {
                names.extend(columns(*field).iter().map(|column| (*column, header.name(place).to_owned())));
                fields.push((columns(*field), From::Place(place)));
                used.push(place);
            }
        }
        let tags: Vec<(usize, String)> =
            content.tags.iter().filter_map(|name| Some((place(name)?, name.clone()))).collect();
        used.extend(tags.iter().map(|(place, _)| *place));
        let has = |field| content.columns.contains_key(&field) || content.values.contains_key(&field);
        Ok(InterpretedHeader {
            title: format!("Costs by the mapping {}", mapping.name),
            filled: FILLED,
            names,
            needed: used.clone(),
            used,
            names_currency: has(Field::Currency),
            notes: vec![format!("The columns were read by the mapping {}.", mapping.name)],
            source: Source::ByMapping(Box::new(Self { fields, tags })),
        })
    }

    /// Fills the charge of a row.
    pub fn fill(&self, record: &ByteRecord, charge: &mut Charge) {
        charge.set(Column::ChargeCategory, b"Usage");
        for (columns, from) in &self.fields {
            let cell = match from {
                From::Place(place) => record.get(*place).and_then(filled),
                From::Value(value) => Some(value.as_bytes()),
            };
            if let Some(cell) = cell {
                columns.iter().for_each(|column| charge.set(*column, cell));
            }
        }
        read_local_times(charge);
        let tags: Map<String, Value> = self
            .tags
            .iter()
            .filter_map(|(place, key)| {
                let cell = record.get(*place).and_then(filled)?;
                Some((key.clone(), String::from_utf8_lossy(cell).into_owned().into()))
            })
            .collect();
        if !tags.is_empty() {
            charge.set(Column::Tags, Value::Object(tags).to_string().as_bytes());
        }
    }
}

/// Replaces times with an offset from UTC by their local clock time: a bill whose June begins at `2026-06-01T00:00:00+02:00` means the
/// first of June, not the last of May.
fn read_local_times(charge: &mut Charge) {
    let read = |column| {
        let cell = charge.get(column);
        let time = cells::time(cell)?.micros;
        Some((time, cells::local_clock(cell).unwrap_or(time)))
    };
    let (start, end) = (read(Column::ChargePeriodStart), read(Column::ChargePeriodEnd));
    if let Some((time, local)) = start
        && local != time
    {
        set_time(charge, Column::ChargePeriodStart, local);
        charge.has_local_time = true;
    }
    let Some((time, local)) = end else { return };
    let local = match start {
        // When clocks are set back at night, an end may show an earlier time than its start.
        Some((start, local_start)) if local < local_start => local_start + (time - start),
        _ => local,
    };
    if local != time {
        set_time(charge, Column::ChargePeriodEnd, local);
        charge.has_local_time = true;
    }
}

fn set_time(charge: &mut Charge, column: Column, micros: i64) {
    charge.set(column, format!("{}Z", format_timestamp(micros)).as_bytes());
}

/// The FOCUS columns that a field fills.
fn columns(field: Field) -> &'static [Column] {
    match field {
        Field::Cost => &[Column::BilledCost, Column::EffectiveCost],
        Field::Date => &[Column::ChargePeriodStart],
        Field::EndDate => &[Column::ChargePeriodEnd],
        Field::Currency => &[Column::BillingCurrency],
        Field::Provider => &[Column::ProviderName],
        Field::Account => &[Column::BillingAccountId],
        Field::AccountName => &[Column::BillingAccountName],
        Field::Service => &[Column::ServiceName],
        Field::Region => &[Column::RegionId],
        Field::Resource => &[Column::ResourceId, Column::ResourceName],
        Field::Description => &[Column::ChargeDescription],
        Field::Invoice => &[Column::InvoiceId],
        Field::Quantity => &[Column::ConsumedQuantity],
        Field::Unit => &[Column::ConsumedUnit],
    }
}
