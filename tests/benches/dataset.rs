//! The rows for measuring the interface: 50 accounts, 50,000 resources with a recommendation each, 200,000 spends, 20,000 workloads, 100,000
//! events.
//!
//! They are imported with `table load`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

const ACCOUNTS: u32 = 50;
const RESOURCES: u32 = 50_000;
const SPENDS: u32 = 200_000;
const WORKLOADS: u32 = 20_000;
const EVENTS: u32 = 100_000;

/// The prefix of the ids of a table.
#[derive(Clone, Copy)]
enum Kind {
    Account = 1,
    Resource,
    Recommendation,
    Spend,
    Workload,
    Event,
}

fn id(kind: Kind, number: u32) -> String {
    format!("00000000-0000-{:04x}-0000-{number:012x}", kind as u32)
}

/// Writes one file for each table into `folder` and calls `load` for each, in order. `user` is the creator of the accounts.
pub fn fill(folder: &Path, user: &str, load: impl Fn(&str, &Path)) {
    let write = |table: &str, header: &str, rows: u32, row: &dyn Fn(u32) -> String| {
        let path = folder.join(format!("{table}.csv"));
        let mut file = BufWriter::new(File::create(&path).expect("there is room"));
        writeln!(file, "{header}").expect("there is room");
        for number in 0..rows {
            writeln!(file, "{}", row(number)).expect("there is room");
        }
        file.flush().expect("there is room");
        drop(file);
        load(table, &path);
        std::fs::remove_file(&path).expect("it was just written");
    };
    let account = |number: u32| id(Kind::Account, number % ACCOUNTS);
    write(
        "cloud_accounts",
        "id,account_name,account_type,cloud_provider,created_by,updated_by",
        ACCOUNTS,
        &|number| format!("{},account-{number:02},cloud,AWS,{user},{user}", account(number)),
    );
    write(
        "cloud_resourses",
        "id,account,cloud_provider,name,region,service_name,external_resource_id",
        RESOURCES,
        &|number| {
            let (id, account) = (id(Kind::Resource, number), account(number));
            format!("{id},{account},AWS,resource-{number},eu-central-1,Amazon EC2,resource-{number}")
        },
    );
    write(
        "recommendation",
        "id,cloud_account_id,resource_id,rule_name,recommendation_action,recommendation,severity,status,estimated_savings,created_at",
        RESOURCES,
        &|number| {
            let severity = ["Low", "Medium", "High"][number as usize % 3];
            let status = ["Open", "Open", "Assigned", "Closed"][number as usize / 3 % 4];
            format!(
                "{},{},{},ec2_over_provisioned,Modify,{{}},{severity},{status},{}.{:02},{}",
                id(Kind::Recommendation, number),
                account(number),
                id(Kind::Resource, number),
                number * 7 % 9_973,
                number % 100,
                time(number % 365, number % 86_400),
            )
        },
    );
    write("spends", "id,cloud_account,cloud_resource_id,date,amount,unit,service_name", SPENDS, &|number| {
        let amount = format!("{}.{:04}", number % 40, number % 10_000);
        let service = ["Amazon EC2", "Amazon S3", "Amazon RDS"][number as usize % 3];
        format!(
            "{},{},{},{},{amount},USD,{service}",
            id(Kind::Spend, number),
            account(number),
            id(Kind::Resource, number % RESOURCES),
            time(number / ACCOUNTS % 365, 0),
        )
    });
    write(
        "k8s_workloads",
        "cloud_account_id,cloud_resource_id,external_id,is_active,kind,labels,last_seen,meta,name,namespace,ready_pods,total_pods",
        WORKLOADS,
        &|number| {
            let kind = ["Deployment", "StatefulSet", "DaemonSet"][number as usize % 3];
            format!(
                "{},{},uid-{number},true,{kind},{{}},{},{{}},workload-{number},namespace-{},2,3",
                account(number),
                id(Kind::Workload, number),
                time(364, number % 86_400),
                number % 40,
            )
        },
    );
    write(
        "events",
        "id,cloud_account_id,aggregation_key,cluster,evidences,finding_id,finding_type,priority,subject_name,subject_namespace,title,starts_at,fingerprint",
        EVENTS,
        &|number| {
            let priority = ["DEBUG", "HIGH", "INFO", "LOW", "MEDIUM"][number as usize % 5];
            format!(
                "{},{},KubePodCrashLooping,cluster,[],finding-{number},issue,{priority},pod-{},namespace-{},A pod restarts again and again,{},{}",
                id(Kind::Event, number),
                account(number),
                number % 5_000,
                number % 40,
                time(number % 365, number % 86_400),
                number % 2_000,
            )
        },
    );
}

/// A time on a day of the year that ends with October 2024.
fn time(day: u32, second: u32) -> String {
    let first =
        chrono::NaiveDate::from_ymd_opt(2023, 11, 1).expect("a date").and_time(chrono::NaiveTime::MIN);
    let time = first + chrono::TimeDelta::days(day.into()) + chrono::TimeDelta::seconds(second.into());
    time.format("%Y-%m-%dT%H:%M:%S").to_string()
}
