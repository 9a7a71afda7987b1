//! Infrastructure as code: what Terraform says is there, and what Infracost says it would cost.

mod infracost;
mod terraform;
#[cfg(test)]
mod tests;

pub use infracost::FORMAT as INFRACOST;
pub use terraform::FORMAT as TERRAFORM;
