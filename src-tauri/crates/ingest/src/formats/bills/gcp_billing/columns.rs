//! The columns of an export that are read. `service.description` in BigQuery is `Service description` in the console.

use super::super::header::Keys;
use crate::formats::bills::CurrencyCode;
use crate::formats::numbers::Amount;

/// Required columns.
pub const NEEDED: &[&str] =
    &["billing_account_id", "service.description", "sku.description", "usage_start_time", "cost"];

/// The indices of the columns.
#[derive(Debug, Default)]
pub struct Places {
    pub billing_account: Option<usize>,
    pub billing_account_name: Option<usize>,
    pub project: Option<usize>,
    pub project_name: Option<usize>,
    pub service: Option<usize>,
    pub sku: Option<usize>,
    pub sku_id: Option<usize>,
    pub start: Option<usize>,
    pub end: Option<usize>,
    pub cost: Option<usize>,
    pub cost_at_list: Option<usize>,
    pub currency: Option<usize>,
    pub credits: Option<usize>,
    pub credit_type: Option<usize>,
    pub cost_type: Option<usize>,
    pub invoice_month: Option<usize>,
    pub region: Vec<usize>,
    pub zone: Option<usize>,
    pub resource: Vec<usize>,
    pub resource_name: Option<usize>,
    pub usage: Option<usize>,
    pub usage_unit: Option<usize>,
    pub pricing_usage: Option<usize>,
    pub pricing_unit: Option<usize>,
    pub labels: Option<usize>,
    pub project_labels: Option<usize>,
    pub tags: Option<usize>,
}

impl Places {
    /// Finds the columns. Returns their indices and the missing required ones.
    pub fn find(keys: &Keys) -> (Self, Vec<&'static str>) {
        let one = |name: &str| keys.find(&[name]);
        let places = Self {
            billing_account: one("billing_account_id"),
            billing_account_name: one("billing_account_name"),
            project: one("project_id"),
            project_name: one("project_name"),
            service: one("service_description"),
            sku: one("sku_description"),
            sku_id: one("sku_id"),
            start: keys.find(&["usage_start_time", "usage_start_date"]),
            end: keys.find(&["usage_end_time", "usage_end_date"]),
            // The console rounds one of its two cost columns.
            cost: keys.find(&["unrounded_cost", "cost"]),
            cost_at_list: one("cost_at_list"),
            currency: one("currency"),
            credits: one("credits"),
            credit_type: one("credit_type"),
            cost_type: one("cost_type"),
            invoice_month: one("invoice_month"),
            region: keys.all(&["location_region", "location_location"]),
            zone: one("location_zone"),
            resource: keys.all(&["resource_global_name", "resource_name"]),
            resource_name: one("resource_name"),
            usage: one("usage_amount"),
            usage_unit: one("usage_unit"),
            pricing_usage: one("usage_amount_in_pricing_units"),
            pricing_unit: one("usage_pricing_unit"),
            labels: one("labels"),
            project_labels: one("project_labels"),
            tags: one("tags"),
        };
        let is_there = [
            places.billing_account.is_some(),
            places.service.is_some(),
            places.sku.is_some(),
            places.start.is_some(),
            places.cost.is_some(),
        ];
        let missing = NEEDED.iter().zip(is_there).filter(|(_, is_there)| !is_there).map(|(name, _)| *name);
        (places, missing.collect())
    }

    /// The indices of the required columns.
    pub fn needed(&self) -> Vec<usize> {
        let needed = [
            self.billing_account,
            self.project,
            self.service,
            self.sku,
            self.start,
            self.end,
            self.cost,
            self.currency,
            self.credits,
            self.credit_type,
            self.cost_type,
            self.invoice_month,
        ];
        needed.into_iter().flatten().collect()
    }

    /// The indices of columns whose cells are copied completely to a column of the charge.
    pub fn used(&self) -> Vec<usize> {
        let single = [
            self.billing_account,
            self.billing_account_name,
            self.project,
            self.project_name,
            self.service,
            self.sku,
            self.sku_id,
            self.start,
            self.currency,
            self.cost_at_list,
            self.zone,
            self.usage,
            self.usage_unit,
            self.pricing_usage,
            self.pricing_unit,
            self.labels,
            self.project_labels,
            self.tags,
        ];
        single.into_iter().flatten().collect()
    }
}

/// A name in lower case with `_` between words and without the part in brackets: `Unrounded Cost ($)` is `unrounded_cost`.
pub fn plain(name: &str) -> String {
    let name = name.split('(').next().unwrap_or(name).trim();
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}

/// The currency in the brackets of a name, if its symbol belongs to one currency only.
pub fn currency_of(name: &str) -> Option<CurrencyCode> {
    let (_, inner) = name.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    CurrencyCode::parse(Amount::new(&format!("{inner}1"))?.currency_code()?)
}

/// The currency in a line `Currency,USD` above the header.
pub fn currency_above(before: &[u8]) -> Option<CurrencyCode> {
    String::from_utf8_lossy(before).lines().find_map(|line| {
        let (name, value) = line.split_once([',', ';', '\t'])?;
        let code = value.split([',', ';', '\t']).next()?.trim_matches(['"', ' ']);
        name.trim_matches(['"', ' ', '\u{feff}'])
            .eq_ignore_ascii_case("currency")
            .then(|| CurrencyCode::parse(code))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_a_column_are_one() {
        assert_eq!(plain("service.description"), plain("Service description"));
        assert_eq!(plain("Unrounded Cost ($)"), "unrounded_cost");
    }

    #[test]
    fn a_currency_is_taken_only_where_it_is_certain() {
        let code = |name: &str| currency_of(name).map(|code| code.as_str().to_owned());
        assert_eq!(code("Cost (€)").as_deref(), Some("EUR"));
        assert_eq!(code("Cost (USD)").as_deref(), Some("USD"));
        assert_eq!((code("Cost ($)"), code("Cost")), (None, None));
        let above = b"Invoice date,2026-06-01\nCurrency,CHF\n";
        assert_eq!(currency_above(above).map(|code| code.as_str().to_owned()).as_deref(), Some("CHF"));
    }
}
