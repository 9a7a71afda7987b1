//! Figures of the running service, in the text format of Prometheus: what is counted as it happens, and what is read when somebody asks.
//!
//! No label holds what a caller chose: routes, root fields, states and kinds are lists that the program knows, so neither names of tenants
//! nor any number of series can come in.

mod counted;
mod process;
mod readings;

pub use counted::count_request;
pub use readings::{LiveReadings, Readings};

use counted::{GraphqlCounts, HttpCounts};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use std::sync::Arc;

/// What the text is sent as.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What names of these figures begin with.
const PREFIX: &str = "quarterdeck";

/// What is counted since the service started.
pub struct Metrics {
    registry: Registry,
    pub(crate) http: HttpCounts,
    pub(crate) graphql: Arc<GraphqlCounts>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        let http = HttpCounts::register(&mut registry);
        let graphql = Arc::new(GraphqlCounts::register(&mut registry));
        Self { registry, http, graphql }
    }
}

impl Metrics {
    /// All figures as text: those counted since the start, and these readings.
    ///
    /// # Errors
    /// None in practice: text is written to memory.
    pub fn text(&self, readings: &Readings) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        // Each half ends with the mark of the format's end.
        let counted = text.trim_end().trim_end_matches("# EOF").to_owned();
        Ok(counted + &readings.text()?)
    }
}
