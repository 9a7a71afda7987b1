//! Resolves a delivery after all its rows are written and their identities are known: decides for each period of each source which stored
//! rows they replace, and performs the replacement.

use super::sources::{self, Charges, Source};
use super::stored_charges::{self, SourcePeriod, StoredCharges};
use super::versions::{parts, restated_elsewhere, restated_in_other_format};
use super::{Job, Journal, amounts, imports, restated, versions};
use crate::decide::{Choice, IncomingRows, OlderRows, Overlap, Reason, Verdict, decide, imports_replaced_by};
use crate::formats::bills::CostView;
use crate::providers;
use crate::report::{ReplacedRows, Report, ReportFormat, Sums};
use catalogue::format_date;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{StoreError, Transaction};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;
/// The journal position at which the replaced rows of a delivery begin, after the entries of its own rows.
const REPLACED_AT: i64 = 1 << 20;

/// A written file of a delivery.
#[derive(Debug)]
pub struct FileRows {
    pub job: Job,
    pub name: String,
    pub sources: Vec<Source>,
    pub has_unreadable: bool,
    /// Earlier imports of the same bytes of which rows were deleted by hand.
    pub same_file: Vec<Uuid>,
    /// Whether costs are actual or amortised, if the user had to state it.
    pub cost_view: Option<CostView>,
    /// The detected format; `None` for a manifest.
    pub format: Option<ReportFormat>,
}

/// The imports of other files of an export, according to its manifests.
#[derive(Debug, Default)]
pub struct RunImports {
    /// Imports of older runs, which the delivery replaces.
    pub older: Vec<Uuid>,
    /// Imports of the same run, which remain stored beside the delivery.
    pub own: Vec<Uuid>,
}

/// The inputs of the decision.
#[derive(Debug, Clone, Copy)]
pub struct DecisionInputs<'a> {
    /// The user's answer.
    pub choice: Option<Choice>,
    /// The share by which a replacement may lower the cost of a period.
    pub most_lower: f64,
    /// Set when a manifest describes the delivery; the manifest is then the last file.
    pub runs: Option<&'a RunImports>,
}

impl DecisionInputs<'_> {
    /// The user's answer, if it applies to charges as a whole (everything except `Combine`).
    pub fn whole_choice(&self) -> Option<Choice> {
        self.choice.filter(|choice| *choice != Choice::Combine)
    }
}

/// The result of resolving a delivery.
#[derive(Debug)]
pub enum Resolution {
    /// Decided and written, with an outcome for each file.
    Done(Vec<Outcome>),
    /// A person has to decide; nothing of the delivery may be stored.
    Ask(Box<Question>),
}

/// A question about some of the files.
#[derive(Debug)]
pub struct Question {
    pub reason: Reason,
    /// The files concerned: those with rows in the periods in question, and those that share a period with them.
    pub files: BTreeSet<usize>,
    pub periods: Vec<String>,
    pub totals: Vec<amounts::Totals>,
    /// Both versions may be stored side by side.
    pub may_add: bool,
    /// Some accounts whose rows would be replaced are not in the files.
    pub has_other_accounts: bool,
    /// Charges that both contain can be counted once.
    pub may_combine: bool,
}

/// The outcome for one file.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The index of an earlier file of the delivery with the same rows.
    pub same_as: Option<usize>,
    pub replaced: Option<ReplacedRows>,
    pub sums: Sums,
    pub notes: Vec<String>,
}

/// One source period, with the charges in the files and the stored ones.
pub(super) struct PeriodGroup {
    pub period: SourcePeriod,
    /// Charges by file and account.
    pub files: BTreeMap<usize, HashMap<Uuid, Charges>>,
    pub all: HashMap<Uuid, Charges>,
    pub older: Vec<(Uuid, Vec<StoredCharges>)>,
    pub older_rows: Vec<OlderRows>,
    pub verdict: Verdict,
    /// Stored charges that are replaced, by the index of their import in `older`.
    pub replaced: BTreeMap<usize, Vec<StoredCharges>>,
    /// Stored charges that would be replaced if only restated charges were, when a person has to decide.
    pub restated: BTreeMap<usize, Vec<StoredCharges>>,
}

/// Decides and replaces. `delivery` contains the files in order.
pub fn resolve_delivery(
    transaction: &Transaction<'_>,
    delivery: &mut [FileRows],
    inputs: DecisionInputs<'_>,
) -> Result<Resolution, StoreError> {
    let mut groups = group(delivery);
    let are_parts = inputs.runs.is_some();
    let same_as = match versions::find(&groups, delivery) {
        // Declared as further rows or parts, they count side by side.
        _ if are_parts => vec![None; delivery.len()],
        versions::VersionRelation::Differ(_, files)
            if inputs.choice == Some(Choice::Add) && versions::may_add(delivery, &files) =>
        {
            vec![None; delivery.len()]
        }
        versions::VersionRelation::Alike(same_as) => same_as,
        versions::VersionRelation::Differ(reason, files) => {
            let question = versions::question(transaction, delivery, &groups, (reason, files))?;
            return Ok(Resolution::Ask(Box::new(question)));
        }
    };
    for (file, same) in same_as.iter().enumerate() {
        if same.is_some() {
            transaction.delete("spends", &[store::eq("import_id", delivery[file].job.import)])?;
            delivery[file].sources.clear();
        }
    }
    if same_as.iter().any(Option::is_some) {
        groups = group(delivery);
    }
    let mut own: Vec<Uuid> = delivery.iter().map(|file| file.job.import).collect();
    if let Some(runs) = inputs.runs {
        own.extend(&runs.own);
        add_periods_of(transaction, runs, delivery.len() - 1, &mut groups)?;
    }
    for group in &mut groups {
        decide_period(transaction, delivery, &own, group, inputs)?;
    }
    restated_elsewhere::check_restated_elsewhere(transaction, delivery, &own, &mut groups, inputs)?;
    let asked: Vec<&PeriodGroup> =
        groups.iter().filter(|group| matches!(group.verdict, Verdict::Ask(..))).collect();
    if let Some(Verdict::Ask(reason, _)) = asked.first().map(|group| &group.verdict) {
        return Ok(Resolution::Ask(Box::new(Question {
            reason: *reason,
            files: connected(&groups, &asked),
            periods: asked
                .iter()
                .map(|group| period(group.period.billing_start))
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            totals: amounts::choices(&asked),
            may_add: *reason != Reason::OtherCostView,
            has_other_accounts: asked.iter().any(|group| group.has_other_accounts()),
            may_combine: asked
                .iter()
                .all(|group| matches!(group.verdict, Verdict::Ask(reason, _) if reason.may_combine())),
        })));
    }
    let mut outcomes: Vec<Outcome> =
        same_as.into_iter().map(|same_as| Outcome { same_as, ..Outcome::default() }).collect();
    replace(transaction, delivery, &groups, &mut outcomes)?;
    for file in delivery.iter() {
        for source in &file.sources {
            sources::write(transaction, &file.job, source)?;
        }
    }
    amounts::fill(transaction, &groups, &mut outcomes)?;
    Ok(Resolution::Done(outcomes))
}

/// The charges of all files, by source period.
fn group(delivery: &[FileRows]) -> Vec<PeriodGroup> {
    let mut groups: BTreeMap<SourcePeriod, PeriodGroup> = BTreeMap::new();
    for (file, rows) in delivery.iter().enumerate() {
        for source in &rows.sources {
            let period = SourcePeriod {
                provider: providers::identity(&source.provider),
                billing_account: source.billing_account.clone(),
                currency: source.currency.clone(),
                billing_start: source.billing_start,
            };
            let group = groups.entry(period.clone()).or_insert_with(|| PeriodGroup::at(period));
            let accounts = group.files.entry(file).or_default();
            for (account, charges) in &source.accounts {
                accounts.entry(*account).or_default().merge(charges);
                group.all.entry(*account).or_default().merge(charges);
            }
        }
    }
    groups.into_values().collect()
}

/// Adds the source periods of older runs that the delivery does not contain; their rows are removed on behalf of `file`.
fn add_periods_of(
    transaction: &Transaction<'_>,
    runs: &RunImports,
    file: usize,
    groups: &mut Vec<PeriodGroup>,
) -> Result<(), StoreError> {
    for import in &runs.older {
        for period in stored_charges::source_periods(transaction, *import)? {
            if !groups.iter().any(|group| group.period == period) {
                let files = BTreeMap::from([(file, HashMap::new())]);
                groups.push(PeriodGroup { files, ..PeriodGroup::at(period) });
            }
        }
    }
    Ok(())
}

/// Compares a source period with the stored rows, and decides.
fn decide_period(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    own: &[Uuid],
    group: &mut PeriodGroup,
    inputs: DecisionInputs<'_>,
) -> Result<(), StoreError> {
    group.older = stored_charges::find(transaction, own, &group.period)?.into_iter().collect();
    let files = || group.files.keys().map(|file| &delivery[*file]);
    let same_file: Vec<Uuid> = files().flat_map(|file| file.same_file.iter().copied()).collect();
    group.older_rows = group
        .older
        .iter()
        .map(|(import, stored_charges)| {
            let mut older: HashMap<Uuid, Charges> = HashMap::new();
            for stored in stored_charges {
                older.entry(stored.account).or_default().merge(&stored.charges);
            }
            OlderRows {
                overlap: overlap(&group.all, &older),
                has_charges: stored_charges.iter().any(|stored| stored.charges.charge_count > 0),
                billed: amounts::sum(stored_charges.iter().map(|stored| &stored.charges)),
                is_same_file: same_file.contains(import),
            }
        })
        .collect();
    // Manifests decide about older runs of their export, content about all other imports.
    let is_older = |import: &Uuid| inputs.runs.is_some_and(|runs| runs.older.contains(import));
    let (of_older, others): (Vec<usize>, Vec<usize>) =
        (0..group.older.len()).partition(|place| is_older(&group.older[*place].0));
    let older_rows: Vec<OlderRows> = others.iter().map(|place| group.older_rows[*place]).collect();
    let keys = overlap(&group.all, &HashMap::new()).new;
    let shared: f64 = older_rows.iter().map(|older_rows| older_rows.overlap.shared).sum();
    let incoming = IncomingRows {
        has_charges: group.all.values().any(|charges| charges.charge_count > 0),
        has_unreadable: files().any(|file| file.has_unreadable),
        known_share: if keys > 0.0 { (shared / keys).min(1.0) } else { 0.0 },
        keys,
        billed: amounts::sum(group.all.values()),
    };
    let verdict = match inputs.whole_choice() {
        _ if older_rows.is_empty() || group.all.is_empty() => Verdict::Add,
        Some(choice) => Verdict::Replace(imports_replaced_by(choice, &incoming, &older_rows)),
        None => decide(&incoming, &older_rows, inputs.most_lower),
    };
    let with_older = |places: Vec<usize>| -> Vec<usize> {
        let mut all: Vec<usize> =
            places.into_iter().map(|place| others[place]).chain(of_older.clone()).collect();
        all.sort_unstable();
        all
    };
    group.verdict = match verdict {
        Verdict::Ask(reason, places) => Verdict::Ask(reason, with_older(places)),
        Verdict::Add => Verdict::Replace(with_older(Vec::new())),
        Verdict::Replace(places) => Verdict::Replace(with_older(places)),
    };
    if group.verdict == Verdict::Replace(Vec::new()) {
        group.verdict = Verdict::Add;
    }
    let of_other_view = of_other_view(transaction, files().find_map(|file| file.cost_view), group)?;
    if !of_other_view.is_empty() {
        let mut places = match &group.verdict {
            Verdict::Replace(places) | Verdict::Ask(_, places) => places.clone(),
            Verdict::Add => Vec::new(),
        };
        places.extend(of_other_view);
        places.sort_unstable();
        places.dedup();
        group.verdict = match inputs.choice {
            Some(Choice::Replace | Choice::ReplaceAccounts) => Verdict::Replace(places),
            Some(Choice::Add | Choice::Combine) | None => Verdict::Ask(Reason::OtherCostView, places),
        };
    }
    let formats: Vec<&ReportFormat> = files().filter_map(|file| file.format.as_ref()).collect();
    let named: Vec<parts::File<'_>> = files().map(parts::File::of).collect();
    restated_in_other_format::check_other_format(transaction, &formats, group, &others, inputs)?;
    parts::check_parts(transaction, &named, group, &others, inputs)?;
    let only_own = inputs.choice == Some(Choice::ReplaceAccounts);
    if let Verdict::Replace(places) | Verdict::Ask(_, places) = &group.verdict {
        for place in places {
            let is_whole = !only_own || of_older.contains(place);
            let stored_charges = group.older[*place].1.iter();
            let stored_charges =
                stored_charges.filter(|stored| is_whole || group.all.contains_key(&stored.account)).cloned();
            group.replaced.insert(*place, stored_charges.collect());
        }
    }
    restated::find_restated(transaction, delivery, group, inputs)
}

/// The older imports of a source period with amortised cost where the delivery has actual cost, or the reverse. Storing both would count
/// commitments twice.
fn of_other_view(
    transaction: &Transaction<'_>,
    view: Option<CostView>,
    group: &PeriodGroup,
) -> Result<Vec<usize>, StoreError> {
    let Some(view) = view else { return Ok(Vec::new()) };
    let mut places = Vec::new();
    for (place, (import, _)) in group.older.iter().enumerate() {
        let report = imports::report(transaction, *import)?;
        let older_rows = report.as_ref().and_then(Report::cost_view);
        if older_rows.is_some_and(|older_rows| older_rows != view) {
            places.push(place);
        }
    }
    Ok(places)
}

/// The overlap of the charges in two sets of accounts.
pub(super) fn overlap(new: &HashMap<Uuid, Charges>, older: &HashMap<Uuid, Charges>) -> Overlap {
    let accounts: BTreeSet<&Uuid> = new.keys().chain(older.keys()).collect();
    accounts.into_iter().fold(Overlap::default(), |sum, account| {
        let (new, older) = (new.get(account), older.get(account));
        sum.plus(Overlap::of(new.map(|side| &side.sketch), older.map(|side| &side.sketch)))
    })
}

/// The files at the source periods in question, and all files that share a source period with them.
pub(super) fn connected(groups: &[PeriodGroup], asked: &[&PeriodGroup]) -> BTreeSet<usize> {
    let mut files: BTreeSet<usize> = asked.iter().flat_map(|group| group.files.keys().copied()).collect();
    loop {
        let before = files.len();
        for group in groups {
            if group.files.keys().any(|file| files.contains(file)) {
                files.extend(group.files.keys());
            }
        }
        if files.len() == before {
            return files;
        }
    }
}

/// Removes the replaced rows, and records the replacement on both sides.
fn replace(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    groups: &[PeriodGroup],
    outcomes: &mut [Outcome],
) -> Result<(), StoreError> {
    let mut replacements: BTreeMap<Uuid, (u64, BTreeSet<String>, usize)> = BTreeMap::new();
    let mut journals: BTreeMap<usize, Journal<'_>> = BTreeMap::new();
    for group in groups {
        let Some(first) = group.files.keys().next().copied() else { continue };
        let journal = journals
            .entry(first)
            .or_insert_with(|| Journal::new(transaction, delivery[first].job.import, REPLACED_AT));
        let period = period(group.period.billing_start);
        let mut rows = 0;
        for (place, stored_charges) in &group.replaced {
            let import = group.older[*place].0;
            let taken = stored_charges::remove(transaction, journal, import, &group.period, stored_charges)?;
            rows += taken;
            let entry = replacements.entry(import).or_insert_with(|| (0, BTreeSet::new(), first));
            entry.0 += taken;
            entry.1.insert(period.clone());
        }
        if !group.replaced.is_empty() {
            let replaced = outcomes[first].replaced.get_or_insert_default();
            replaced.rows += rows;
            if !replaced.periods.contains(&period) {
                replaced.periods.push(period.clone());
            }
        }
        let is_part = |stored: &StoredCharges| stored.part.is_some();
        if group.replaced.len() < group.older.len() || group.replaced.values().flatten().any(is_part) {
            let note = format!("Earlier files brought other charges of {period}; they stay beside these.");
            for file in group.files.keys() {
                if !outcomes[*file].notes.contains(&note) {
                    outcomes[*file].notes.push(note.clone());
                }
            }
        }
    }
    for journal in journals.values() {
        journal.finish()?;
    }
    for (import, (rows, periods, file)) in replacements {
        let periods = periods.into_iter().collect::<Vec<_>>().join(", ");
        stored_charges::record_replacement(transaction, import, rows, &periods, &delivery[file].name)?;
    }
    for outcome in outcomes {
        if let Some(replaced) = &mut outcome.replaced {
            replaced.periods.sort();
            outcome.notes.push(format!(
                "{} rows of earlier files for {} were replaced by this one.",
                replaced.rows,
                replaced.periods.join(", ")
            ));
        }
    }
    Ok(())
}

impl PeriodGroup {
    pub(super) fn at(period: SourcePeriod) -> Self {
        Self {
            period,
            files: BTreeMap::new(),
            all: HashMap::new(),
            older: Vec::new(),
            older_rows: Vec::new(),
            verdict: Verdict::Add,
            replaced: BTreeMap::new(),
            restated: BTreeMap::new(),
        }
    }

    /// Whether a row that would be replaced belongs to an account that is not in the files.
    pub(super) fn has_other_accounts(&self) -> bool {
        self.replaced.values().flatten().any(|stored| !self.all.contains_key(&stored.account))
    }
}

/// A billing period as its month, or as its first day if it does not begin on the first of a month.
pub fn period(start: i64) -> String {
    let date = format_date(i32::try_from(start.div_euclid(DAY)).unwrap_or(i32::MAX));
    date.strip_suffix("-01").map_or_else(|| date.clone(), str::to_owned)
}
