//! Installs a complete file as a model, or quarantines it if its hash is wrong.

use super::{Job, Stop, blocking};
use crate::content;
use crate::digest::{ExpectedDigest, FileDigests};
use crate::failure::{Failure, Kind};
use crate::installed::{Model, Trust};
use crate::job::preflight::Offer;
use crate::library::LibraryError;
use crate::record::State;
use crate::registry::not_a_model;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;

impl Job {
    /// The file may exist here already under another name: then nothing is downloaded.
    pub(super) async fn take_known(
        &self,
        expected: &ExpectedDigest,
        offer: &Offer,
    ) -> Result<Option<Model>, Stop> {
        {
            let mut inner = self.live.lock();
            inner.record.size = offer.size;
            inner.record.expected.clone_from(&offer.expected);
        }
        Ok(self.take_present(&expected.hex).await?)
    }

    /// Installs the file with that hash, if it is in the folder and intact.
    pub(super) async fn take_present(&self, sha256: &str) -> Result<Option<Model>, Failure> {
        if !self.library.has(sha256, self.live.lock().record.size) {
            return Ok(None);
        }
        self.enter(State::Verifying).await?;
        let (library, wanted) = (self.library.clone(), sha256.to_owned());
        let found = blocking(move || library.hash_of(&wanted)).await;
        match found {
            Ok(found) if found == sha256 => {
                let mut inner = self.live.lock();
                inner.record.size = inner.record.size.or_else(|| self.library.size_of(sha256));
            }
            // Not what its name states: download instead; the next verification reports it.
            _ => return Ok(None),
        }
        self.write_down(self.model_of(sha256)).await.map(Some)
    }

    /// Installs the part file as a model, or quarantines it.
    pub(super) async fn install(&self, found: FileDigests) -> Result<Model, Failure> {
        let expected = self.live.lock().record.expected.clone();
        if let Some(wanted) = found.contradicts(&expected) {
            return Err(self.quarantine(&found, wanted).await);
        }
        self.check_content()?;
        {
            let mut inner = self.live.lock();
            inner.catch_up();
            inner.record.found = Some(found.sha256.clone());
        }
        self.enter(State::Installing).await?;
        let (library, part, sha256) = (self.library.clone(), self.part.clone(), found.sha256.clone());
        let size = self.live.lock().record.size.unwrap_or(0);
        blocking(move || library.place(&part, size, &sha256)).await.map_err(|cause| {
            Failure::disk("The file cannot be given its name in the models folder", &cause)
        })?;
        self.write_down(self.model_of(&found.sha256)).await
    }

    /// Checks that the part file can be a model. If not, its bytes are discarded and the next attempt starts over.
    fn check_content(&self) -> Result<(), Failure> {
        let read = |cause| Failure::disk("The part file cannot be read", &cause);
        let size = self.live.lock().record.size.unwrap_or(u64::MAX);
        let mut head = self.part.head().map_err(read)?;
        head.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        let Some(why) = content::problem(&head, &[self.name.as_str()]) else { return Ok(()) };
        let mut inner = self.live.lock();
        inner.active = None;
        let host = self.registry.host();
        self.start_over(&mut inner.record, "What came was no model; the download started over.");
        Err(not_a_model(host, why))
    }

    pub(super) fn model_of(&self, sha256: &str) -> Model {
        let inner = self.live.lock();
        let told = inner.record.expected.first();
        let now = self.surroundings.now();
        Model {
            name: self.name.to_string(),
            sha256: sha256.to_owned(),
            size_bytes: inner.record.size.unwrap_or(0),
            trust: if told.is_some() { Trust::Registry } else { Trust::FirstUse },
            told_by: told.map_or_else(|| "nobody".to_owned(), |told| told.told_by.clone()),
            source: "download".to_owned(),
            origin: self.registry.host().to_owned(),
            installed_at: now,
            checked_at: now,
        }
    }

    /// Writes the model's row; waits if the database is busy with an import.
    pub(super) async fn write_down(&self, model: Model) -> Result<Model, Failure> {
        loop {
            let (library, live, row) = (self.library.clone(), Arc::clone(&self.live), model.clone());
            let write = move || {
                let mut is_over = live.written();
                library.write_down(&row)?;
                *is_over = true;
                Ok(())
            };
            match blocking(write).await {
                Ok(()) => break,
                Err(LibraryError::Store(StoreError::Busy { .. })) => {
                    self.surroundings.pass(Duration::from_secs(1)).await;
                }
                Err(error) => {
                    return Err(Failure::new(Kind::Disk, format!("{error}."), "Resume to try again."));
                }
            }
        }
        Ok(model)
    }

    pub(super) async fn quarantine(&self, found: &FileDigests, wanted: &ExpectedDigest) -> Failure {
        let is = found.of(wanted.algorithm).unwrap_or_default().to_owned();
        let (library, part, name, sha256) =
            (self.library.clone(), self.part.clone(), self.name.clone(), found.sha256.clone());
        let kept = blocking(move || library.quarantine(&part.path, &name, &sha256)).await;
        let mut inner = self.live.lock();
        inner.active = None;
        inner.record.done = crate::ranges::Ranges::default();
        let place = kept.map_or_else(
            |_| "could not be put aside".to_owned(),
            |path| format!("is kept as {}", path.display()),
        );
        Failure::new(
            Kind::Mismatch,
            format!(
                "The file is not what the registry said: its hash is {is}, {} says {}.",
                wanted.told_by, wanted.hex
            ),
            format!(
                "It is not used and {place}. Start over; if it happens again, ask whoever runs the registry."
            ),
        )
    }
}
