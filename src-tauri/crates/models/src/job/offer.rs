//! Requests what the registry offers, and checks whether the bytes here belong to it.

use super::{Job, Stop};
use crate::failure::Failure;
use crate::job::preflight::{self, Offer};
use crate::record::Record;

impl Job {
    /// Requests the offer until the registry responds.
    pub(super) async fn ask(&self) -> Result<Offer, Stop> {
        let mut tries = 0;
        loop {
            match preflight::ask(&self.registry, &self.name).await {
                Ok(offer) => return Ok(offer),
                Err(trouble) => {
                    tries += 1;
                    self.after(trouble, tries).await?;
                }
            }
        }
    }

    /// Adopts the offer for the download. Returns whether the file must be fetched in one piece.
    pub(super) fn adopt(&self, offer: &Offer, whole: bool) -> bool {
        let mut inner = self.live.lock();
        inner.active = None;
        let record = &mut inner.record;
        let is_short = self.part.len().unwrap_or(0) < record.done.end();
        if is_short {
            self.start_over(record, "The part file was gone or cut; the download started over.");
        } else if !is_same(record, offer) {
            self.start_over(
                record,
                "The file at the registry is another one than before; the download started over.",
            );
        }
        let is_unsure = offer.validator.is_none() && offer.expected.is_empty();
        let is_whole = whole || !offer.has_ranges || is_unsure;
        if is_whole {
            let why = if is_unsure {
                "The registry says nothing by which parts of the file could be told to belong together; the download started over."
            } else {
                "The registry sends whole files only; the download started over."
            };
            self.start_over(record, why);
        }
        record.size = offer.size;
        record.validator.clone_from(&offer.validator);
        record.expected.clone_from(&offer.expected);
        self.registry.address().clone_into(&mut record.registry);
        is_whole
    }

    /// Required: `size × 1.05 + reserve`, less the bytes here, plus what other downloads still need.
    pub(super) fn check_space(&self, size: u64) -> Result<(), Failure> {
        let left = size.saturating_sub(self.live.lock().record.done.total());
        let others = self.library.still_to_come(Some(&self.name)).map_err(|error| Failure::store(&error))?;
        let needed = left + left / 20 + self.options.reserve + others;
        let folder = self.library.folder();
        let free = self
            .surroundings
            .free_bytes(folder)
            .map_err(|cause| Failure::disk("The free space of the models folder cannot be read", &cause))?;
        if free >= needed {
            return Ok(());
        }
        let remedy = "Free some space or move the models folder to another volume, then resume.";
        Err(Failure::no_room("The download", needed, folder, free, remedy))
    }
}

/// Whether the part file is the beginning of the offered file: by hashes if both are known, else by the validator.
fn is_same(record: &Record, offer: &Offer) -> bool {
    if record.done.is_empty() {
        return true;
    }
    if record.size != offer.size {
        return false;
    }
    if !record.expected.is_empty() && !offer.expected.is_empty() {
        return record.expected.iter().any(|one| {
            offer.expected.iter().any(|other| (one.algorithm, &one.hex) == (other.algorithm, &other.hex))
        });
    }
    record.validator.is_some() && record.validator == offer.validator
}
