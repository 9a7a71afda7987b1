//! The columns of a report that are read, in any spelling: `lineItem/UnblendedCost` and `line_item_unblended_cost` are the same.

use super::super::header::Keys;

/// Required columns, as text for messages.
pub const NEEDED: &[&str] = &[
    "line_item_unblended_cost (lineItem/UnblendedCost)",
    "line_item_currency_code",
    "line_item_line_item_type",
    "line_item_usage_account_id",
    "line_item_usage_start_date or identity_time_interval",
    "line_item_product_code or product_product_name",
    "bill_payer_account_id",
    "bill_billing_period_start_date",
];

/// The indices of the columns.
#[derive(Debug, Default)]
pub struct Places {
    pub unblended: Option<usize>,
    pub net_unblended: Option<usize>,
    pub list_cost: Option<usize>,
    pub currency: Option<usize>,
    pub line_item_type: Option<usize>,
    pub payer: Option<usize>,
    pub payer_name: Option<usize>,
    pub account: Option<usize>,
    pub account_name: Option<usize>,
    pub billing_start: Option<usize>,
    pub billing_end: Option<usize>,
    pub usage_start: Vec<usize>,
    pub usage_end: Vec<usize>,
    pub interval: Option<usize>,
    pub bill_type: Option<usize>,
    pub issuer: Vec<usize>,
    pub publisher: Option<usize>,
    pub invoice: Option<usize>,
    pub service: Vec<usize>,
    pub product: Option<usize>,
    pub family: Option<usize>,
    pub region: Vec<usize>,
    pub region_name: Option<usize>,
    pub zone: Option<usize>,
    pub resource: Option<usize>,
    pub sku: Vec<usize>,
    pub rate_code: Vec<usize>,
    pub usage_type: Option<usize>,
    pub description: Option<usize>,
    pub term: Option<usize>,
    pub unit: Option<usize>,
    pub usage_amount: Option<usize>,
    pub plan: Option<usize>,
    pub plan_effective: Vec<usize>,
    pub plan_commitment: Option<usize>,
    pub plan_used: Option<usize>,
    pub reservation: Option<usize>,
    pub reservation_effective: Vec<usize>,
    pub unused_upfront: Vec<usize>,
    pub unused_recurring: Vec<usize>,
    pub split_parent: Option<usize>,
    pub split_cost: Vec<usize>,
    pub split_unused: Vec<usize>,
}

impl Places {
    /// Finds the columns. Returns their indices and the missing required ones.
    pub fn find(keys: &Keys) -> (Self, Vec<&'static str>) {
        let one = |name: &str| keys.find(&[name]);
        let places = Self {
            unblended: one("line_item_unblended_cost"),
            net_unblended: one("line_item_net_unblended_cost"),
            list_cost: one("pricing_public_on_demand_cost"),
            currency: one("line_item_currency_code"),
            line_item_type: one("line_item_line_item_type"),
            payer: one("bill_payer_account_id"),
            payer_name: one("bill_payer_account_name"),
            account: one("line_item_usage_account_id"),
            account_name: one("line_item_usage_account_name"),
            billing_start: one("bill_billing_period_start_date"),
            billing_end: one("bill_billing_period_end_date"),
            usage_start: keys.all(&["line_item_usage_start_date"]),
            usage_end: keys.all(&["line_item_usage_end_date"]),
            interval: one("identity_time_interval"),
            bill_type: one("bill_bill_type"),
            issuer: keys.all(&["bill_invoicing_entity", "bill_billing_entity"]),
            publisher: one("line_item_legal_entity"),
            invoice: one("bill_invoice_id"),
            service: keys.all(&[
                "product_product_name",
                "product_servicename",
                "product_service_name",
                "line_item_product_code",
            ]),
            product: one("product"),
            family: one("product_product_family"),
            region: keys.all(&["product_region_code", "product_region"]),
            region_name: one("product_location"),
            zone: one("line_item_availability_zone"),
            resource: one("line_item_resource_id"),
            sku: keys.all(&["product_sku", "pricing_rate_id"]),
            rate_code: keys.all(&["pricing_rate_code", "pricing_rate_id"]),
            usage_type: one("line_item_usage_type"),
            description: one("line_item_line_item_description"),
            term: one("pricing_term"),
            unit: one("pricing_unit"),
            usage_amount: one("line_item_usage_amount"),
            plan: one("savings_plan_savings_plan_a_r_n"),
            plan_effective: keys.all(&[
                "savings_plan_net_savings_plan_effective_cost",
                "savings_plan_savings_plan_effective_cost",
            ]),
            plan_commitment: one("savings_plan_total_commitment_to_date"),
            plan_used: one("savings_plan_used_commitment"),
            reservation: one("reservation_reservation_a_r_n"),
            reservation_effective: keys
                .all(&["reservation_net_effective_cost", "reservation_effective_cost"]),
            unused_upfront: keys.all(&[
                "reservation_net_unused_amortized_upfront_fee_for_billing_period",
                "reservation_unused_amortized_upfront_fee_for_billing_period",
            ]),
            unused_recurring: keys
                .all(&["reservation_net_unused_recurring_fee", "reservation_unused_recurring_fee"]),
            split_parent: one("split_line_item_parent_resource_id"),
            split_cost: keys.all(&["split_line_item_net_split_cost", "split_line_item_split_cost"]),
            split_unused: keys.all(&["split_line_item_net_unused_cost", "split_line_item_unused_cost"]),
        };
        let is_there = [
            places.unblended.is_some(),
            places.currency.is_some(),
            places.line_item_type.is_some(),
            places.account.is_some(),
            !places.usage_start.is_empty() || places.interval.is_some(),
            !places.service.is_empty(),
            places.payer.is_some(),
            places.billing_start.is_some(),
        ];
        let missing = NEEDED.iter().zip(is_there).filter(|(_, is_there)| !is_there).map(|(name, _)| *name);
        (places, missing.collect())
    }

    /// The indices of the required columns.
    pub fn needed(&self) -> Vec<usize> {
        let needed = [
            self.unblended,
            self.net_unblended,
            self.currency,
            self.line_item_type,
            self.account,
            self.payer,
            self.billing_start,
            self.interval,
            self.split_parent,
        ];
        let lists = self.usage_start.iter().chain(&self.usage_end).chain(&self.service);
        needed.into_iter().flatten().chain(lists.copied()).collect()
    }

    /// The indices of columns whose cells are copied completely to a column of the charge.
    pub fn used(&self) -> Vec<usize> {
        let single = [
            self.currency,
            self.payer,
            self.payer_name,
            self.account,
            self.account_name,
            self.billing_start,
            self.billing_end,
            self.publisher,
            self.invoice,
            self.zone,
            self.resource,
            self.description,
            self.unit,
            self.list_cost,
            self.region_name,
        ];
        let lists = [&self.usage_start, &self.usage_end];
        single.into_iter().flatten().chain(lists.into_iter().flatten().copied()).collect()
    }
}

/// A name in Athena's spelling: `lineItem/UnblendedCost` is `line_item_unblended_cost`.
pub fn snake(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            if !key.is_empty() && !key.ends_with('_') {
                key.push('_');
            }
            key.push(c.to_ascii_lowercase());
        } else if c.is_ascii_alphanumeric() {
            key.push(c);
        } else if !key.ends_with('_') {
            key.push('_');
        }
    }
    key
}

/// Whether a name in Athena's spelling only occurs in these reports.
pub fn is_of_report(key: &str) -> bool {
    const NAMES: [&str; 14] = [
        "identity_line_item_id",
        "identity_time_interval",
        "bill_payer_account_id",
        "bill_billing_period_start_date",
        "bill_billing_entity",
        "bill_bill_type",
        "line_item_usage_account_id",
        "line_item_line_item_type",
        "line_item_usage_start_date",
        "line_item_product_code",
        "line_item_usage_type",
        "line_item_unblended_cost",
        "line_item_blended_cost",
        "line_item_currency_code",
    ];
    NAMES.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spellings_of_a_column_are_one() {
        for (name, key) in [
            ("lineItem/UnblendedCost", "line_item_unblended_cost"),
            ("line_item_unblended_cost", "line_item_unblended_cost"),
            ("reservation/ReservationARN", "reservation_reservation_a_r_n"),
            ("savingsPlan/SavingsPlanEffectiveCost", "savings_plan_savings_plan_effective_cost"),
            ("pricing/publicOnDemandCost", "pricing_public_on_demand_cost"),
            ("product/ProductName", "product_product_name"),
            ("resourceTags/user:Env", "resource_tags_user_env"),
            ("splitLineItem/SplitCost", "split_line_item_split_cost"),
        ] {
            assert_eq!(snake(name), key);
        }
    }
}
