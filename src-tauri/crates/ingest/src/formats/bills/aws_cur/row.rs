//! Translates a line item to a charge, with its billed cost and its effective cost (commitments amortised over the usage they cover).

use super::super::charge::{Charge, first};
use super::Reader;
use crate::cells::{self, filled};
use crate::formats::focus::Column;
use catalogue::Decimal;
use csv::ByteRecord;

/// The kind of charge, from the type of a line item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Usage,
    /// Usage covered by a reservation.
    ReservedUsage,
    /// Usage covered by a savings plan.
    PlanUsage,
    /// Cancels the on-demand cost of usage that a savings plan covers.
    PlanNegation,
    PlanRecurringFee,
    PlanUpfrontFee,
    ReservationFee,
    Fee,
    Tax,
    Credit,
    Discount,
}

impl Kind {
    fn of(line_item_type: &[u8]) -> Self {
        match line_item_type {
            b"DiscountedUsage" => Self::ReservedUsage,
            b"SavingsPlanCoveredUsage" => Self::PlanUsage,
            b"SavingsPlanNegation" => Self::PlanNegation,
            b"SavingsPlanRecurringFee" => Self::PlanRecurringFee,
            b"SavingsPlanUpfrontFee" => Self::PlanUpfrontFee,
            b"RIFee" => Self::ReservationFee,
            b"Fee" => Self::Fee,
            b"Tax" => Self::Tax,
            b"Credit" | b"Refund" => Self::Credit,
            other if other.ends_with(b"Discount") => Self::Discount,
            _ => Self::Usage,
        }
    }

    fn category(self) -> &'static [u8] {
        match self {
            Self::Usage | Self::ReservedUsage | Self::PlanUsage => b"Usage",
            Self::Fee | Self::ReservationFee | Self::PlanRecurringFee | Self::PlanUpfrontFee => b"Purchase",
            Self::Tax => b"Tax",
            Self::Credit => b"Credit",
            Self::PlanNegation | Self::Discount => b"Adjustment",
        }
    }

    fn frequency(self) -> &'static [u8] {
        match self {
            Self::Usage | Self::ReservedUsage | Self::PlanUsage | Self::PlanNegation => b"Usage-Based",
            Self::ReservationFee | Self::PlanRecurringFee => b"Recurring",
            _ => b"One-Time",
        }
    }

    fn is_of_plan(self) -> bool {
        matches!(self, Self::PlanUsage | Self::PlanNegation | Self::PlanRecurringFee | Self::PlanUpfrontFee)
    }
}

impl Reader {
    /// Fills the charge of a row.
    pub fn fill(&self, record: &ByteRecord, charge: &mut Charge) {
        let places = &self.places;
        let cell = |place: Option<usize>| record.get(place?).and_then(filled);
        let kind = cell(places.line_item_type).map_or(Kind::Usage, Kind::of);
        self.costs(record, kind, charge);
        for (column, place) in [
            (Column::BillingCurrency, places.currency),
            (Column::ListCost, places.list_cost),
            (Column::BillingAccountId, places.payer),
            (Column::BillingAccountName, places.payer_name),
            (Column::SubAccountId, places.account),
            (Column::SubAccountName, places.account_name),
            (Column::BillingPeriodStart, places.billing_start),
            (Column::BillingPeriodEnd, places.billing_end),
            (Column::ChargeDescription, places.description),
            (Column::PublisherName, places.publisher),
            (Column::InvoiceId, places.invoice),
            (Column::ServiceSubcategory, places.family),
            (Column::RegionName, places.region_name),
            (Column::AvailabilityZone, places.zone),
            (Column::ResourceId, places.resource),
            (Column::SkuMeter, places.usage_type),
            (Column::PricingUnit, places.unit),
            (Column::ConsumedUnit, places.unit),
        ] {
            if let Some(cell) = cell(place) {
                charge.set(column, cell);
            }
        }
        for (column, list) in [
            (Column::RegionId, &places.region),
            (Column::InvoiceIssuerName, &places.issuer),
            (Column::SkuId, &places.sku),
            (Column::SkuPriceId, &places.rate_code),
        ] {
            charge.set_first(column, record, list);
        }
        charge.set(Column::ProviderName, b"AWS");
        charge.set(Column::ChargeCategory, kind.category());
        charge.set(Column::ChargeFrequency, kind.frequency());
        if cell(places.bill_type) == Some(b"Refund") {
            charge.set(Column::ChargeClass, b"Correction");
        }
        self.period(record, charge);
        self.service(record, charge);
        if let Some(resource) = cell(places.resource) {
            let name = resource.rsplit(|byte| matches!(byte, b'/' | b':')).next().unwrap_or(resource);
            charge.set(Column::ResourceName, name);
            if let Some(family) = cell(places.family) {
                charge.set(Column::ResourceType, family);
            }
        }
        // A negation repeats the usage amounts of the covered rows.
        if kind != Kind::PlanNegation
            && let Some(amount) = cell(places.usage_amount)
        {
            charge.set(Column::ConsumedQuantity, amount);
            charge.set(Column::PricingQuantity, amount);
        }
        self.commitment(record, kind, charge);
        self.tags.write(record, charge);
    }

    fn costs(&self, record: &ByteRecord, kind: Kind, charge: &mut Charge) {
        let places = &self.places;
        let cell = |place: Option<usize>| record.get(place?).and_then(filled);
        let billed = cell(places.net_unblended).or(cell(places.unblended)).unwrap_or_default();
        if cell(places.split_parent).is_some() {
            let shares = sum(first(record, &places.split_cost), first(record, &places.split_unused));
            match shares {
                Some(shares) => {
                    charge.set_number(Column::BilledCost, shares);
                    charge.set_number(Column::EffectiveCost, shares);
                    charge.set_number(Column::ContractedCost, shares);
                }
                None => charge.set(Column::BilledCost, billed),
            }
            charge.is_excluded = true;
            return;
        }
        charge.set(Column::BilledCost, billed);
        self.contracted(record, kind, billed, charge);
        let effective = match kind {
            Kind::PlanUsage => first(record, &places.plan_effective),
            Kind::ReservedUsage => first(record, &places.reservation_effective),
            Kind::PlanNegation | Kind::PlanUpfrontFee => Some(b"0".as_slice()),
            Kind::Fee if cell(places.reservation).is_some() => Some(b"0".as_slice()),
            Kind::PlanRecurringFee => {
                let unused = difference(cell(places.plan_commitment), cell(places.plan_used));
                return set_or_leave(charge, unused);
            }
            Kind::ReservationFee => {
                let unused =
                    sum(first(record, &places.unused_upfront), first(record, &places.unused_recurring));
                return set_or_leave(charge, unused);
            }
            _ => Some(billed),
        };
        if let Some(effective) = effective {
            charge.set(Column::EffectiveCost, effective);
        }
    }

    /// The cost of usage at the account's contracted prices, whether or not a commitment covers it. Usage covered by a savings plan states this
    /// cost itself; for a reservation only the public price is stated. Payments for commitments are not usage.
    fn contracted(&self, record: &ByteRecord, kind: Kind, billed: &[u8], charge: &mut Charge) {
        let cell = |place: Option<usize>| record.get(place?).and_then(filled);
        let is_commitment = cell(self.places.reservation).is_some();
        let cost = match kind {
            Kind::ReservedUsage => {
                cell(self.places.list_cost).or_else(|| first(record, &self.places.reservation_effective))
            }
            Kind::PlanNegation | Kind::PlanUpfrontFee | Kind::PlanRecurringFee | Kind::ReservationFee => {
                Some(b"0".as_slice())
            }
            Kind::Fee if is_commitment => Some(b"0".as_slice()),
            _ => Some(billed),
        };
        if let Some(cost) = cost {
            charge.set(Column::ContractedCost, cost);
        }
    }

    /// Sets the charge period. Reports without the usage date columns have the interval.
    fn period(&self, record: &ByteRecord, charge: &mut Charge) {
        let interval = first(record, self.places.interval.as_slice());
        let mut ends = interval.unwrap_or_default().splitn(2, |byte| *byte == b'/');
        let (start, end) = (ends.next(), ends.next());
        if let Some(start) = first(record, &self.places.usage_start).or(start) {
            charge.set(Column::ChargePeriodStart, start);
        }
        let billing_end = first(record, self.places.billing_end.as_slice());
        if let Some(end) = first(record, &self.places.usage_end).or(end).or(billing_end) {
            charge.set(Column::ChargePeriodEnd, end);
        }
    }

    fn service(&self, record: &ByteRecord, charge: &mut Charge) {
        charge.set_first(Column::ServiceName, record, &self.places.service);
        // CUR 2.0 has most product attributes in one JSON column.
        let Some(product) = first(record, self.places.product.as_slice()) else { return };
        let Ok(serde_json::Value::Object(product)) = serde_json::from_slice(product) else { return };
        if let Some(name) = product.get("product_name").and_then(serde_json::Value::as_str)
            && !name.is_empty()
        {
            charge.set(Column::ServiceName, name.as_bytes());
        }
    }

    fn commitment(&self, record: &ByteRecord, kind: Kind, charge: &mut Charge) {
        let places = &self.places;
        let cell = |place: Option<usize>| record.get(place?).and_then(filled);
        let usage_type = cell(places.usage_type).unwrap_or_default();
        let is_spot = usage_type.windows(9).any(|part| part == b"SpotUsage");
        let pricing: &[u8] = match (kind, cell(places.term)) {
            (Kind::PlanUsage | Kind::ReservedUsage, _) | (_, Some(b"Reserved")) => b"Committed",
            (Kind::Usage, _) if is_spot => b"Dynamic",
            (Kind::Usage | Kind::PlanNegation, _) => b"Standard",
            _ => b"",
        };
        charge.set(Column::PricingCategory, pricing);
        let (id, category, name): (_, &[u8], &[u8]) = if kind.is_of_plan() {
            (cell(places.plan), b"Spend", b"Savings Plan")
        } else {
            (cell(places.reservation), b"Usage", b"Reserved")
        };
        let Some(id) = id else { return };
        charge.set(Column::CommitmentDiscountId, id);
        charge.set(Column::CommitmentDiscountCategory, category);
        charge.set(Column::CommitmentDiscountType, name);
        match kind {
            Kind::PlanUsage | Kind::ReservedUsage => charge.set(Column::CommitmentDiscountStatus, b"Used"),
            // Its effective cost is that of the unused part.
            Kind::PlanRecurringFee | Kind::ReservationFee => {
                charge.set(Column::CommitmentDiscountStatus, b"Unused");
            }
            _ => {}
        }
    }
}

fn set_or_leave(charge: &mut Charge, number: Option<Decimal>) {
    if let Some(number) = number {
        charge.set_number(Column::EffectiveCost, number);
    }
}

/// The sum of two cells; an empty one counts as 0. `None` when both are empty or one is not a number.
fn sum(left: Option<&[u8]>, right: Option<&[u8]>) -> Option<Decimal> {
    match (left, right) {
        (Some(left), Some(right)) => cells::number(left).ok()?.checked_add(cells::number(right).ok()?),
        (Some(one), None) | (None, Some(one)) => cells::number(one).ok(),
        (None, None) => None,
    }
}

fn difference(left: Option<&[u8]>, right: Option<&[u8]>) -> Option<Decimal> {
    let left = cells::number(left?).ok()?;
    match right {
        Some(right) => left.checked_sub(cells::number(right).ok()?),
        None => Some(left),
    }
}
