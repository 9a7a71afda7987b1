//! Costs of a cluster that several files tell for the same time: by the hour and by the day, by namespace and by workload, or over two windows that overlap.
//! Each time counts once: the longest window, since nothing else may tell all of it; of equally long ones, that of the newest file.

use super::Key;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// Resources of each import by account.
pub type Resources = BTreeMap<Uuid, BTreeMap<Uuid, BTreeSet<Uuid>>>;

/// A time of which the costs of one service count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    import: Uuid,
    start: i64,
    end: i64,
}

/// Windows that count, by their start.
#[derive(Debug, Default)]
struct Windows(BTreeSet<(i64, i64, Uuid)>);

impl Windows {
    fn add(&mut self, window: Window) {
        self.0.insert((window.start, window.end, window.import));
    }

    /// Whether another import tells a part of the time. No window here is longer than `longest`.
    fn has_of_another(&self, window: Window, longest: i64) -> bool {
        let near = (window.start.saturating_sub(longest), 0, Uuid::nil())..(window.end, 0, Uuid::nil());
        let mut found = self.0.range(near);
        found.any(|(_, end, import)| *end > window.start && *import != window.import)
    }
}

/// Of costs that no bill covers, those that another file tells, too, and that count there. `sequence` tells which import is newer.
pub fn told_twice<'k>(
    rows: &Transaction<'_>,
    keys: impl Iterator<Item = &'k Key>,
    resources: &Resources,
    sequence: &HashMap<Uuid, i64>,
) -> Result<BTreeSet<Key>, StoreError> {
    let mut of_account: BTreeMap<Uuid, Vec<&Key>> = BTreeMap::new();
    for key in keys {
        of_account.entry(key.account).or_default().push(key);
    }
    let mut twice = BTreeSet::new();
    for (account, keys) in of_account {
        let imports: BTreeSet<Uuid> = keys.iter().map(|key| key.import).collect();
        if imports.len() > 1 {
            let whole = of_whole_clusters(rows, account, resources.get(&account))?;
            twice.extend(of_one(keys, &whole, sequence).into_iter().cloned());
        }
    }
    Ok(twice)
}

/// The imports that tell the costs of a cluster by something else than namespaces: by node, by label, or as one sum.
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

fn of_one<'k>(keys: Vec<&'k Key>, whole: &BTreeSet<Uuid>, sequence: &HashMap<Uuid, i64>) -> Vec<&'k Key> {
    let window = |key: &Key| Window { import: key.import, start: key.start, end: key.end };
    let longest = keys.iter().map(|key| key.end.saturating_sub(key.start)).max().unwrap_or_default();
    let rank = |key: &&Key| {
        // One that is being imported has no place in the order yet.
        let newest = sequence.get(&key.import).copied().filter(|place| *place > 0).unwrap_or(i64::MAX);
        (std::cmp::Reverse((key.end.saturating_sub(key.start), newest)), key.start)
    };
    let mut sorted = keys;
    sorted.sort_by_key(rank);
    let (mut all, mut of_wholes) = (Windows::default(), Windows::default());
    let mut of_services: HashMap<&str, Windows> = HashMap::new();
    let mut twice = Vec::new();
    for key in sorted {
        let window = window(key);
        let is_whole = whole.contains(&key.import);
        let of_service = of_services.entry(key.service.as_str()).or_default();
        if (is_whole && all.has_of_another(window, longest))
            || of_wholes.has_of_another(window, longest)
            || of_service.has_of_another(window, longest)
        {
            twice.push(key);
            continue;
        }
        of_service.add(window);
        all.add(window);
        if is_whole {
            of_wholes.add(window);
        }
    }
    twice
}
