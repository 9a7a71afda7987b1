//! Formats of recommendations for savings and sizing.

mod azure_advisor;
mod cost_optimization_hub;
mod entries;
mod gcp_recommender;
mod goldilocks;
mod krr;
mod money;
#[cfg(test)]
mod tests;
mod trusted_advisor;

pub use azure_advisor::FORMAT as AZURE_ADVISOR;
pub use cost_optimization_hub::FORMAT as COST_OPTIMIZATION_HUB;
pub use gcp_recommender::FORMAT as GCP_RECOMMENDER;
pub use goldilocks::FORMAT as GOLDILOCKS;
pub use krr::FORMAT as KRR;
pub use money::decimal;
pub use trusted_advisor::FORMAT as TRUSTED_ADVISOR;
