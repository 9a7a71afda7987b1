//! Runs workflows: claims due runs, makes the calls of their tasks, and stores the outcomes. Due times and claims are stored in the database; an
//! idle runner sleeps until the next due time, or until rows that trigger work are written.

mod answers;
mod checks;
#[cfg(unix)]
mod outputs;
mod pulls;
mod slack;
mod tickets;

#[cfg(unix)]
mod programs;
/// Without process groups, programs cannot be run.
#[cfg(not(unix))]
mod programs {
    pub async fn run(
        call: automation::commands::ProgramCall,
        _: String,
    ) -> Result<serde_json::Value, automation::plan::TaskFailure> {
        let message = format!("{} is not run on this system", call.program);
        Err(automation::plan::TaskFailure::new("Program", message))
    }

    pub async fn written(
        program: &'static str,
        _: String,
        _: Vec<String>,
        _: i64,
    ) -> Result<String, automation::plan::TaskFailure> {
        let message = format!("{program} is not run on this system");
        Err(automation::plan::TaskFailure::new("Program", message))
    }
}

use crate::background::chores::{AGAIN_AFTER, pause, until};
use crate::background::tickets::TicketDesk;
use crate::clock;
use crate::settings::{Automation, Egress};
use automation::commands::{INTERPRETERS, ProgramCall};
use automation::plan::{CallOutcome, TaskFailure};
use automation::secrets::REPOSITORY_SECRETS;
use automation::services::network::NetworkCheck;
use models::Downloads;
use operations::Trackers;
use operations::runs::{
    self, AutomationSettings, ClaimedRun, Program, RUN_LEASE, RUNS, RunCall, RunEnvironment, RunWork, Step,
};
use outgoing::{EgressPolicy, OutgoingSettings};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{Store, StoreError};
use tokio::sync::{Semaphore, watch};
use tokio::task::{AbortHandle, JoinSet};
use uuid::Uuid;

/// Number of concurrent runs.
const AT_ONCE: usize = 64;
/// Maximum number of bytes read of a response.
const LARGEST_ANSWER: usize = 512 * 1024;
/// How often, and after which delay, storing an outcome is retried if the database does not accept it.
const PATIENT_TRIES: usize = 60;
const AFTER_TROUBLE: Duration = Duration::from_secs(2);
/// Error message of a refused script.
const SCRIPTS_OFF: &str = "scripts are off: the administrator of the service switches them on with QUARTERDECK_AUTOMATION_SCRIPTS=on \
                           (setting automation_scripts), and allows their interpreters in QUARTERDECK_AUTOMATION_PROGRAMS";
/// Maximum number of characters quoted from a failed response.
const QUOTED: usize = 300;

/// What runs need from the service.
#[derive(Clone)]
pub struct Runner {
    store: Store,
    /// Provides the network settings.
    models: Downloads,
    egress: Egress,
    settings: Automation,
    /// Base URL of links.
    base_url: Arc<str>,
    secrets: Secrets,
    desks: Desks,
    turns: Arc<Semaphore>,
}

/// Access to models and trackers.
#[derive(Clone)]
pub struct Desks {
    pub models: ModelsDesk,
    pub tickets: TicketDesk,
}

/// What a call of a language model needs.
#[derive(Clone)]
pub struct ModelsDesk {
    pub engine: graphql::Engine,
    pub models: Arc<dyn operations::Models>,
}

/// Returns the value of a secret by its name.
pub type Secrets = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Secrets of the environment: `SECRET_<NAME>`.
pub fn environment_secrets() -> Secrets {
    Arc::new(|name| std::env::var(format!("SECRET_{name}")).ok().filter(|secret| !secret.is_empty()))
}

/// The names of the secrets of the environment, sorted.
fn environment_names() -> Vec<String> {
    let set = std::env::vars_os().filter(|(_, value)| value.to_str().is_some_and(|value| !value.is_empty()));
    let names = set.filter_map(|(name, _)| Some(name.to_str()?.strip_prefix("SECRET_")?.to_owned()));
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

impl Runner {
    pub fn new(
        store: Store,
        models: Downloads,
        egress: Egress,
        settings: Automation,
        base_url: &str,
        secrets: Secrets,
        desks: Desks,
    ) -> Self {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Self { store, models, egress, settings, base_url: base_url.into(), secrets, desks, turns }
    }

    /// Network settings for the services that tasks call. Blocks the thread.
    fn way(&self) -> Result<OutgoingSettings, TaskFailure> {
        let failed = |message: String| TaskFailure::new("Network", message);
        let settings = self.models.settings().map_err(|error| {
            tracing::error!("the settings of the network cannot be read: {error}");
            failed("the settings of the network cannot be read; the service's log says why".to_owned())
        })?;
        let way = settings.way().map_err(|failure| failed(failure.to_string()))?;
        Ok(OutgoingSettings { egress: self.policy().clone(), ..way })
    }

    /// The allowed destinations of tasks.
    fn policy(&self) -> &EgressPolicy {
        if self.settings.reaches_private { &self.egress.instance } else { &self.egress.tenants }
    }

    /// Continues a run until it ends, or waits for something other than a call.
    async fn carry_out(self, run: ClaimedRun) {
        let (mut calls, mut in_flight) = (JoinSet::new(), BTreeSet::new());
        let mut finished = Vec::new();
        loop {
            let Some(step) = self.advance_surely(run, std::mem::take(&mut finished), &in_flight).await else {
                return;
            };
            if step.is_released {
                return;
            }
            for call in step.calls {
                in_flight.insert(call.path.clone());
                calls.spawn(self.clone().make(call));
            }
            if step.has_more_work {
                continue;
            }
            let Some(one) = self.next_finished(run, &mut calls).await else { return };
            in_flight.remove(&one.path);
            finished.push(one);
        }
    }

    /// Advances the run, retrying while the database is busy: a lost outcome would cause a call to be repeated.
    async fn advance_surely(
        &self,
        run: ClaimedRun,
        finished: Vec<CallOutcome>,
        in_flight: &BTreeSet<String>,
    ) -> Option<Step> {
        for _ in 0..PATIENT_TRIES {
            match self.advance(run, finished.clone(), in_flight.clone()).await {
                Ok(step) => return Some(step),
                Err(error) => {
                    tracing::warn!(run = %run.id, "a run of a workflow could not go on and is tried again: {error}");
                    tokio::time::sleep(AFTER_TROUBLE).await;
                }
            }
        }
        None
    }

    async fn advance(
        &self,
        run: ClaimedRun,
        finished: Vec<CallOutcome>,
        in_flight: BTreeSet<String>,
    ) -> Result<Step, StoreError> {
        let runner = self.clone();
        wait(move || {
            let secret = |name: &str| (runner.secrets)(name);
            let decrypt =
                |purpose: &str, sealed: &str| Trackers::decrypt(&runner.desks.tickets, purpose, sealed);
            let environment =
                RunEnvironment { secret: &secret, decrypt: &decrypt, base_url: &runner.base_url };
            runs::advance(&runner.store, run, &environment, finished, &in_flight)
        })
        .await
    }

    /// Waits for the next call to end, and renews the lease of the run meanwhile. `None` if no call is in progress.
    async fn next_finished(&self, run: ClaimedRun, calls: &mut JoinSet<CallOutcome>) -> Option<CallOutcome> {
        loop {
            tokio::select! {
                ended = calls.join_next() => match ended? {
                    Ok(finished) => return Some(finished),
                    Err(error) => {
                        tracing::error!(run = %run.id, "a call of a workflow ended without an outcome: {error}");
                        return None;
                    }
                },
                () = tokio::time::sleep(RUN_LEASE / 3) => {
                    let store = self.store.clone();
                    if let Err(error) = wait(move || runs::extend_claim(&store, run)).await {
                        tracing::warn!(run = %run.id, "a run that is carried out may be taken for left: {error}");
                    }
                }
            }
        }
    }

    async fn make(self, call: RunCall) -> CallOutcome {
        let result = match call.work {
            Err(failure) => Err(failure),
            Ok(RunWork::Program(program)) => self.run_program(program).await,
            Ok(RunWork::Pull(task)) => {
                let runner = self.clone();
                let way = wait(move || Ok(runner.way())).await;
                match way.map_err(|error| TaskFailure::new("Network", error.to_string())) {
                    Ok(Ok(way)) => pulls::carry_out(&way, task, clock::now()).await,
                    Ok(Err(failure)) | Err(failure) => Err(failure),
                }
            }
            Ok(RunWork::Ticket(call)) => tickets::carry_out(&self.desks.tickets, call).await,
            Ok(RunWork::Check(check)) => self.look(check).await,
            Ok(RunWork::Slack(task)) => self.speak_to_slack(task).await,
            Ok(RunWork::Remote(call)) => self.call_elsewhere(call).await,
            Ok(RunWork::Model(call)) => self.ask_model(call).await,
            Ok(RunWork::Values(values)) => wait(move || Ok(values.carry_out(&|| Some(rand::random()))))
                .await
                .unwrap_or_else(|error| Err(TaskFailure::new("TransformError", error.to_string()))),
            Ok(RunWork::Metrics(call)) => self.measure(call).await,
            Ok(RunWork::Http(request)) => self.ask_in_time(request).await,
        };
        CallOutcome { path: call.path, result }
    }

    /// The path of a program on this machine, if it is allowed to run.
    fn program_path(&self, name: &str) -> Result<String, TaskFailure> {
        let program = self.automation_settings().program(name).map(|program| program.path.clone());
        let denied = |reason| TaskFailure::new("ProgramNotAllowed", reason);
        Ok(program.map_err(denied)?.unwrap_or_default())
    }

    /// Performs a network check.
    async fn look(&self, check: NetworkCheck) -> Result<Value, TaskFailure> {
        let runner = self.clone();
        let way = wait(move || Ok(runner.way())).await;
        let way = way.map_err(|error| TaskFailure::new("Network", error.to_string()))??;
        checks::carry_out(&way, check, &|name| self.program_path(name), clock::now).await
    }

    async fn run_program(&self, call: ProgramCall) -> Result<Value, TaskFailure> {
        if INTERPRETERS.contains(&call.program) && !self.settings.runs_scripts {
            return Err(TaskFailure::new("ScriptsNotAllowed", SCRIPTS_OFF));
        }
        let path = self.program_path(call.program)?;
        let (timeout, then) = (call.timeout, call.then.clone());
        let answer = programs::run(call, path.clone()).await?;
        let Some(then) = then else { return Ok(answer) };
        let wrong = |reason: String| TaskFailure::new("Program", reason);
        let live = answer["data"].as_str().unwrap_or_default();
        let (mut patched, call) = then.call(live, timeout).map_err(wrong)?;
        if let Some(call) = call {
            let answer = programs::run(call, path).await?;
            answer["data"].as_str().unwrap_or_default().clone_into(&mut patched.data);
            patched.stderr = answer["stderr"].as_str().map(str::to_owned);
        }
        serde_json::to_value(patched).map_err(|error| wrong(error.to_string()))
    }

    /// The capabilities of this service: its settings, the programs on this machine, and the tokens in its environment. Blocks the thread.
    fn automation_settings(&self) -> AutomationSettings {
        let program = |name: &String| Program {
            name: name.clone(),
            path: find_program(name, self.settings.search_path.as_deref()),
        };
        let may_run = |name: &&String| self.settings.runs_scripts || !INTERPRETERS.contains(&name.as_str());
        AutomationSettings {
            is_on: self.settings.is_on,
            reaches_private: self.settings.reaches_private,
            private_addresses: self.policy().to_string(),
            programs: self.settings.programs.iter().filter(may_run).map(program).collect(),
            repository_tokens: self.repository_tokens(),
            environment_secrets: environment_names(),
            history_days: self.settings.history_days,
        }
    }

    /// Repository services whose token is a secret of the environment, each with the host if the token names one.
    fn repository_tokens(&self) -> Vec<String> {
        let known = REPOSITORY_SECRETS.iter().filter_map(|(service, secret)| {
            let token = (self.secrets)(secret)?;
            let url = url::Url::parse(token.trim()).ok();
            let host = url.as_ref().and_then(url::Url::host_str);
            Some(host.map_or_else(|| (*service).to_owned(), |host| format!("{service}={host}")))
        });
        known.collect()
    }

    /// Starts all due runs. Returns the time of the next one, µs since 1970 UTC.
    async fn begin_due(&self, running: &mut Running) -> Result<Option<i64>, StoreError> {
        let store = self.store.clone();
        let schedules = wait(move || runs::start_due(&store)).await?;
        loop {
            // The semaphore is never closed.
            let Ok(turn) = Arc::clone(&self.turns).acquire_owned().await else { return Ok(None) };
            let store = self.store.clone();
            let Some(run) = wait(move || runs::claim(&store, Uuid::new_v4())).await? else { break };
            let runner = self.clone();
            running.begin(run.id, async move {
                runner.carry_out(run).await;
                drop(turn);
            });
        }
        let store = self.store.clone();
        let next = wait(move || runs::next_run(&store)).await?;
        Ok(next.into_iter().chain(schedules).min())
    }
}

/// The runs in progress on this service.
#[derive(Default)]
struct Running {
    tasks: JoinSet<()>,
    handles: HashMap<Uuid, AbortHandle>,
}

impl Running {
    /// Starts a run. An earlier task for the same run has lost its claim, because the run was ended or counted as abandoned; the task and its calls
    /// are aborted.
    fn begin(&mut self, run: Uuid, work: impl Future<Output = ()> + Send + 'static) {
        while self.tasks.try_join_next().is_some() {}
        self.handles.retain(|_, handle| !handle.is_finished());
        if let Some(before) = self.handles.insert(run, self.tasks.spawn(work)) {
            before.abort();
        }
    }
}

/// The path of a program in the given folder or, without one, in the search path.
fn find_program(name: &str, search_path: Option<&Path>) -> Option<String> {
    let folders = match search_path {
        Some(folder) => folder.as_os_str().to_owned(),
        None => std::env::var_os("PATH")?,
    };
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(name));
    let found = found.find(|file| file.is_absolute() && file.is_file())?;
    found.to_str().map(str::to_owned)
}

/// Starts due runs until the service stops. At the next start, interrupted calls are repeated, or a user is asked about them if their outcome is
/// unknown.
pub async fn run(runner: Runner, mut stopping: watch::Receiver<bool>) {
    let (starting, is_on) = (runner.clone(), runner.settings.is_on);
    let begun = wait(move || {
        runs::store_automation_settings(&starting.store, &starting.automation_settings())?;
        if is_on { runs::release_all(&starting.store) } else { Ok(()) }
    });
    if let Err(error) = begun.await {
        tracing::error!("workflows are not carried out: {error}");
        return;
    }
    if !is_on {
        return;
    }
    let tables = RUNS.iter().filter_map(|table| runner.store.catalogue().find(table)).collect();
    let mut written = runner.store.watch(tables);
    let mut running = Running::default();
    loop {
        written.mark();
        let begun = tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            begun = runner.begin_due(&mut running) => begun,
        };
        let rest = match begun {
            Ok(next) => next.map(|next| until(next, clock::now())),
            Err(error) => {
                tracing::warn!("workflows could not be carried out and are tried again: {error}");
                Some(AGAIN_AFTER)
            }
        };
        if !pause(rest, &mut written, &mut stopping).await {
            return;
        }
    }
}

/// Runs blocking work off the threads that answer requests.
async fn wait<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let ended = |error: tokio::task::JoinError| StoreError::Code(error.to_string().into());
    tokio::task::spawn_blocking(work).await.map_err(ended)?
}
