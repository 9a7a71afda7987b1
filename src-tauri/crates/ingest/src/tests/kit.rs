//! A test database with one tenant and its owner, and files to import into it.

use crate::undo::{UndoRequest, undo};
use crate::{
    Archive, File, FormAnswers, ImportError, MOST_LOWER, Options, Progress, Report, RowsChoice, StillDue,
    import,
};
use catalogue::{Caller, Decimal, DecimalSum, Value, ValueRef};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::cell::Cell;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::{Condition, ConnectionLimits, Store, StoreError};
use tempfile::TempDir;
use uuid::Uuid;

const TENANT: Uuid = Uuid::from_u128(0xA);
const OWNER: Uuid = Uuid::from_u128(0xB);
/// The base of import ids.
const FIRST_IMPORT: u128 = 0x1000;
/// 2026-11-20, noon.
const NOW: i64 = 1_795_176_000_000_000;

pub struct House {
    pub folder: TempDir,
    pub store: Store,
    pub caller: Caller,
    pub imports: Cell<u128>,
    /// The answers about numbers and dates for every import.
    pub forms: Cell<FormAnswers>,
    /// The archive for imported files, if set.
    pub archive: Option<Archive>,
    /// Called at the start of an import's transaction: whether the files still have to be imported.
    pub is_still_due: Option<Box<StillDue<'static>>>,
}

impl House {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        std::fs::write(&path, template()).unwrap();
        let store = Store::open(&path, testkit::product::catalogue()).unwrap();
        Self::over(folder, store)
    }

    /// A database whose imports have the answer that costs are in US dollars.
    pub fn in_dollars() -> Self {
        let house = Self::new();
        house.forms.set(FormAnswers::default().with("currency_usd").unwrap());
        house
    }

    /// A new database on PostgreSQL, if a server is available.
    pub fn on_postgresql() -> Option<Self> {
        let url = testkit::postgres::database()?;
        let limits = ConnectionLimits { patience: Duration::from_secs(1), ..ConnectionLimits::default() };
        let store = Store::open_postgres_within(&url, testkit::product::catalogue(), limits).unwrap();
        add_tenant(&store);
        Some(Self::over(tempfile::tempdir().unwrap(), store))
    }

    fn over(folder: TempDir, store: Store) -> Self {
        let store = store.with_clock(|| NOW);
        Self {
            folder,
            store,
            caller: Caller::system_for(TENANT),
            imports: Cell::new(0),
            forms: Cell::default(),
            archive: None,
            is_still_due: None,
        }
    }

    /// Writes a file to the test folder.
    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Imports bytes as a file called `file.csv`.
    pub fn import(&self, bytes: impl AsRef<[u8]>) -> Report {
        self.import_file(&self.file("file.csv", bytes.as_ref()))
    }

    pub fn import_file(&self, path: &Path) -> Report {
        self.try_import(path, false, &AtomicBool::new(false)).unwrap()
    }

    /// Imports bytes with the user's answer about the rows.
    pub fn import_as(&self, choice: RowsChoice, bytes: impl AsRef<[u8]>) -> Report {
        let path = self.file("file.csv", bytes.as_ref());
        let never = AtomicBool::new(false);
        self.deliver(&[path], Some(choice), false, &never).unwrap().remove(0).unwrap()
    }

    /// Imports texts as the files of one delivery.
    pub fn import_together(&self, files: &[String]) -> Vec<Report> {
        let path = |(place, text): (usize, &String)| self.file(&format!("{place}.csv"), text.as_bytes());
        let paths: Vec<PathBuf> = files.iter().enumerate().map(path).collect();
        let never = AtomicBool::new(false);
        self.deliver(&paths, None, false, &never).unwrap().into_iter().map(Result::unwrap).collect()
    }

    pub fn try_import(
        &self,
        path: &Path,
        dry_run: bool,
        cancelled: &AtomicBool,
    ) -> Result<Report, ImportError> {
        self.deliver(&[path.to_owned()], None, dry_run, cancelled)?.remove(0)
    }

    /// Imports files of the test folder by their paths, as one delivery.
    pub fn import_all(&self, paths: &[&str]) -> Vec<Report> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| self.folder.path().join(path)).collect();
        let never = AtomicBool::new(false);
        self.deliver(&paths, None, false, &never).unwrap().into_iter().map(Result::unwrap).collect()
    }

    pub fn deliver(
        &self,
        paths: &[PathBuf],
        choice: Option<RowsChoice>,
        dry_run: bool,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Result<Report, ImportError>>, ImportError> {
        let file = |path| {
            self.imports.set(self.imports.get() + 1);
            let path: &Path = path;
            File {
                import_id: Uuid::from_u128(FIRST_IMPORT + self.imports.get()),
                name: path.file_name().unwrap().to_str().unwrap(),
                location: path.to_str().unwrap(),
                path,
                original: None,
                forms: None,
                answers: &[],
                progress: Progress { on_progress: &|_, _| {}, cancelled },
            }
        };
        let files: Vec<File<'_>> = paths.iter().map(|path| file(path.as_path())).collect();
        import(&self.store, &self.caller, &files, self.options(choice, dry_run))
    }

    /// Answers the question of all waiting imports, from the archived bytes.
    pub fn decide(&self, choice: RowsChoice) -> Vec<Report> {
        let waiting = [store::eq("state", "needs_decision")];
        let rows = self.rows("imports", &["id", "sha256", "size_bytes"], &waiting);
        let rows: Vec<[&str; 3]> =
            rows.iter().map(|row| row.split(" | ").collect::<Vec<_>>().try_into().unwrap()).collect();
        let archive = self.archive.as_ref().unwrap();
        let paths: Vec<PathBuf> =
            rows.iter().map(|[_, sha256, _]| archive.find(sha256).unwrap().unwrap()).collect();
        let never = AtomicBool::new(false);
        let files: Vec<File<'_>> = rows
            .iter()
            .zip(&paths)
            .map(|([id, sha256, size], path)| File {
                import_id: id.parse().unwrap(),
                name: "file",
                location: "file",
                path,
                original: Some((sha256, size.parse().unwrap())),
                forms: None,
                answers: &[],
                progress: Progress { on_progress: &|_, _| {}, cancelled: &never },
            })
            .collect();
        let reports = import(&self.store, &self.caller, &files, self.options(Some(choice), false));
        reports.unwrap().into_iter().map(Result::unwrap).collect()
    }

    fn options(&self, choice: Option<RowsChoice>, dry_run: bool) -> Options<'_> {
        Options {
            owner: OWNER,
            delivery: Uuid::from_u128(0x100_0000 + self.imports.get()),
            choice,
            most_lower: MOST_LOWER,
            archive: self.archive.as_ref(),
            forms: self.forms.get(),
            mapping: None,
            draft: None,
            dry_run,
            is_still_due: self.is_still_due.as_deref(),
            clock: || NOW,
        }
    }

    /// Rows of a table as texts, sorted.
    pub fn rows(&self, table: &str, columns: &[&str], conditions: &[Condition<'_>]) -> Vec<String> {
        let rows: Result<Vec<Vec<Value>>, StoreError> =
            self.store.snapshot(&self.caller, |rows| rows.select(table, columns, conditions));
        let mut rows: Vec<String> =
            rows.unwrap().iter().map(|row| row.iter().map(text).collect::<Vec<_>>().join(" | ")).collect();
        rows.sort();
        rows
    }

    pub fn count(&self, table: &str) -> usize {
        self.rows(table, &["id"], &[]).len()
    }

    /// The sum of the amounts that count in totals.
    pub fn counted(&self) -> String {
        let mut sum = DecimalSum::new();
        for amount in self.rows("spends", &["amount"], &[store::eq("exclude_aggregate", false)]) {
            sum.add(decimal(&amount));
        }
        sum.to_string()
    }

    /// Undoes the import with this number, counted from 1.
    pub fn take_back(&self, number: u128) {
        let by = UndoRequest { person: None, clock: || NOW };
        undo(&self.store, &self.caller, Uuid::from_u128(FIRST_IMPORT + number), &[], by).unwrap();
    }

    /// The exact sum of a column of `spends` for one currency.
    pub fn sum(&self, column: &str, currency: &str) -> String {
        let rows: Result<_, StoreError> =
            self.store.snapshot(&self.caller, |rows| rows.select("spends", &[column, "unit"], &[]));
        let mut sum = DecimalSum::new();
        for row in rows.unwrap() {
            match row.as_slice() {
                [Value::Decimal(amount), unit] if unit.as_text() == Some(currency) => sum.add(*amount),
                [Value::Null | Value::Decimal(_), _] => {}
                other => panic!("{column} holds {other:?}"),
            }
        }
        sum.to_string()
    }
}

/// A FOCUS file with the required columns and the given ones, with one row per pair. `1.50 USD 2026-05-02` expands to the required cells of a
/// charge of one day in its calendar month.
pub fn focus(columns: &str, rows: &[(&str, &str)]) -> String {
    let mut text = format!(
        "BilledCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,ChargeCategory,ServiceName{}{columns}\n",
        if columns.is_empty() { "" } else { "," }
    );
    for (charge, more) in rows {
        let [cost, currency, day] = charge.split(' ').collect::<Vec<_>>()[..] else { panic!("{charge}") };
        let month = &day[..7];
        let comma = if columns.is_empty() { "" } else { "," };
        writeln!(
            text,
            "{cost},{currency},{day}T00:00:00Z,{day}T23:00:00Z,{month}-01T00:00:00Z,Usage,Compute{comma}{more}"
        )
        .unwrap();
    }
    text
}

/// The columns that most tests add: provider, billing account, sub-account and its name.
pub const PARTIES: &str = "ProviderName,BillingAccountId,SubAccountId,SubAccountName";

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The id of a file's detected format.
pub fn format_id(report: &Report) -> &str {
    report.format.as_ref().map_or("", |format| &format.id)
}

/// Parses a decimal.
pub fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Decimal(value) => value.to_string(),
        Value::Text(text) | Value::Json(text) => text.clone(),
        Value::Uuid(id) => id.to_string(),
        Value::Timestamp(micros) => catalogue::format_timestamp(*micros),
        Value::Date(days) => catalogue::format_date(*days),
    }
}

/// The bytes of a database with the tenant and its owner, created once because a hundred tables take some time.
fn template() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("template.db");
        let store = Store::open(&path, testkit::product::catalogue()).unwrap();
        add_tenant(&store);
        // When it is closed, the database is a single file.
        drop(store);
        std::fs::read(&path).unwrap()
    })
}

fn add_tenant(store: &Store) {
    let by = [("created_by", ValueRef::Uuid(OWNER)), ("updated_by", ValueRef::Uuid(OWNER))];
    let user =
        [("id", OWNER.into()), ("display_name", "Owner".into()), ("username", "owner@example.com".into())];
    let tenant = [[("id", TENANT.into()), ("name", "Acme".into())], by].concat();
    let made: Result<(), StoreError> = store.transaction(&Caller::system(), |rows| {
        rows.insert("users", &user)?;
        rows.insert("tenant", &tenant)
    });
    made.unwrap();
}
