//! The columns of an export that are read, under all their historic names.

use super::super::header::Keys;

/// Required columns, as text for messages.
pub const NEEDED: &[&str] = &[
    "a cost: CostInBillingCurrency, Cost or PreTaxCost",
    "a day: Date or UsageDateTime",
    "MeterCategory",
    "SubscriptionId or BillingAccountId",
];

/// The indices of the columns.
#[derive(Debug, Default)]
pub struct Places {
    pub cost: Option<usize>,
    pub list_cost: Option<usize>,
    pub currency: Option<usize>,
    pub date: Option<usize>,
    pub billing_start: Option<usize>,
    pub billing_end: Option<usize>,
    pub billing_account: Option<usize>,
    pub billing_account_name: Option<usize>,
    pub subscription: Option<usize>,
    pub subscription_name: Option<usize>,
    pub category: Option<usize>,
    pub subcategory: Option<usize>,
    pub meter: Option<usize>,
    pub meter_id: Option<usize>,
    pub product: Option<usize>,
    pub resource: Vec<usize>,
    pub resource_name: Option<usize>,
    pub resource_type: Option<usize>,
    pub region: Vec<usize>,
    pub publisher: Option<usize>,
    pub invoice: Option<usize>,
    pub charge_type: Option<usize>,
    pub frequency: Option<usize>,
    pub pricing_model: Option<usize>,
    pub quantity: Option<usize>,
    pub unit: Option<usize>,
    pub commitment: Vec<usize>,
    pub commitment_name: Vec<usize>,
    pub tags: Option<usize>,
}

impl Places {
    /// Finds the columns. Returns their indices and the missing required ones.
    pub fn find(keys: &Keys) -> (Self, Vec<&'static str>) {
        let places = Self {
            cost: keys.find(&["costinbillingcurrency", "cost", "pretaxcost", "extendedcost"]),
            list_cost: keys.find(&["paygcostinbillingcurrency"]),
            currency: keys.find(&["billingcurrencycode", "billingcurrency", "currency", "currencycode"]),
            date: keys.find(&["date", "usagedatetime", "usagedate"]),
            billing_start: keys.find(&["billingperiodstartdate"]),
            billing_end: keys.find(&["billingperiodenddate"]),
            billing_account: keys.find(&["billingaccountid", "enrollmentnumber"]),
            billing_account_name: keys.find(&["billingaccountname"]),
            subscription: keys.find(&["subscriptionid", "subscriptionguid"]),
            subscription_name: keys.find(&["subscriptionname"]),
            category: keys.find(&["metercategory"]),
            subcategory: keys.find(&["metersubcategory"]),
            meter: keys.find(&["metername", "meter"]),
            meter_id: keys.find(&["meterid"]),
            product: keys.find(&["productname", "product"]),
            resource: keys.all(&["resourceid", "instanceid", "instancename"]),
            resource_name: keys.find(&["resourcename"]),
            resource_type: keys.find(&["resourcetype"]),
            region: keys.all(&["resourcelocation", "location", "meterregion"]),
            publisher: keys.find(&["publishername"]),
            invoice: keys.find(&["invoiceid"]),
            charge_type: keys.find(&["chargetype"]),
            frequency: keys.find(&["frequency"]),
            pricing_model: keys.find(&["pricingmodel"]),
            quantity: keys.find(&["quantity", "usagequantity", "consumedquantity"]),
            unit: keys.find(&["unitofmeasure"]),
            commitment: keys.all(&["benefitid", "reservationid"]),
            commitment_name: keys.all(&["benefitname", "reservationname"]),
            tags: keys.find(&["tags"]),
        };
        let is_there = [
            places.cost.is_some(),
            places.date.is_some(),
            places.category.is_some(),
            places.subscription.or(places.billing_account).is_some(),
        ];
        let missing = NEEDED.iter().zip(is_there).filter(|(_, is_there)| !is_there).map(|(name, _)| *name);
        (places, missing.collect())
    }

    /// The indices of the required columns.
    pub fn needed(&self) -> Vec<usize> {
        let needed = [
            self.cost,
            self.currency,
            self.date,
            self.billing_start,
            self.billing_account,
            self.subscription,
            self.category,
            self.charge_type,
            self.pricing_model,
        ];
        needed.into_iter().flatten().chain(self.commitment.iter().chain(&self.resource).copied()).collect()
    }

    /// The indices of columns whose cells are copied completely to a column of the charge.
    pub fn used(&self) -> Vec<usize> {
        let single = [
            self.cost,
            self.list_cost,
            self.currency,
            self.date,
            self.billing_start,
            self.billing_end,
            self.billing_account,
            self.billing_account_name,
            self.subscription,
            self.subscription_name,
            self.category,
            self.subcategory,
            self.meter,
            self.meter_id,
            self.product,
            self.publisher,
            self.invoice,
            self.quantity,
            self.unit,
            self.tags,
        ];
        single.into_iter().flatten().collect()
    }
}

/// A column name in lower case without separators; for `Kategorie (MeterCategory)` the name in brackets.
pub fn plain(name: &str) -> String {
    let inner = name.trim_end().strip_suffix(')').and_then(|name| name.rsplit_once('('));
    let name = inner.map_or(name, |(_, inner)| inner);
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a name only occurs in Azure cost exports.
pub fn is_of_export(key: &str) -> bool {
    const NAMES: [&str; 13] = [
        "subscriptionguid",
        "metercategory",
        "metersubcategory",
        "meterid",
        "metername",
        "meterregion",
        "costinbillingcurrency",
        "pretaxcost",
        "paygcostinbillingcurrency",
        "consumedservice",
        "unitofmeasure",
        "costinusd",
        "billingcurrencycode",
    ];
    NAMES.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_a_column_are_one() {
        for name in [
            "MeterCategory",
            "meterCategory",
            "Kategorie der Verbrauchseinheit (MeterCategory)",
            "Meter Category",
        ] {
            assert_eq!(plain(name), "metercategory");
        }
    }
}
