//! Reports of security scanners: vulnerabilities, misconfigurations and benchmark checks.

mod asff;
mod checkov;
pub mod common;
pub mod defender;
mod kube_bench;
mod kubescape;
mod ocsf;
mod polaris;
mod popeye;
mod prowler;
mod sarif;
#[cfg(test)]
mod tests;
mod trivy;
mod trivy_operator;

pub use asff::FORMAT as AWS_SECURITY_HUB;
pub use checkov::FORMAT as CHECKOV;
pub use defender::FORMAT as MICROSOFT_DEFENDER;
pub use kube_bench::FORMAT as KUBE_BENCH;
pub use kubescape::FORMAT as KUBESCAPE;
pub use ocsf::FORMAT as OCSF;
pub use polaris::FORMAT as POLARIS;
pub use popeye::FORMAT as POPEYE;
pub use prowler::FORMAT as PROWLER;
pub use sarif::FORMAT as SARIF;
pub use trivy::FORMAT as TRIVY;
