//! Rightsizing of one namespace on request: applies the rules of `analysis::savings` to part of a cluster.

use super::again::LatestLook;
use super::clusters;
use super::kept::{self, FindingRecord, Surroundings};
use super::row::{DAY, Draft};
use analysis::savings::{FEWEST_HOURS, FEWEST_MEASUREMENTS, rightsizing};
use graphql::Refusal;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use uuid::Uuid;

/// The workloads to analyse.
pub(crate) struct RightsizingRequest {
    pub tenant: Uuid,
    /// The cluster.
    pub account: Uuid,
    pub namespace: String,
    /// Names of workloads; empty for all of the namespace.
    pub workloads: Vec<String>,
    /// Whether the findings are stored as recommendations.
    pub keeps: bool,
}

/// The result of the analysis.
#[derive(Debug, Serialize)]
pub(crate) struct RightsizingOutcome {
    pub status: &'static str,
    pub database_stored: bool,
    pub recommendations_count: usize,
    pub recommendations: Vec<RightsizingAdvice>,
    /// Workloads, as `shop/Deployment/web`: with enough measurements, with too few to lower a request, without any, and those scaled by their
    /// requests.
    pub measured: Vec<String>,
    pub too_few_measurements: Vec<String>,
    pub unmeasured: Vec<String>,
    pub scaled: Vec<String>,
    /// The reason why there are no more findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// One recommendation.
#[derive(Debug, Serialize)]
pub(crate) struct RightsizingAdvice {
    /// The id of the stored recommendation, if stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Uuid>,
    rule_name: &'static str,
    /// For example `shop/Deployment/web`.
    account_object_id: String,
    severity: &'static str,
    /// The details, as in `recommendation.recommendation`.
    recommendation: Value,
}

/// Compares requests with measured usage.
///
/// # Errors
/// If no dump lists the workloads, or there are no measurements of them.
pub(crate) fn generate(
    rows: &Transaction<'_>,
    asked: &RightsizingRequest,
) -> Result<RightsizingOutcome, Refusal> {
    let RightsizingRequest { account, namespace, workloads, .. } = asked;
    let cluster = clusters::of_namespace(rows, *account, namespace, workloads)?;
    let known: BTreeSet<&str> = cluster.workloads.iter().map(|one| one.owner.name.as_str()).collect();
    if let Some(name) = workloads.iter().find(|name| !known.contains(name.as_str())) {
        return Err(Refusal::not_found(format!(
            "no dump of this cluster lists a workload {name} in the namespace {namespace}: import a newer one, or look at its name"
        )));
    }
    if known.is_empty() {
        return Err(Refusal::not_found(format!(
            "no dump of this cluster lists workloads in the namespace {namespace}: import one (kubectl get … -o json)"
        )));
    }
    let found = rightsizing(&cluster);
    if found.measured.is_empty() && !found.unmeasured.is_empty() {
        return Err(Refusal::new(
            "too-few-measurements",
            format!(
                "nothing was measured of the {} workloads looked at in {namespace}: import what their containers used (metrics of Prometheus or OpenCost); a KRR report brings \
                 recommendations of its own",
                found.unmeasured.len()
            ),
        ));
    }
    let drafts: Vec<Draft> =
        found.findings.iter().map(|finding| Draft::of(asked.tenant, finding)).collect::<Result<_, _>>()?;
    let ids =
        if asked.keeps { keep(rows, drafts.clone(), *account, cluster.seen_at)? } else { BTreeMap::new() };
    let recommendations: Vec<RightsizingAdvice> = drafts
        .into_iter()
        .map(|draft| RightsizingAdvice {
            id: ids.get(&draft.id).copied(),
            rule_name: draft.rule_name,
            account_object_id: draft.object,
            severity: draft.severity,
            recommendation: draft.card,
        })
        .collect();
    let message = (!found.too_few.is_empty() || !found.unmeasured.is_empty()).then(|| {
        format!(
            "{} workloads have no measurements, and {} fewer than {FEWEST_MEASUREMENTS} over {FEWEST_HOURS} hours, which lowering requests needs.",
            found.unmeasured.len(),
            found.too_few.len()
        )
    });
    Ok(RightsizingOutcome {
        status: "success",
        database_stored: asked.keeps,
        recommendations_count: recommendations.len(),
        recommendations,
        measured: found.measured,
        too_few_measurements: found.too_few,
        unmeasured: found.unmeasured,
        scaled: found.scaled,
        message,
    })
}

/// Stores the findings like the analysis after an import. Returns the row of each draft, by the draft's id. Recommendations that were not found
/// again are left for that analysis.
fn keep(
    rows: &Transaction<'_>,
    drafts: Vec<Draft>,
    account: Uuid,
    seen_at: i64,
) -> Result<BTreeMap<Uuid, Uuid>, Refusal> {
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or(i32::MAX);
    let look = LatestLook { seen_at: Some(seen_at), ..LatestLook::default() };
    let around = Surroundings { today, shown: BTreeMap::from([(account, look)]), is_newest: true };
    let (_, told, _) = kept::add(rows, drafts, &around)?;
    Ok(told.into_iter().map(|FindingRecord { draft, id, .. }| (draft.id, id)).collect())
}
