//! Values that are read on request: states in the database, sizes, queues, this process.

use super::PREFIX;
use super::process::ProcessUse;
use crate::background::registry::Kind;
use crate::data::directory::database_in;
use catalogue::Caller;
use model::tables::{imports, notice_delivery, workflow_execution};
use model::{NoticeDeliveryState, Read as _, row};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::path::Path;
use store::{Store, StoreError, Transaction};

row! { struct ImportKey from imports { id } }
row! { struct RunKey from workflow_execution { id } }
row! { struct DeliveryKey from notice_delivery { id } }
row! { struct SendingKey from ticket_sending { ticket } }

/// States of imports that have a metric: the values of the column `imports.state` for imports that have not finished, or have failed.
const IMPORT_STATES: [&str; 5] = ["waiting", "running", "needs_decision", "waiting_for_parts", "failed"];

/// States of workflow runs that have not finished.
const RUN_STATES: [&str; 2] = ["SCHEDULED", "RUNNING"];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabel {
    state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct KindLabel {
    kind: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PartLabel {
    part: &'static str,
}

/// The current values.
pub struct Readings {
    stored: RowReadings,
    database_bytes: [(&'static str, u64); 2],
    process: ProcessUse,
    live: Option<LiveReadings>,
}

/// Values read from rows of the database.
struct RowReadings {
    imports: Vec<(&'static str, u64)>,
    imported_rows: i64,
    runs: Vec<(&'static str, u64)>,
    notices_waiting: u64,
    tickets_waiting: u64,
}

/// Values that only a running service knows.
pub struct LiveReadings {
    /// Long-running jobs, for every kind that has a metric.
    pub jobs: Vec<(Kind, usize)>,
    pub reads_waiting: usize,
    pub readers_idle: usize,
    /// Seconds since 1970 UTC.
    pub started_seconds: i64,
}

impl Readings {
    /// Adds the values that only a running service knows.
    pub fn with_live(self, live: LiveReadings) -> Self {
        Self { live: Some(live), ..self }
    }

    /// Reads the values of a data directory, whether or not a service uses it. Blocks the thread.
    ///
    /// # Errors
    /// When the database does not answer.
    pub fn of_data(store: &Store, data_dir: &Path) -> Result<Self, StoreError> {
        let database = database_in(data_dir);
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
        Ok(Self {
            stored: store.snapshot(&Caller::system(), RowReadings::read)?,
            database_bytes: [("main", size(&database)), ("wal", size(&database.with_extension("db-wal")))],
            process: ProcessUse::now(),
            live: None,
        })
    }

    /// The values as text, including the end marker.
    ///
    /// # Errors
    /// None in practice: text is written to memory.
    pub fn text(&self) -> Result<String, std::fmt::Error> {
        let mut registry = Registry::with_prefix(PREFIX);
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The version of this program", build);
        self.stored.register(&mut registry);
        let sizes = Family::<PartLabel, Gauge>::default();
        for (part, bytes) in self.database_bytes {
            sizes.get_or_create(&PartLabel { part }).set(whole(bytes));
        }
        registry.register_with_unit(
            "database_size",
            "Size of the database and of its log of recent writes",
            Unit::Bytes,
            sizes,
        );
        if let Some(live) = &self.live {
            live.register(&mut registry);
        }
        let mut text = String::new();
        encode(&mut text, &registry)?;
        // Standard names of process metrics have no prefix.
        let mut own = Registry::default();
        if let Some(live) = &self.live {
            if let Some(bytes) = self.process.resident_bytes {
                let gauge = ConstGauge::new(bytes);
                own.register("process_resident_memory_bytes", "Resident memory of the process", gauge);
            }
            if let Some(seconds) = self.process.cpu_seconds {
                own.register(
                    "process_cpu_seconds",
                    "Time of the processor that the process has had",
                    ConstCounter::new(seconds),
                );
            }
            let started = ConstGauge::new(live.started_seconds);
            own.register(
                "process_start_time_seconds",
                "When the process began, seconds since 1970 UTC",
                started,
            );
        }
        let mut rest = String::new();
        encode(&mut rest, &own)?;
        Ok(text.trim_end().trim_end_matches("# EOF").to_owned() + &rest)
    }
}

impl RowReadings {
    fn read(rows: &Transaction<'_>) -> Result<Self, StoreError> {
        let in_state = |state| {
            let found = rows.query::<ImportKey>().filter(imports::state.eq(state)).count()?;
            Ok::<_, StoreError>((state, found))
        };
        let runs_in = |state| {
            let found = rows.query::<RunKey>().filter(workflow_execution::status.eq(state)).count()?;
            Ok::<_, StoreError>((state, found))
        };
        let written =
            rows.query::<ImportKey>().filter(imports::state.ne("undone")).sum(imports::rows_written)?;
        let waiting = notice_delivery::state.eq(NoticeDeliveryState::Waiting);
        Ok(Self {
            imports: IMPORT_STATES.into_iter().map(in_state).collect::<Result<_, _>>()?,
            imported_rows: written.to_string().parse().unwrap_or_default(),
            runs: RUN_STATES.into_iter().map(runs_in).collect::<Result<_, _>>()?,
            notices_waiting: rows.query::<DeliveryKey>().filter(waiting).count()?,
            tickets_waiting: rows.query::<SendingKey>().count()?,
        })
    }

    fn register(&self, registry: &mut Registry) {
        let imports = by_state(&self.imports);
        registry.register("imports", "Imports that have not ended, or ended badly, by state", imports);
        let rows = ConstGauge::new(self.imported_rows);
        registry.register("imported_rows", "Rows of the imports that stand", rows);
        registry.register(
            "workflow_runs",
            "Runs of workflows that have not ended, by state",
            by_state(&self.runs),
        );
        let gauge = |count| ConstGauge::new(whole(count));
        registry.register(
            "notices_waiting",
            "Notices to people that are not sent yet",
            gauge(self.notices_waiting),
        );
        registry.register("tickets_waiting", "Tickets that no tracker has yet", gauge(self.tickets_waiting));
    }
}

impl LiveReadings {
    fn register(&self, registry: &mut Registry) {
        let jobs = Family::<KindLabel, Gauge>::default();
        for (kind, count) in &self.jobs {
            jobs.get_or_create(&KindLabel { kind: kind_name(*kind) }).set(whole(*count));
        }
        registry.register("jobs", "Long jobs that go on, by kind", jobs);
        let gauge = |count| ConstGauge::new(whole(count));
        registry.register("reads_waiting", "GraphQL reads that wait for a thread", gauge(self.reads_waiting));
        registry.register(
            "readers_idle",
            "Threads for GraphQL reads that have nothing to do",
            gauge(self.readers_idle),
        );
    }
}

fn by_state(counts: &[(&'static str, u64)]) -> Family<StateLabel, Gauge> {
    let family = Family::<StateLabel, Gauge>::default();
    for (state, count) in counts {
        family.get_or_create(&StateLabel { state }).set(whole(*count));
    }
    family
}

fn whole(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Import => "import",
        Kind::Download => "download",
        Kind::ModelFile => "model_file",
        Kind::Backup => "backup",
        Kind::Sending => "sending",
    }
}
