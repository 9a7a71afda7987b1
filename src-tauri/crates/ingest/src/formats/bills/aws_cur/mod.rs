//! AWS Cost and Usage Reports: legacy (`lineItem/UnblendedCost`), 2.0 (`line_item_unblended_cost`), and legacy with Athena's column names.

mod columns;
mod row;
mod tags;

use super::header::Header;
use super::{InterpretedHeader, Source};
use crate::formats::focus::Column;
use crate::outcome::Failure;
use columns::{Places, snake};
use tags::TagColumns;

/// The FOCUS columns that a row of a report fills.
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
    Column::BillingPeriodEnd,
    Column::ChargePeriodStart,
    Column::ChargePeriodEnd,
    Column::ChargeCategory,
    Column::ChargeClass,
    Column::ChargeFrequency,
    Column::ChargeDescription,
    Column::ProviderName,
    Column::PublisherName,
    Column::InvoiceIssuerName,
    Column::InvoiceId,
    Column::ServiceName,
    Column::ServiceSubcategory,
    Column::RegionId,
    Column::RegionName,
    Column::AvailabilityZone,
    Column::ResourceId,
    Column::ResourceName,
    Column::ResourceType,
    Column::SkuId,
    Column::SkuPriceId,
    Column::SkuMeter,
    Column::PricingCategory,
    Column::PricingQuantity,
    Column::PricingUnit,
    Column::ConsumedQuantity,
    Column::ConsumedUnit,
    Column::CommitmentDiscountId,
    Column::CommitmentDiscountCategory,
    Column::CommitmentDiscountType,
    Column::CommitmentDiscountStatus,
    Column::Tags,
];

/// Minimum number of known column names for a file to be treated as a report, possibly with columns missing.
const MIN_KNOWN_COLUMNS: usize = 3;

/// Reads the rows of a report.
#[derive(Debug)]
pub struct Reader {
    places: Places,
    tags: TagColumns,
}

impl Reader {
    /// The reader for a header, if it belongs to a report.
    pub fn find(header: &Header) -> Option<Result<InterpretedHeader, Failure>> {
        let keys = header.keys(snake);
        let known_columns = keys.iter().filter(|(_, key)| columns::is_of_report(key)).count();
        let has_cost = keys.has("line_item_unblended_cost");
        if known_columns < MIN_KNOWN_COLUMNS && !has_cost {
            return None;
        }
        let (places, missing) = Places::find(&keys);
        if !missing.is_empty() {
            return Some(Err(header.missing_columns_error(
                "an AWS Cost and Usage Report",
                &missing,
                columns::NEEDED,
            )));
        }
        let tags = TagColumns::find(header, &keys);
        let is_legacy = (0..header.width()).any(|place| header.name(place).starts_with("lineItem/"));
        let title = if is_legacy {
            "AWS Cost and Usage Report (legacy)"
        } else if keys.has("resource_tags") || keys.has("line_item_usage_account_name") {
            "AWS Cost and Usage Report 2.0"
        } else {
            "AWS Cost and Usage Report (names as in CUR 2.0 and Athena)"
        };
        let name =
            |place: Option<usize>| place.map(|place| header.name(place).to_owned()).unwrap_or_default();
        let names = [
            (Column::BilledCost, name(places.unblended)),
            (Column::BillingCurrency, name(places.currency)),
            (Column::BillingAccountId, name(places.payer)),
            (Column::BillingPeriodStart, name(places.billing_start)),
            (Column::ChargePeriodStart, name(places.usage_start.first().copied())),
            (Column::ChargePeriodEnd, name(places.usage_end.first().copied())),
        ];
        let mut notes = Vec::new();
        if places.net_unblended.is_some() {
            notes.push(
                "The report states net costs; they count, since they are what is paid after discounts."
                    .to_owned(),
            );
        }
        if places.list_cost.is_none() {
            notes.push(
                "The file has no cost at public on-demand prices: the list cost stays unknown.".to_owned(),
            );
        }
        let needed = places.needed();
        let mut used = places.used();
        used.extend(tags.places());
        Some(Ok(InterpretedHeader {
            source: Source::AwsCur(Box::new(Self { places, tags })),
            title: title.to_owned(),
            filled: FILLED,
            names: names.into_iter().collect(),
            used,
            needed,
            names_currency: true,
            notes,
        }))
    }
}
