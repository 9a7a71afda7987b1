//! Black-box tests: the programs as users start them, the interface from outside, the pages in a browser and in the window.
//!
//! All in one binary. The tests call no code of the product: only what is reachable from outside is tested here. The programs are those
//! beside this binary in the target directory; `make test` builds them in the same run.

#![cfg(test)]

mod asking;
mod assistant;
mod bills;
mod bulk;
mod cases;
mod command_line;
mod deliveries;
mod documents;
mod instances;
mod interface;
mod inventory_pages;
mod journeys;
mod live;
mod local_port;
mod models;
mod moving;
#[cfg(target_os = "linux")]
mod packages;
mod providers;
mod pulled_again;
mod real_data;
mod repositories;
mod rightsizing;
mod runs_cut_off;
mod searching;
mod segments;
#[cfg(unix)]
mod servers;
mod setting_up;
mod sign_on;
mod support;
mod tasks;
mod ticket_tasks;
mod tickets_followed;
mod trackers;
mod virtual_tags;
mod writing;
