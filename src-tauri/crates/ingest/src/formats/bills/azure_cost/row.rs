//! Translates a row of an export to a charge.

use super::super::charge::{Charge, Evidence, first};
use super::{CostView, Reader};
use crate::cells::{self, filled};
use crate::formats::focus::Column;
use csv::ByteRecord;

impl Reader {
    /// Fills the charge of a row.
    pub fn fill(&self, record: &ByteRecord, charge: &mut Charge) {
        let places = &self.places;
        let cell = |place: Option<usize>| record.get(place?).and_then(filled);
        for (column, place) in [
            (Column::ListCost, places.list_cost),
            (Column::BillingCurrency, places.currency),
            (Column::BillingAccountName, places.billing_account_name),
            (Column::SubAccountId, places.subscription),
            (Column::SubAccountName, places.subscription_name),
            (Column::BillingPeriodStart, places.billing_start),
            (Column::BillingPeriodEnd, places.billing_end),
            (Column::ChargePeriodStart, places.date),
            (Column::ChargeDescription, places.product),
            (Column::PublisherName, places.publisher),
            (Column::InvoiceId, places.invoice),
            (Column::ServiceName, places.category),
            (Column::ServiceSubcategory, places.subcategory),
            (Column::SkuId, places.meter_id),
            (Column::SkuMeter, places.meter),
            (Column::ConsumedQuantity, places.quantity),
            (Column::ConsumedUnit, places.unit),
            (Column::Tags, places.tags),
        ] {
            if let Some(cell) = cell(place) {
                charge.set(column, cell);
            }
        }
        if let Some(account) = cell(places.billing_account).or(cell(places.subscription)) {
            charge.set(Column::BillingAccountId, account);
        }
        charge.set_first(Column::RegionId, record, &places.region);
        charge.set(Column::ProviderName, b"Microsoft");
        charge.set(Column::InvoiceIssuerName, b"Microsoft");
        let charge_type = cell(places.charge_type).unwrap_or(b"Usage");
        charge.set(Column::ChargeCategory, category(charge_type));
        if let Some(frequency) = cell(places.frequency) {
            charge.set(Column::ChargeFrequency, frequency_of(frequency));
        }
        self.resource(record, charge);
        let is_of_commitment = self.commitment(record, charge_type, charge);
        self.costs(record, charge_type, is_of_commitment, charge);
    }

    fn resource(&self, record: &ByteRecord, charge: &mut Charge) {
        let Some(id) = first(record, &self.places.resource) else { return };
        // Azure writes the same id in different cases.
        charge.set(Column::ResourceId, &id.to_ascii_lowercase());
        let own = |place: Option<usize>| record.get(place?).and_then(filled);
        let parts: Vec<&[u8]> = id.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
        let name = own(self.places.resource_name).or(parts.last().copied());
        charge.set(Column::ResourceName, name.unwrap_or(id));
        let provider = parts.iter().position(|part| part.eq_ignore_ascii_case(b"providers"));
        if let Some(kind) = own(self.places.resource_type) {
            charge.set(Column::ResourceType, &kind.to_ascii_lowercase());
        } else if let Some([space, rest @ ..]) = provider.and_then(|at| parts.get(at + 1..)) {
            let kinds = rest.iter().step_by(2);
            let kind = kinds.fold(space.to_vec(), |kind, part| [kind.as_slice(), b"/", *part].concat());
            charge.set(Column::ResourceType, &kind.to_ascii_lowercase());
        }
    }

    /// Sets the commitment of the charge. Returns whether there is one.
    fn commitment(&self, record: &ByteRecord, charge_type: &[u8], charge: &mut Charge) -> bool {
        let places = &self.places;
        let model =
            places.pricing_model.and_then(|place| record.get(place)).and_then(filled).unwrap_or_default();
        let is = |word: &[u8]| model.eq_ignore_ascii_case(word);
        let is_unused = starts_with(charge_type, b"unused");
        let is_plan = is(b"SavingsPlan") || charge_type.eq_ignore_ascii_case(b"UnusedSavingsPlan");
        let id = first(record, &places.commitment);
        let is_of_commitment = is(b"Reservation") || is_plan || is_unused || id.is_some();
        let pricing: &[u8] = if is_of_commitment {
            b"Committed"
        } else if is(b"Spot") {
            b"Dynamic"
        } else if is(b"OnDemand") {
            b"Standard"
        } else {
            b""
        };
        charge.set(Column::PricingCategory, pricing);
        if !is_of_commitment {
            return false;
        }
        if let Some(id) = id {
            charge.set(Column::CommitmentDiscountId, &id.to_ascii_lowercase());
        }
        charge.set_first(Column::CommitmentDiscountName, record, &places.commitment_name);
        charge.set(Column::CommitmentDiscountCategory, if is_plan { b"Spend" } else { b"Usage" });
        charge.set(Column::CommitmentDiscountType, if is_plan { b"Savings Plan" } else { b"Reservation" });
        if is_unused {
            charge.set(Column::CommitmentDiscountStatus, b"Unused");
        } else if charge_type.eq_ignore_ascii_case(b"Usage") {
            charge.set(Column::CommitmentDiscountStatus, b"Used");
        }
        true
    }

    /// Sets the billed cost and the effective cost (amortised over use). If these differ, they depend on the cost view of the file.
    fn costs(&self, record: &ByteRecord, charge_type: &[u8], is_of_commitment: bool, charge: &mut Charge) {
        let cost = self.places.cost.and_then(|place| record.get(place)).and_then(filled).unwrap_or_default();
        charge.set(Column::BilledCost, cost);
        if !is_of_commitment {
            return charge.set(Column::EffectiveCost, cost);
        }
        let is_purchase =
            charge_type.eq_ignore_ascii_case(b"Purchase") || charge_type.eq_ignore_ascii_case(b"Refund");
        match self.view {
            None => {
                let is_zero = cells::number(cost).is_ok_and(catalogue::Decimal::is_zero);
                charge.evidence = Some(match (is_purchase, is_zero) {
                    _ if starts_with(charge_type, b"unused") => Evidence::Unused,
                    (true, _) => Evidence::PricedPurchase,
                    (false, true) => Evidence::FreeUsage,
                    (false, false) => Evidence::PricedUsage,
                });
            }
            // The amortised cost of a purchase is only in the other export.
            Some(CostView::Actual) => {}
            Some(CostView::Amortized) => {
                charge.set(Column::EffectiveCost, cost);
                if !is_purchase {
                    charge.set(Column::BilledCost, b"0");
                }
            }
        }
    }
}

fn category(charge_type: &[u8]) -> &[u8] {
    let is = |word: &[u8]| charge_type.eq_ignore_ascii_case(word);
    if is(b"Refund") {
        b"Credit"
    } else if is(b"RoundingAdjustment") || is(b"Adjustment") {
        b"Adjustment"
    } else if starts_with(charge_type, b"unused") {
        b"Usage"
    } else {
        charge_type
    }
}

fn frequency_of(frequency: &[u8]) -> &[u8] {
    if frequency.eq_ignore_ascii_case(b"UsageBased") {
        b"Usage-Based"
    } else if frequency.eq_ignore_ascii_case(b"OneTime") {
        b"One-Time"
    } else {
        frequency
    }
}

fn starts_with(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}
