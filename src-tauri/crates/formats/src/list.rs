//! The list of document formats, one line each.

use crate::format::Format;
use crate::head::Head;
use crate::{
    alerts, bundle, business, iac, kubernetes, logs, metering, metrics, opencost, recommendations, security,
};

/// All document formats, in the order in which the documentation lists them.
pub const FORMATS: &[Format] = &[
    // clusters
    kubernetes::FORMAT,
    bundle::FORMAT,
    metering::FORMAT,
    opencost::FORMAT,
    metrics::FORMAT,
    logs::FORMAT,
    // security
    security::TRIVY,
    security::KUBE_BENCH,
    security::KUBESCAPE,
    security::PROWLER,
    security::AWS_SECURITY_HUB,
    security::MICROSOFT_DEFENDER,
    security::POPEYE,
    security::POLARIS,
    security::CHECKOV,
    security::SARIF,
    security::OCSF,
    // savings
    recommendations::COST_OPTIMIZATION_HUB,
    recommendations::TRUSTED_ADVISOR,
    recommendations::AZURE_ADVISOR,
    recommendations::GCP_RECOMMENDER,
    recommendations::KRR,
    recommendations::GOLDILOCKS,
    // infrastructure as code
    iac::INFRACOST,
    iac::TERRAFORM,
    // alerts
    alerts::FORMAT,
    // the numbers that costs are divided by
    business::FORMAT,
];

/// The format of a file with this beginning; `None` when no format's certainty is above 50.
pub fn recognise(head: &Head<'_>) -> Option<&'static Format> {
    let (certainty, format) = FORMATS
        .iter()
        .map(|format| ((format.certainty)(head), format))
        .max_by_key(|(certainty, _)| *certainty)?;
    (certainty > 50).then_some(format)
}
