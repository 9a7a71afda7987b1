//! Google Cloud billing: rows of the BigQuery export, and the CSV table that the console downloads.

mod columns;
mod row;
mod tags;

use super::header::Header;
use super::{InterpretedHeader, Source};
use crate::formats::focus::Column;
use crate::outcome::Failure;
use columns::{Places, plain};

/// The FOCUS columns that a row of an export fills.
const FILLED: &[Column] = &[
    Column::BilledCost,
    Column::EffectiveCost,
    Column::ListCost,
    Column::ContractedCost,
    Column::BillingCurrency,
    Column::BillingAccountId,
    Column::BillingAccountName,
    Column::SubAccountId,
    Column::SubAccountName,
    Column::BillingPeriodStart,
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::ChargeCategory,
    Column::ChargeDescription,
    Column::ProviderName,
    Column::InvoiceIssuerName,
    Column::ServiceName,
    Column::RegionId,
    Column::AvailabilityZone,
    Column::ResourceId,
    Column::ResourceName,
    Column::SkuId,
    Column::SkuMeter,
    Column::PricingCategory,
    Column::PricingQuantity,
    Column::PricingUnit,
    Column::ConsumedQuantity,
    Column::ConsumedUnit,
    Column::Tags,
];

/// Reads the rows of an export.
#[derive(Debug)]
pub struct Reader {
    places: Places,
    /// Whether the file is from the console: end dates are inclusive, and credits are separate rows.
    is_of_console: bool,
    /// The currency stated above the header.
    currency: Option<super::CurrencyCode>,
}

impl Reader {
    /// The reader for a header, if it belongs to an export. `before` is the text above the header.
    pub fn find(header: &Header, before: &[u8]) -> Option<Result<InterpretedHeader, Failure>> {
        let keys = header.keys(plain);
        if !keys.has("service_description") || !keys.has("sku_description") {
            return None;
        }
        let is_of_console =
            keys.find(&["usage_start_time"]).is_none() && keys.find(&["usage_start_date"]).is_some();
        let (places, missing) = Places::find(&keys);
        if !missing.is_empty() {
            return Some(Err(header.missing_columns_error(
                "a Google Cloud billing export",
                &missing,
                columns::NEEDED,
            )));
        }
        let currency = columns::currency_above(before).or_else(|| {
            let cost = places.cost.map(|place| header.name(place)).unwrap_or_default();
            columns::currency_of(cost)
        });
        let name =
            |place: Option<usize>| place.map(|place| header.name(place).to_owned()).unwrap_or_default();
        let names = vec![
            (Column::BilledCost, name(places.cost)),
            (Column::BillingCurrency, name(places.currency)),
            (Column::BillingAccountId, name(places.billing_account)),
            (Column::BillingPeriodStart, name(places.invoice_month)),
            (Column::ChargePeriodStart, name(places.start)),
            (Column::ChargePeriodEnd, name(places.end)),
        ];
        let title = if is_of_console {
            "Google Cloud billing (cost table)"
        } else {
            "Google Cloud billing (BigQuery export)"
        };
        let notes = vec![
            "Google adds rows of a month until some days after its end: import the month again after the 5th of the next one."
                .to_owned(),
        ];
        Some(Ok(InterpretedHeader {
            title: title.to_owned(),
            filled: FILLED,
            names,
            used: places.used(),
            needed: places.needed(),
            names_currency: places.currency.is_some() || currency.is_some(),
            notes,
            source: Source::GcpBilling(Box::new(Self { places, is_of_console, currency })),
        }))
    }
}
