//! Compares model downloads with curl: with verification from loopback, memory with a large file, and many connections over a slow line.
//!
//! The file is sparse: its zeros cost the registry nothing, and the downloader writes them like any other bytes. `QUARTERDECK_BENCH_MODEL_MIB` sets
//! a size other than 4096 MiB; 20480 needs as much disk space.
//!
//! When the downloader reports that a model is ready, it has been synced to disk; curl does not sync. Curl is therefore measured twice, with and
//! without the sync: the goal uses the time without, the fair comparison the time with it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::registry::{Content, KEY, Registry, RegistryBehaviour};

const MIB: u64 = 1 << 20;
/// A small file to compare memory with: it must not grow with the size.
const SMALL: u64 = 256 * MIB;
const SLOW: u64 = 400 * MIB;
const ROUNDS: usize = 3;

fn main() {
    let folder = tempfile::tempdir().expect("a folder for files");
    let wanted = std::env::var("QUARTERDECK_BENCH_MODEL_MIB").ok().and_then(|size| size.parse().ok());
    let size: u64 = wanted.unwrap_or(4096) * MIB;
    let (_, small) = pull(folder.path(), &registry_of(folder.path(), SMALL, RegistryBehaviour::default()));
    let registry = registry_of(folder.path(), size, RegistryBehaviour::default());
    let (mut ours, mut curls, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    let mut peak = Memory::default();
    for _ in 0..ROUNDS {
        let (time, memory) = pull(folder.path(), &registry);
        ours.push(time);
        peak = peak.or_more(memory);
        let (received, on_disk) = curl(folder.path(), &registry);
        curls.push(received);
        kept.push(on_disk);
    }
    let (ours, curl, kept) = (fastest(&ours), fastest(&curls), fastest(&kept));
    println!("{} MiB from loopback, the fastest of {ROUNDS}:", size / MIB);
    for (what, time) in [
        ("pull, SHA-256 verified, on the disk", ours),
        ("curl, neither", curl),
        ("curl, then on the disk", kept),
    ] {
        println!("  {what:40}{time:7.2} s {:7.0} MB/s", mb(size) / time);
    }
    println!("ratio of speeds, pull beside curl (goal 0.9):              {:.2}", curl / ours);
    println!("ratio of speeds, beside curl whose file is on the disk:    {:.2}", kept / ours);
    println!(
        "most memory (goal under 50 MB):                            {} MB, {} of its own; with 256 MiB {} and {} MB",
        peak.resident, peak.own, small.resident, small.own
    );
    drop(registry);

    let manners = RegistryBehaviour {
        latency: Duration::from_millis(50),
        rate: Some(20_000_000),
        ..RegistryBehaviour::default()
    };
    let registry = registry_of(folder.path(), SLOW, manners);
    let (time, _) = pull(folder.path(), &registry);
    println!(
        "400 MiB at 50 ms and 20 MB/s a connection, 4 connections: {:.2} s, {:.2} of what the line gives",
        time,
        mb(SLOW) / 80.0 / time
    );
    match aria2c(folder.path(), &registry) {
        Some(aria) => {
            println!("aria2c with as many: {aria:.2} s; ratio of speeds (goal 0.9): {:.2}", aria / time);
        }
        None => println!("aria2c is not at hand"),
    }
}

#[allow(clippy::cast_precision_loss)] // Displayed with few digits.
fn mb(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// A registry with a file of that size.
fn registry_of(folder: &Path, size: u64, manners: RegistryBehaviour) -> Registry {
    let path = folder.join(format!("{size} bytes"));
    let file = std::fs::File::create(&path).expect("a file");
    file.set_len(size).expect("a sparse file");
    Registry::start(Content::File(path.clone(), size), Content::File(path, size), manners)
}

fn fastest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The service built with the profile of this benchmark: optimised, or for a quick check not.
fn server() -> PathBuf {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target").join(profile).join("quarterdeck-server")
}

/// The maximum memory of a program, in MB.
#[derive(Clone, Copy, Default)]
struct Memory {
    resident: u64,
    /// Without memory mapped from files, such as the program itself.
    own: u64,
}

impl Memory {
    fn or_more(self, other: Self) -> Self {
        Self { resident: self.resident.max(other.resident), own: self.own.max(other.own) }
    }
}

/// The value of a line in `/proc/PID/status`.
fn megabytes(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let kilobytes = line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024 / 1_000_000
}

/// Duration of a download in seconds, including the start of program and database, and its memory.
fn pull(folder: &Path, registry: &Registry) -> (f64, Memory) {
    let data = tempfile::tempdir_in(folder).expect("a data directory");
    let server = server();
    let run = |arguments: &[&str]| {
        Command::new(&server)
            .args(arguments)
            .env("QUARTERDECK_DATA_DIR", data.path())
            .env("MODEL_REGISTRY_URL", &registry.address)
            .env("LICENSE_KEY", KEY)
            .env("QUARTERDECK_LOG", "off")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the service was built")
    };
    // The database is created before the measurement starts.
    assert!(run(&["model", "list"]).wait().expect("it ends").success());
    let began = Instant::now();
    let mut child = run(&["model", "pull", "svc-llm"]);
    let status = format!("/proc/{}/status", child.id());
    let mut peak = Memory::default();
    let ended = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break status;
        }
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let now = Memory { resident: megabytes(&text, "VmHWM:"), own: megabytes(&text, "RssAnon:") };
        peak = peak.or_more(now);
        std::thread::sleep(Duration::from_millis(10));
    };
    let time = began.elapsed().as_secs_f64();
    assert!(ended.success(), "the pull ended without a model");
    (time, peak)
}

/// Seconds until curl has finished, and until its file is synced to disk.
fn curl(folder: &Path, registry: &Registry) -> (f64, f64) {
    let to = folder.join("curl");
    let began = Instant::now();
    let status = Command::new("curl")
        .args(["-s", "-H", &format!("Authorization: Bearer {KEY}"), "-o"])
        .arg(&to)
        .arg(format!("{}/downloads/models/svc-llm", registry.address))
        .status()
        .expect("curl is installed");
    assert!(status.success(), "curl ended without a file");
    let received = began.elapsed().as_secs_f64();
    let file = std::fs::File::open(&to).expect("curl wrote a file");
    file.sync_all().expect("the disk takes it");
    let on_disk = began.elapsed().as_secs_f64();
    std::fs::remove_file(to).expect("it can be removed");
    (received, on_disk)
}

fn aria2c(folder: &Path, registry: &Registry) -> Option<f64> {
    let began = Instant::now();
    let status = Command::new("aria2c")
        // Without preallocation, like the downloader.
        .args([
            "-q",
            "-x4",
            "-s4",
            "--file-allocation=none",
            "--header",
            &format!("Authorization: Bearer {KEY}"),
            "-d",
        ])
        .arg(folder)
        .args(["-o", "aria", &format!("{}/downloads/models/svc-llm", registry.address)])
        .status()
        .ok()?;
    assert!(status.success(), "aria2c ended without a file");
    Some(began.elapsed().as_secs_f64())
}
