//! Infrastructure as code: resources from Terraform, and cost estimates from Infracost.

mod infracost;
mod terraform;
#[cfg(test)]
mod tests;

pub use infracost::FORMAT as INFRACOST;
pub use terraform::FORMAT as TERRAFORM;
