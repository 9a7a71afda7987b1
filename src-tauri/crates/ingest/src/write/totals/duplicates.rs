//! Finds cluster costs that several files contain for the same time: by hour and by day, by namespace and by workload, or in overlapping windows.
//!
//! Each time counts once. The longest window counts, since no other may cover all of it; of equally long ones, that of the file that states
//! the idle cost of the time separately, otherwise that of the newest file. Where no file states idle cost separately, its parts may include
//! it: idle cost never counts together with such parts.

use super::{Key, idle};
use catalogue::Decimal;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// Resources of each import, by account.
pub type Resources = BTreeMap<Uuid, BTreeMap<Uuid, BTreeSet<Uuid>>>;

/// Costs of one service at one time, with their sum.
pub type Costs<'k> = (&'k Key, Decimal);

/// A time for which the costs of one service count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Window {
    import: Uuid,
    start: i64,
    end: i64,
}

impl Window {
    fn of(key: &Key) -> Self {
        Self { import: key.import, start: key.start, end: key.end }
    }

    fn length(self) -> i64 {
        self.end.saturating_sub(self.start)
    }
}

/// Windows that count, by start.
#[derive(Debug, Default)]
struct Windows(BTreeSet<(i64, i64, Uuid)>);

impl Windows {
    fn add(&mut self, window: Window) {
        self.0.insert((window.start, window.end, window.import));
    }

    /// The windows that overlap with the time. No window here is longer than `longest`.
    fn at(&self, window: Window, longest: i64) -> impl Iterator<Item = Window> + '_ {
        let near = (window.start.saturating_sub(longest), 0, Uuid::nil())..(window.end, 0, Uuid::nil());
        let found = self.0.range(near).filter(move |(_, end, _)| *end > window.start);
        found.map(|(start, end, import)| Window { import: *import, start: *start, end: *end })
    }

    /// An overlapping window of another import.
    fn of_another(&self, window: Window, longest: i64) -> Option<Window> {
        self.at(window, longest).find(|other| other.import != window.import)
    }
}

/// Windows of each import.
#[derive(Debug, Default)]
struct WindowsByImport(HashMap<Uuid, Windows>);

impl WindowsByImport {
    fn of(windows: impl Iterator<Item = Window>) -> Self {
        let mut all = Self::default();
        windows.for_each(|window| all.add(window));
        all
    }

    fn add(&mut self, window: Window) {
        self.0.entry(window.import).or_default().add(window);
    }

    /// Whether an import has a window that overlaps with the time.
    fn has(&self, import: Uuid, window: Window, longest: i64) -> bool {
        self.0.get(&import).is_some_and(|windows| windows.at(window, longest).next().is_some())
    }
}

fn is_idle(key: &Key) -> bool {
    idle::is_idle(&key.service)
}

/// Among costs that no bill covers, those that another file contains too and that count there. `sequence` orders the imports.
pub fn find_duplicates<'k>(
    rows: &Transaction<'_>,
    costs: impl Iterator<Item = Costs<'k>>,
    resources: &Resources,
    sequence: &HashMap<Uuid, i64>,
) -> Result<BTreeSet<Key>, StoreError> {
    let mut of_account: BTreeMap<Uuid, Vec<Costs<'k>>> = BTreeMap::new();
    for (key, sum) in costs {
        of_account.entry(key.account).or_default().push((key, sum));
    }
    let mut duplicates = BTreeSet::new();
    for (account, costs) in of_account {
        let imports: BTreeSet<Uuid> = costs.iter().map(|(key, _)| key.import).collect();
        if imports.len() > 1 {
            let whole = of_whole_clusters(rows, account, resources.get(&account))?;
            duplicates.extend(find_in_cluster(costs, &whole, sequence).into_iter().cloned());
        }
    }
    Ok(duplicates)
}

/// The imports that divide the costs of a cluster by something other than namespaces: by node, by label, or not at all.
fn of_whole_clusters(
    rows: &Transaction<'_>,
    account: Uuid,
    imports: Option<&BTreeMap<Uuid, BTreeSet<Uuid>>>,
) -> Result<BTreeSet<Uuid>, StoreError> {
    let mut whole = BTreeSet::new();
    rows.for_each("cloud_resourses", &["id", "external_resource_id"], &[eq("account", account)], |row| {
        if let [id, name] = row.as_slice()
            && let (Some(id), Some(name)) = (id.as_uuid(), name.as_text())
            && (name.starts_with("Node/") || name.starts_with("Allocation/"))
            && !name.starts_with("Allocation/__")
        {
            whole.insert(id);
        }
        Ok::<_, StoreError>(())
    })?;
    let of_any = |(import, resources): (&Uuid, &BTreeSet<Uuid>)| {
        resources.iter().any(|resource| whole.contains(resource)).then_some(*import)
    };
    Ok(imports.into_iter().flatten().filter_map(of_any).collect())
}

fn find_in_cluster<'k>(
    costs: Vec<Costs<'k>>,
    whole: &BTreeSet<Uuid>,
    sequence: &HashMap<Uuid, i64>,
) -> BTreeSet<&'k Key> {
    let longest = costs.iter().map(|(key, _)| Window::of(key).length()).max().unwrap_or_default();
    // The windows for which imports state idle cost separately.
    let idle =
        WindowsByImport::of(costs.iter().filter(|(key, _)| is_idle(key)).map(|(key, _)| Window::of(key)));
    let rank = |(key, _): &Costs<'_>| {
        let window = Window::of(key);
        // A current import has no sequence number yet.
        let newest = sequence.get(&key.import).copied().filter(|place| *place > 0).unwrap_or(i64::MAX);
        (std::cmp::Reverse((window.length(), idle.has(key.import, window, longest), newest)), key.start)
    };
    let mut sorted = costs;
    sorted.sort_by_key(rank);
    let (mut all, mut of_wholes) = (Windows::default(), Windows::default());
    let mut of_services: HashMap<&str, Windows> = HashMap::new();
    let mut duplicates = BTreeSet::new();
    // Duplicated costs, each with the window that contains them too.
    let mut contained: Vec<(&Key, Window)> = Vec::new();
    for (key, _) in &sorted {
        let window = Window::of(key);
        let is_whole = whole.contains(&key.import);
        let of_service = of_services.entry(key.service.as_str()).or_default();
        if (is_whole && all.of_another(window, longest).is_some())
            || of_wholes.of_another(window, longest).is_some()
        {
            duplicates.insert(*key);
            continue;
        }
        if let Some(other) = of_service.of_another(window, longest) {
            duplicates.insert(*key);
            contained.push((key, other));
            continue;
        }
        of_service.add(window);
        all.add(window);
        if is_whole {
            of_wholes.add(window);
        }
    }
    duplicates.extend(find_idle_duplicates(&sorted, &idle, &contained, longest));
    duplicates
}

/// Costs that must not count together with idle cost that another file states separately: all parts of a file that states one of them differently,
/// because they may include the idle cost; and the idle cost itself where longer windows of such a file count.
fn find_idle_duplicates<'k>(
    sorted: &[Costs<'k>],
    idle: &WindowsByImport,
    contained: &[(&'k Key, Window)],
    longest: i64,
) -> BTreeSet<&'k Key> {
    let mut sums: HashMap<(&str, Window), f64> = HashMap::new();
    for (key, sum) in sorted {
        *sums.entry((key.service.as_str(), Window::of(key))).or_default() += sum.to_f64();
    }
    let sum = |service: &str, window: Window| sums.get(&(service, window)).copied();
    let (mut idle_only, mut shared) = (WindowsByImport::default(), WindowsByImport::default());
    for (key, other) in contained.iter().filter(|(key, _)| !is_idle(key)) {
        let window = Window::of(key);
        match (idle.has(key.import, window, longest), idle.has(other.import, window, longest)) {
            (true, false) => idle_only.add(window),
            (false, true) if !is_nearly_equal(sum(&key.service, window), sum(&key.service, *other)) => {
                shared.add(window);
            }
            _ => {}
        }
    }
    let is_duplicate = |key: &&'k Key| {
        let among = if is_idle(key) { &idle_only } else { &shared };
        among.has(key.import, Window::of(key), longest)
    };
    sorted.iter().map(|(key, _)| *key).filter(is_duplicate).collect()
}

fn is_nearly_equal(left: Option<f64>, right: Option<f64>) -> bool {
    left.zip(right).is_some_and(|(left, right)| idle::is_nearly_equal(left, right))
}
