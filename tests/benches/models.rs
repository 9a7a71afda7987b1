//! Downloads of models beside curl: with verification from loopback, memory with a large file, and many connections over a slow line.
//!
//! The file is sparse: its zeros cost the registry nothing, and the downloader writes them like any bytes. `QUARTERDECK_BENCH_MODEL_GIB` for another size
//! than 4: 20 needs as much room on the disk.

#[allow(dead_code, clippy::unwrap_used)] // The tests use the rest of it.
#[path = "../support/registry.rs"]
mod registry;

use registry::{Content, KEY, Manners, Registry};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const GIB: u64 = 1 << 30;
/// A file beside whose memory that of the large one is shown: it must not grow with the file.
const SMALL: u64 = GIB / 4;
const SLOW: u64 = 400 << 20;
const ROUNDS: usize = 3;

fn main() {
    let folder = tempfile::tempdir().expect("a folder for files");
    let wanted = std::env::var("QUARTERDECK_BENCH_MODEL_GIB").ok().and_then(|size| size.parse().ok());
    let size: u64 = wanted.unwrap_or(4) * GIB;
    let (_, small) = pull(folder.path(), &registry_of(folder.path(), SMALL, Manners::default()));
    let registry = registry_of(folder.path(), size, Manners::default());
    let (mut ours, mut curls, mut peak) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        let (time, memory) = pull(folder.path(), &registry);
        ours.push(time);
        peak = peak.max(memory);
        curls.push(curl(folder.path(), &registry));
    }
    let (mine, curl) = (fastest(&ours), fastest(&curls));
    let gib = size / GIB;
    println!(
        "{gib} GiB from loopback, SHA-256 and fsync included: {:.2} s, {:.0} MB/s",
        mine,
        mb(size) / mine
    );
    println!("curl without either:                             {:.2} s, {:.0} MB/s", curl, mb(size) / curl);
    println!("ratio of speeds (goal 0.9):                      {:.2}", curl / mine);
    println!("most memory (goal under 50 MB):                  {peak} MB, and {small} MB for 0.25 GiB");
    drop(registry);

    let manners =
        Manners { latency: Duration::from_millis(50), rate: Some(20_000_000), ..Manners::default() };
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

#[allow(clippy::cast_precision_loss)] // Shown with few digits.
fn mb(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// A registry of a file of that size.
fn registry_of(folder: &Path, size: u64, manners: Manners) -> Registry {
    let path = folder.join(format!("{size} bytes"));
    let file = std::fs::File::create(&path).expect("a file");
    file.set_len(size).expect("a sparse file");
    Registry::start(Content::File(path.clone(), size), Content::File(path, size), manners)
}

fn fastest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Seconds a pull takes, start of the program and database included, and its most memory in MB.
fn pull(folder: &Path, registry: &Registry) -> (f64, u64) {
    let data = tempfile::tempdir_in(folder).expect("a data directory");
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/quarterdeck-server");
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
            .expect("the service was built with --release")
    };
    // The database is made before the clock starts.
    assert!(run(&["model", "list"]).wait().expect("it ends").success());
    let began = Instant::now();
    let mut child = run(&["model", "pull", "svc-llm"]);
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("it can be asked").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line
            .and_then(|line| line.split_whitespace().next())
            .and_then(|number| number.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) / 1000);
        std::thread::sleep(Duration::from_millis(10));
    }
    (began.elapsed().as_secs_f64(), peak)
}

fn curl(folder: &Path, registry: &Registry) -> f64 {
    let to = folder.join("curl");
    let began = Instant::now();
    let status = Command::new("curl")
        .args(["-s", "-H", &format!("Authorization: Bearer {KEY}"), "-o"])
        .arg(&to)
        .arg(format!("{}/downloads/models/svc-llm", registry.address))
        .status()
        .expect("curl is installed");
    assert!(status.success());
    let time = began.elapsed().as_secs_f64();
    std::fs::remove_file(to).expect("curl wrote a file");
    time
}

fn aria2c(folder: &Path, registry: &Registry) -> Option<f64> {
    let began = Instant::now();
    let status = Command::new("aria2c")
        // No time for making room: the downloader takes none either.
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
    assert!(status.success());
    Some(began.elapsed().as_secs_f64())
}
