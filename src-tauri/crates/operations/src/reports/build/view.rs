//! A saved view of the Explorer: grouping, metric and filters. It is read whenever a report is built, so that the report follows changes of the
//! view.

use crate::spending::{Charges, Dimension, metric_column};
use graphql::Refusal;
use model::tables::saved_view;
use model::{Id, Read, row};
use serde::Deserialize;
use store::Transaction;
use store::query::Filter;
use uuid::Uuid;

row! { struct ViewRow from saved_view { name, page, search } }

const PAGE: &str = "costs/explorer";
/// Dimensions in the Explorer's URL and their names in reports. The Explorer can also group by resource, which is too many rows for a report.
const NAMES: [(&str, &str); 6] = [
    ("service", "service_name"),
    ("category", "service_category"),
    ("account", "account_id"),
    ("region", "region"),
    ("charge", "charge_category"),
    ("provider", "provider_name"),
];

/// The parameters of the Explorer's URL that a report uses.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Search {
    by: Option<String>,
    metric: Option<String>,
    currency: Option<String>,
    filters: Vec<FilterChoice>,
}

#[derive(Deserialize)]
struct FilterChoice {
    field: String,
    values: Vec<String>,
    #[serde(default)]
    not: bool,
}

/// A saved view with the grouping and filters of a report.
pub(super) struct View {
    pub name: String,
    pub by: Dimension,
    /// For example `billed`.
    pub metric: String,
    currency: Option<String>,
    chosen: Vec<(Dimension, Vec<String>, bool)>,
}

impl View {
    /// The view of the Explorer with that id, which must be shared in the tenant.
    pub(super) fn find(rows: &Transaction<'_>, id: Uuid) -> Result<Self, Refusal> {
        let is_it = saved_view::id.eq(Id::new(id)).and(saved_view::page.eq(PAGE));
        let found = rows.query::<ViewRow>().filter(is_it).first()?.ok_or_else(|| {
            Refusal::not_found(format!(
                "there is no view {id} of the Explorer that is saved for everyone: it may have been removed"
            ))
        })?;
        let search: Search = found.search.parse().map_err(|error| {
            Refusal::invalid(format!("the saved view {} cannot be read: {error}", found.name))
        })?;
        let metric = search.metric.unwrap_or_else(|| "billed".to_owned());
        metric_column(&metric)?;
        let dimension = |name: &str| dimension(name, &found.name);
        let chosen = search.filters.into_iter().map(|one| Ok((dimension(&one.field)?, one.values, one.not)));
        Ok(Self {
            by: dimension(search.by.as_deref().unwrap_or("service"))?,
            metric,
            currency: search.currency,
            chosen: chosen.collect::<Result<_, Refusal>>()?,
            name: found.name,
        })
    }

    /// The filters of the view, without a date range.
    pub(super) fn filters(&self, charges: &Charges<'_>) -> Result<Vec<Filter>, Refusal> {
        let mut filters: Vec<Filter> = self
            .chosen
            .iter()
            .map(|(by, values, is_not)| by.has_value(charges.table, values, *is_not))
            .collect::<Result<_, _>>()?;
        if let Some(currency) = &self.currency {
            filters.push(charges.is("unit", currency)?);
        }
        Ok(filters)
    }
}

fn dimension(name: &str, view: &str) -> Result<Dimension, Refusal> {
    if let Some(key) = name.strip_prefix("tag:") {
        return Dimension::find(&format!("tags.{key}"), "search");
    }
    let known = NAMES.iter().find(|(address, _)| *address == name);
    let (_, known) = known.ok_or_else(|| {
        Refusal::invalid(format!("the view {view} is by {name}, which no report can be grouped by"))
    })?;
    Dimension::find(known, "search")
}
