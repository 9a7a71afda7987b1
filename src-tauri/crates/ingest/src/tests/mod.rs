//! Tests that import into a real database with the real catalogue.

mod again;
mod alerts_again;
mod bad_input;
mod beside;
mod bill_aws_cur;
mod bill_azure_cost;
mod bill_gcp_billing;
mod bundle_files;
mod cluster_changes;
mod clusters;
mod combining;
mod containers;
mod costs_told_twice;
mod cur_parts;
mod deliveries;
mod documents;
mod every_file;
mod focus;
mod forms;
mod fuzz;
mod graph;
mod kit;
mod log_lines;
mod manifests;
mod mappings;
mod numbers;
mod opencost_asked;
mod recommendations;
mod rows_json;
mod rows_parquet;
mod sample;
mod samples;
mod shapes;
mod size;
mod two_formats;

pub use kit::gzip;
