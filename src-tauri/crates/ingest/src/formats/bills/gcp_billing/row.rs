//! Translates a row of an export to a charge. Credits are part of the row that they reduce; the billed cost is the rest.

use super::super::charge::Charge;
use super::super::python;
use super::{Reader, tags};
use crate::cells::{self, filled};
use crate::formats::focus::Column;
use catalogue::{Decimal, DecimalSum, format_date, parse_date};
use csv::ByteRecord;
use serde_json::Value;

/// The sum of the credits in a row.
#[derive(Default)]
struct Credits {
    amount: DecimalSum,
    /// Whether one of them is for a committed-use or spend-based commitment.
    is_committed: bool,
}

impl Reader {
    /// Fills the charge of a row.
    pub fn fill(&self, record: &ByteRecord, charge: &mut Charge) {
        let places = &self.places;
        let cell = |place: Option<usize>| record.get(place?).and_then(filled);
        for (column, place) in [
            (Column::ListCost, places.cost_at_list),
            (Column::BillingCurrency, places.currency),
            (Column::BillingAccountId, places.billing_account),
            (Column::BillingAccountName, places.billing_account_name),
            (Column::SubAccountId, places.project),
            (Column::SubAccountName, places.project_name),
            (Column::ChargePeriodStart, places.start),
            (Column::ServiceName, places.service),
            (Column::ChargeDescription, places.sku),
            (Column::SkuMeter, places.sku),
            (Column::SkuId, places.sku_id),
            (Column::AvailabilityZone, places.zone),
            (Column::ResourceName, places.resource_name),
            (Column::ConsumedQuantity, places.usage),
            (Column::ConsumedUnit, places.usage_unit),
            (Column::PricingQuantity, places.pricing_usage),
            (Column::PricingUnit, places.pricing_unit),
        ] {
            if let Some(cell) = cell(place) {
                charge.set(column, cell);
            }
        }
        if let Some(currency) = &self.currency
            && places.currency.is_none()
        {
            charge.set(Column::BillingCurrency, currency.as_str().as_bytes());
        }
        charge.set_first(Column::RegionId, record, &places.region);
        charge.set_first(Column::ResourceId, record, &places.resource);
        charge.set(Column::ProviderName, b"Google Cloud");
        charge.set(Column::InvoiceIssuerName, b"Google Cloud");
        let is_credit = cell(places.credit_type).is_some();
        charge.set(Column::ChargeCategory, category(cell(places.cost_type).unwrap_or_default(), is_credit));
        if let Some(month) = cell(places.invoice_month).and_then(first_of_month) {
            charge.set(Column::BillingPeriodStart, month.as_bytes());
        }
        if let Some(end) = cell(places.end) {
            match self.day_after(end) {
                Some(end) => charge.set(Column::ChargePeriodEnd, end.as_bytes()),
                None => charge.set(Column::ChargePeriodEnd, end),
            }
        }
        self.costs(record, charge);
        if let Some(tags) = tags::of([places.project_labels, places.tags, places.labels].map(cell)) {
            charge.set(Column::Tags, tags.as_bytes());
        }
    }

    fn costs(&self, record: &ByteRecord, charge: &mut Charge) {
        let cell = |place: Option<usize>| record.get(place?).and_then(filled);
        let cost = cell(self.places.cost).unwrap_or_default();
        charge.set(Column::ContractedCost, cost);
        let credits = match cell(self.places.credits) {
            None => Some(Credits::default()),
            Some(text) => {
                std::str::from_utf8(text).ok().and_then(python::parse).and_then(|list| credits(&list))
            }
        };
        let Some(credits) = credits else {
            // The amount of the credits is unknown; therefore the remaining cost is unknown too.
            charge.set(Column::BilledCost, cell(self.places.credits).unwrap_or_default());
            return;
        };
        charge.set(Column::PricingCategory, if credits.is_committed { b"Committed" } else { b"" });
        let amount = credits.amount.total().filter(|amount| !amount.is_zero());
        let left = amount.and_then(|amount| cells::number(cost).ok()?.checked_add(amount));
        for column in [Column::BilledCost, Column::EffectiveCost] {
            match left {
                Some(left) => charge.set_number(column, left),
                None => charge.set(column, cost),
            }
        }
    }

    /// The exclusive end of a charge in the console's table, whose end dates are inclusive.
    fn day_after(&self, end: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(end).ok().filter(|_| self.is_of_console)?;
        Some(format_date(parse_date(text)?.checked_add(1)?))
    }
}

/// The sum of credits; `None` when they are not a list of amounts.
fn credits(list: &Value) -> Option<Credits> {
    let mut credits = Credits::default();
    for credit in list.as_array()? {
        let amount = match credit.get("amount")? {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.clone(),
            _ => return None,
        };
        credits.amount.add(Decimal::parse(&amount).ok()?);
        let kind = credit.get("type").and_then(Value::as_str).unwrap_or_default();
        credits.is_committed |= kind.starts_with("COMMITTED_USAGE");
    }
    Some(credits)
}

fn category(cost_type: &[u8], is_credit: bool) -> &'static [u8] {
    let is = |word: &str| cost_type.eq_ignore_ascii_case(word.as_bytes());
    if is_credit {
        b"Credit"
    } else if is("tax") {
        b"Tax"
    } else if is("adjustment") || is("rounding_error") || is("rounding error") {
        b"Adjustment"
    } else {
        b"Usage"
    }
}

/// The first day of a month written as `202208` or `2022-08`.
fn first_of_month(month: &[u8]) -> Option<String> {
    let digits: String = std::str::from_utf8(month).ok()?.chars().filter(char::is_ascii_digit).collect();
    let (year, month) = (digits.get(..4)?, digits.get(4..6)?);
    let day = format!("{year}-{month}-01");
    parse_date(&day).map(|_| day)
}
