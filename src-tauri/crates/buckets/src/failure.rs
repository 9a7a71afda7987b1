//! Errors of buckets, with messages that tell the user what to do.

use crate::address::Address;
use outgoing::Fault;
use std::error::Error;

/// Why objects could not be listed or read. Never contains text of a response: it may come from an internal machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);

impl Failure {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    /// Converts an error to a message. `status` is the last HTTP status.
    pub(crate) fn of(error: &object_store::Error, address: &Address, status: Option<u16>) -> Self {
        let (title, bucket) = (address.kind.title(), &address.bucket);
        if let Some(fault) = fault_in(error) {
            return Self(fault.to_string());
        }
        Self(match (error, status) {
            (object_store::Error::InvalidPath { .. }, _) => format!(
                "{bucket} has an object with an empty or unusual part in its name, such as a//b, and cannot be listed: name a folder below it."
            ),
            (_, Some(401 | 403)) => format!(
                "{title} refuses the credentials for {bucket}: check them, and that they may list and read its objects."
            ),
            (_, Some(404)) => {
                format!(
                    "{title} knows no {bucket}, or the object was removed: check the address, the endpoint and the region."
                )
            }
            (_, Some(300..=399)) => {
                format!(
                    "{title} says that {bucket} lies elsewhere: give its region, and the endpoint of that region if there is one."
                )
            }
            (_, Some(400)) => format!(
                "{title} does not take the request for {bucket}: check the region, the endpoint, and the clock of this machine."
            ),
            (_, Some(status @ 401..)) => format!("{title} answered with status {status}; it is tried again."),
            (_, Some(_)) => {
                format!("{title} answered for {bucket}, and not as it should: check the endpoint.")
            }
            (_, None) => format!(
                "No usable credentials for {title}: check what was typed, or the environment of this service if nothing was."
            ),
        })
    }
}

fn fault_in(error: &object_store::Error) -> Option<&Fault> {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(fault) = error.downcast_ref::<Fault>() {
            return Some(fault);
        }
        cause = error.source();
    }
    None
}
