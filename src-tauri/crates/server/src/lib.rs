//! The service: settings, routes, jobs, pages; and the command line of `quarterdeck-server`.
//!
//! Start at [`start`] for the service and at [`cli::run`] for the command line. HTTP is known here and nowhere else;
//! what a request asks for is answered by the rooms below.

mod app;
mod asked_models;
mod backups;
mod caller;
mod chores;
pub mod cli;
mod clock;
mod compression;
mod courtesy;
mod damage;
mod data_dir;
mod door;
mod downloads;
mod error;
mod findings;
mod forward;
mod guard;
mod hex;
mod host;
mod house;
mod imports_handler;
mod jobs;
mod later;
mod links;
mod logging;
mod model_safe;
mod pace;
mod pages;
mod peer;
mod put_back;
mod readers;
mod renewal;
mod report;
mod request_key;
mod routes;
mod runner;
mod schema;
mod secret_key;
mod service;
mod serving;
mod session_cookie;
mod settings;
mod signals;
mod surroundings;
mod tasks;
#[cfg(test)]
mod tests;
mod tickets;
mod transfer;
mod turns;
mod watched;
mod works;

pub use door::Door;
pub use error::chain;
pub use forward::{Forward, ForwardError, NotPutForward, files_among};
pub use host::{Choice, Choices, Host, HostError, OnClose, ZOOM};
pub use put_back::{PutBack, WayOut, take_way_out};
pub use service::{Running, StartError, start, start_at, start_behind};
pub use settings::{Flags, Settings, SettingsError, Source};
pub use signals::Signals;
pub use works::{Ended, Kind, Outcome, Work, Works};
