//! Metrics of the running service in the text format of Prometheus: counters, and values that are read on request.
//!
//! No label contains a value chosen by a caller: routes, root fields, states and kinds are fixed lists. Therefore labels contain no tenant names,
//! and the number of series is bounded.

mod counted;
mod process;
mod readings;

pub use counted::count_request;
pub use readings::{LiveReadings, Readings};

use counted::{GraphqlCounts, HttpCounts};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use std::sync::Arc;

/// Media type of the text.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Prefix of all metric names.
const PREFIX: &str = "quarterdeck";

/// Counters since the service started.
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
    /// All metrics as text: the counters since the start, and these readings.
    ///
    /// # Errors
    /// None in practice: text is written to memory.
    pub fn text(&self, readings: &Readings) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        // Each half ends with the end marker of the format.
        let counted = text.trim_end().trim_end_matches("# EOF").to_owned();
        Ok(counted + &readings.text()?)
    }
}
