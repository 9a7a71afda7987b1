//! Kills a service repeatedly during runs of HTTP tasks: finished tasks are not repeated, interrupted ones are repeated at most once for each kill,
//! with the same key.

use crate::counting::Counting;
use crate::program::{Program, Server};
use crate::workflows::Client;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Rows of a run, with three tasks each.
const ROWS: usize = 10;
const PATIENCE: Duration = Duration::from_mins(1);

/// The results of the runs.
pub struct Outcome {
    pub kills: usize,
    pub runs: usize,
    pub tasks: usize,
    /// Number of tasks that were repeated after they had ended.
    pub repeated: usize,
    /// Number of tasks that were requested more than once, always with the same key.
    pub again: usize,
    /// Maximum number of requests for one task, and by how many it exceeds the number of kills.
    pub most: usize,
    pub beyond: usize,
    /// Median time from the start of the process to its first response.
    pub ready: Duration,
}

fn tasks(url: &str) -> Value {
    let row = |row: usize| {
        ["a", "b", "c"].map(|place| {
            let before: Vec<String> = match row {
                0 => Vec::new(),
                row => ["a", "b", "c"].iter().map(|place| format!("{place}{}", row - 1)).collect(),
            };
            json!({ "id": format!("{place}{row}"), "type": "integrations.http", "depends_on": before, "params": { "url": format!("{url}/{place}{row}") } })
        })
    };
    (0..ROWS).flat_map(row).collect()
}

/// A run, and for each task seen as ended the number of its requests by then.
struct Run {
    id: String,
    kills: usize,
    ended: BTreeMap<String, usize>,
}

pub fn measure(program: &Program, environment: &[(&str, &str)], pair: &str, kills: usize) -> Outcome {
    let other = Counting::start();
    let mut server = Server::start_with(program, environment);
    let token = server.token(pair);
    let mut client = Client::of(&server, &token);
    let workflow = client.create("killed again and again", &tasks(&other.url));
    let (mut runs, mut ready): (Vec<Run>, Vec<Duration>) = (Vec::new(), Vec::new());
    for kill in 0..kills {
        let is_over = runs.last().is_none_or(|run| client.run(&workflow, &run.id)["status"] != "RUNNING");
        if is_over {
            runs.push(Run { id: client.trigger(&workflow), kills: 0, ended: BTreeMap::new() });
        }
        let run = runs.last_mut().expect("a run was begun");
        // Each kill happens after a different number of requests and at a different fraction of a millisecond.
        let number = other.total() + 1 + kill % 4;
        other.until(number, Duration::from_millis(500));
        note(&mut client, &workflow, run, &other);
        std::thread::sleep(Duration::from_micros(kill as u64 * 37 % 3_000));
        run.kills += 1;
        drop(server);
        let began = Instant::now();
        server = Server::start_with(program, environment);
        client = Client::of(&server, &token);
        client.count("RUNNING");
        ready.push(began.elapsed());
        if (kill + 1) % 100 == 0 {
            println!("  {} kills, {} runs", kill + 1, runs.len());
        }
    }
    client.until_completed(runs.len() as u64, PATIENCE);
    ready.sort_unstable();
    judge(kills, &runs, &other.keys(), ready[ready.len() / 2])
}

/// Records the ended tasks with their number of requests. Counted afterwards, so the number is never too low.
fn note(client: &mut Client, workflow: &str, run: &mut Run, other: &Counting) {
    let seen = client.run(workflow, &run.id);
    let counts = other.keys();
    for task in seen["tasks"].as_array().into_iter().flatten().filter(|task| task["status"] == "COMPLETED") {
        let id = task["id"].as_str().expect("a task has an id").to_owned();
        let count = counts.get(&format!("qd:{}:{id}:1", run.id)).copied().unwrap_or_default();
        run.ended.entry(id).or_insert(count);
    }
}

fn judge(kills: usize, runs: &[Run], keys: &BTreeMap<String, usize>, ready: Duration) -> Outcome {
    let mut outcome = Outcome {
        kills,
        runs: runs.len(),
        tasks: keys.len(),
        repeated: 0,
        again: keys.values().filter(|count| **count > 1).count(),
        most: keys.values().max().copied().unwrap_or_default(),
        beyond: 0,
        ready,
    };
    for run in runs {
        for (id, before) in &run.ended {
            outcome.repeated += usize::from(keys[&format!("qd:{}:{id}:1", run.id)] != *before);
        }
        let of_run = keys.iter().filter(|(key, _)| key.starts_with(&format!("qd:{}:", run.id)));
        outcome.beyond += of_run.filter(|(_, count)| **count > 1 + run.kills).count();
    }
    assert_eq!(keys.len(), runs.len() * ROWS * 3, "each task of each run is asked for under one key");
    outcome
}
