//! Tests of downloads with a misbehaving registry on loopback.

use store::Store;
use tempfile::TempDir;

/// A database with the real catalogue in a temporary folder.
pub fn new_store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("test.db"), testkit::product::catalogue()).unwrap();
    (folder, store)
}

pub use testkit::registry;

mod bad_registry;
mod exporting;
mod keeping;
mod steps;

use crate::digest::Hashing;
use crate::downloads::Downloads;
use crate::job::Options;
use crate::policy::Policy;
use crate::settings::SettingValues;
use crate::surroundings::{Passing, Surroundings};
use crate::{Library, ModelName, Status};
use registry::Registry;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Simulated time, and fixed random numbers.
pub struct Stage {
    now: AtomicI64,
    chance: AtomicU64,
    /// Requested waits.
    pub waits: Mutex<Vec<Duration>>,
    pub free: AtomicU64,
}

impl Surroundings for Stage {
    fn now(&self) -> i64 {
        self.now.fetch_add(1_000, Ordering::Relaxed)
    }

    fn pass(&self, time: Duration) -> Passing<'_> {
        self.waits.lock().unwrap().push(time);
        self.now.fetch_add(i64::try_from(time.as_micros()).unwrap(), Ordering::Relaxed);
        Box::pin(tokio::task::yield_now())
    }

    fn chance(&self) -> f64 {
        f64::from(u32::try_from(self.chance.fetch_add(7, Ordering::Relaxed) % 10).unwrap()) / 10.0
    }

    fn boot(&self) -> Option<String> {
        Some("this one".to_owned())
    }

    fn free_bytes(&self, _: &Path) -> io::Result<u64> {
        Ok(self.free.load(Ordering::Relaxed))
    }
}

/// A data directory with downloads.
pub struct Desk {
    folder: TempDir,
    store: Store,
    pub stage: Arc<Stage>,
    pub downloads: Downloads,
}

/// Small files in several parts, and short timeouts.
fn options() -> Options {
    Options {
        connections: 3,
        most: 64 << 10,
        least: 32 << 10,
        silence: Some(Duration::from_millis(300)),
        reserve: 0,
        ..Options::default()
    }
}

impl Desk {
    pub fn new(registry: &Registry) -> Self {
        Self::with(registry, &[])
    }

    pub fn with(registry: &Registry, further: &[(&str, &str)]) -> Self {
        let (folder, store) = new_store();
        let stage = Arc::new(Stage {
            now: AtomicI64::new(1_795_156_680_000_000),
            chance: AtomicU64::new(0),
            waits: Mutex::default(),
            free: AtomicU64::new(u64::MAX / 4),
        });
        let mut given = SettingValues::from([
            ("MODEL_REGISTRY_URL".to_owned(), registry.address.clone()),
            ("LICENSE_KEY".to_owned(), registry::KEY.to_owned()),
            ("MODEL_CONNECTIONS".to_owned(), "3".to_owned()),
        ]);
        given.extend(further.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let downloads = Downloads::with(
            store.clone(),
            given,
            folder.path(),
            stage.clone(),
            options(),
            None,
            Policy::default(),
        );
        Self { folder, store, stage, downloads }
    }

    /// Opens the same data as another process would.
    pub fn again(&mut self) {
        let environment = self.downloads.environment().clone();
        self.downloads = Downloads::with(
            self.store.clone(),
            environment,
            self.folder.path(),
            self.stage.clone(),
            options(),
            None,
            Policy::default(),
        );
    }

    /// Uses the same data with another registry.
    pub fn turn_to(&mut self, registry: &Registry) {
        let mut environment = self.downloads.environment().clone();
        environment.insert("MODEL_REGISTRY_URL".to_owned(), registry.address.clone());
        self.downloads = Downloads::with(
            self.store.clone(),
            environment,
            self.folder.path(),
            self.stage.clone(),
            options(),
            None,
            Policy::default(),
        );
    }

    /// Downloads a model until the download ends. Returns its status then; `None` if the model is installed.
    pub fn pull(&self, name: &str) -> Option<Status> {
        let name = ModelName::parse(name).unwrap();
        self.downloads.start(&name).unwrap();
        self.downloads.wait(&name);
        self.downloads.status(&name).unwrap()
    }

    pub fn library(&self) -> Library {
        self.downloads.library().unwrap()
    }

    /// The bytes of an installed model.
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let model = self.library().find(&ModelName::parse(name).unwrap()).ok()?;
        Some(std::fs::read(self.library().path(&model)).unwrap())
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// A random generator with a seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Random bytes without repeated parts.
pub fn content(seed: u64, size: usize) -> Vec<u8> {
    let mut dice = Dice(seed);
    std::iter::repeat_with(|| u8::try_from(dice.below(256)).unwrap()).take(size).collect()
}

pub fn sha256(bytes: &[u8]) -> String {
    let mut hashing = Hashing::for_any_of(&[]);
    hashing.update(bytes);
    hashing.finish().sha256
}

fn name(text: &str) -> ModelName {
    ModelName::parse(text).unwrap()
}
