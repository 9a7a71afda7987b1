//! Measures imports by format: time for each row relative to FOCUS, memory for any size, and a long `kubectl` list compared with `jq length`.
//!
//! `make bench-import` builds `quarterdeck-server` with optimisation and runs this. `BENCH_ROWS` sets the rows of the bills (default 500,000),
//! `BENCH_SERVER` the program. Each import has its own data directory; the median of three counts.

mod bill;
mod processes;

use processes::{Run, middle, print, run, verdict};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

const TURNS: usize = 3;
/// Maximum memory of an import, in MB.
const MOST_MB: u64 = 300;

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the project");
    let told = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let rows = told("BENCH_ROWS").map_or(500_000, |rows| rows.parse().expect("BENCH_ROWS is a number"));
    let server =
        told("BENCH_SERVER").map_or_else(|| project.join("target/release/quarterdeck-server"), PathBuf::from);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bench = Bench { server, folder: folder.path() };

    let focus = folder.path().join("focus.csv");
    bill::write(project, &focus, rows);
    let base = bench.import("FOCUS", &focus, &[]);
    let cur = folder.path().join("cur.csv");
    write_cur(&cur, rows);
    bench.beside("AWS CUR 2.0", &cur, &[], &base);
    let azure = folder.path().join("azure.csv");
    write_azure(&azure, rows);
    bench.beside("Azure cost export", &azure, &["--read-as", "actual_cost"], &base);

    let list = folder.path().join("pods.json");
    write_pods(&list, rows / 5);
    let size_mb = std::fs::metadata(&list).map_or(0, |file| file.len() / 1_000_000);
    let ours = bench.import(&format!("kubectl list of {size_mb} MB"), &list, &[]);
    if Command::new("jq").arg("--version").output().is_ok() {
        let theirs =
            middle((0..TURNS).map(|_| run(Command::new("jq").arg(".items|length").arg(&list))).collect());
        print("jq length", &theirs);
        let ratio = ours.time.as_secs_f64() / theirs.time.as_secs_f64();
        println!("  time as a multiple of jq's: {ratio:.2}, goal 3, {}", verdict(ratio <= 3.0));
    }
}

struct Bench<'a> {
    server: PathBuf,
    folder: &'a Path,
}

impl Bench<'_> {
    /// Imports a file into empty data directories.
    fn import(&self, what: &str, file: &Path, more: &[&str]) -> Run {
        let turn = |turn: usize| {
            let data = self.folder.join(format!("data-{turn}"));
            let done = run(Command::new(&self.server)
                .arg("import")
                .arg(file)
                .args(more)
                .arg("--data-dir")
                .arg(&data));
            std::fs::remove_dir_all(&data).expect("the data directory can be removed");
            done
        };
        let run = middle((0..TURNS).map(turn).collect());
        print(what, &run);
        println!("  memory: goal {MOST_MB} MB, {}", verdict(run.peak_mb <= MOST_MB));
        run
    }

    /// Like [`Self::import`], and compares the time with FOCUS of as many rows.
    fn beside(&self, what: &str, file: &Path, more: &[&str], base: &Run) {
        let run = self.import(what, file, more);
        let ratio = run.time.as_secs_f64() / base.time.as_secs_f64();
        println!("  time a row as a multiple of FOCUS: {ratio:.2}, goal 1.5, {}", verdict(ratio <= 1.5));
    }
}

fn written(path: &Path) -> BufWriter<File> {
    BufWriter::new(File::create(path).expect("there is room"))
}

fn write_cur(path: &Path, rows: usize) {
    let mut file = written(path);
    writeln!(
        file,
        "identity_line_item_id,bill_payer_account_id,bill_billing_period_start_date,bill_billing_period_end_date,\
         line_item_usage_account_id,line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,line_item_product_code,\
         line_item_usage_type,line_item_resource_id,line_item_usage_amount,line_item_currency_code,line_item_unblended_cost,\
         pricing_public_on_demand_cost,product_region_code,resource_tags"
    )
    .expect("there is room");
    for row in 0..rows {
        let (day, resource, cents) = (row % 28 + 1, row % 20_000, row % 997);
        writeln!(
            file,
            "id-{row},111,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,{},Usage,2026-05-{day:02}T00:00:00Z,2026-05-{day:02}T01:00:00Z,\
             AmazonEC2,BoxUsage:m5.large,i-{resource},1,USD,0.{cents:09},0.{cents:09},eu-central-1,\"{{\"\"user_env\"\":\"\"prod\"\"}}\"",
            row % 40
        )
        .expect("there is room");
    }
}

fn write_azure(path: &Path, rows: usize) {
    let mut file = written(path);
    writeln!(
        file,
        "BillingAccountId,BillingPeriodStartDate,SubscriptionId,SubscriptionName,Date,MeterCategory,MeterSubCategory,MeterId,MeterName,\
         ResourceId,ResourceLocation,ChargeType,PricingModel,ReservationId,CostInBillingCurrency,BillingCurrencyCode,Quantity,\
         UnitOfMeasure,Tags,AdditionalInfo"
    )
    .expect("there is room");
    for row in 0..rows {
        let (day, machine, cents) = (row % 28 + 1, row % 20_000, row % 997);
        writeln!(
            file,
            "777,05/01/2026,s-{},Shop,05/{day:02}/2026,Virtual Machines,Dsv5,m-{row},D2s v5,/subscriptions/s-1/resourceGroups/Shop/providers/\
             Microsoft.Compute/virtualMachines/Web{machine},westeurope,Usage,OnDemand,,0.{cents:09},EUR,1,1 Hour,\
             \"\"\"env\"\": \"\"prod\"\"\",\"\"\"VCPUs\"\": 2\"",
            row % 40
        )
        .expect("there is room");
    }
}

fn write_pods(path: &Path, pods: usize) {
    let mut file = written(path);
    write!(file, r#"{{"apiVersion":"v1","kind":"List","items":["#).expect("there is room");
    for pod in 0..pods {
        let comma = if pod == 0 { "" } else { "," };
        write!(
            file,
            r#"{comma}{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"web-{pod}","namespace":"ns-{}","uid":"u-{pod}","creationTimestamp":"2026-05-01T00:00:00Z","annotations":{{"note":"{:0>600}"}},"labels":{{"app":"web"}}}},"spec":{{"nodeName":"n-{}","containers":[{{"name":"web","image":"web:1","env":[{{"name":"A","value":"b"}}],"resources":{{"requests":{{"cpu":"100m","memory":"128Mi"}}}}}}]}},"status":{{"phase":"Running","containerStatuses":[{{"name":"web","restartCount":0,"ready":true}}]}}}}"#,
            pod % 50,
            pod,
            pod % 300
        )
        .expect("there is room");
    }
    writeln!(file, "]}}").expect("there is room");
}
