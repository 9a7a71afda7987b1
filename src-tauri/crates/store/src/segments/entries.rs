//! Chooses what answers a query: parts of a cube, or segments of rows.

use super::cubes;
use super::explain::Explanation;
use super::index::{Entry, Index};
use super::layout::{Layout, TIME};
use super::plan::{Cut, Plan};
use crate::query::TimeUnit;
use crate::values::calendar::start_of;
use catalogue::Cube;

/// `Ok` if a cube can answer the query; `true` if only with parts whose times are exactly those of the rows. Otherwise the reason.
fn fit(plan: &Plan, layout: &Layout<'_>, cube: &Cube) -> Result<bool, String> {
    let slots = layout.cube_slots(cube);
    if plan.looks_at_amounts(layout) {
        return Err("it does not tell single amounts".to_owned());
    }
    if let Some(missing) = plan.dimensions(layout).into_iter().find(|slot| !slots.contains(slot)) {
        return Err(format!("it does not tell `{}` apart", layout.describe_slot(missing)));
    }
    let unit = cubes::unit(cube);
    let is_coarser = |other: TimeUnit| match unit {
        TimeUnit::Month => matches!(other, TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year),
        _ => !matches!(other, TimeUnit::Minute | TimeUnit::Hour),
    };
    let keys_fit = plan.keys.iter().filter(|key| key.slot == TIME).all(|key| match key.cut {
        Cut::Start(of) => is_coarser(of),
        _ => false,
    });
    let mut single = plan.distinct.iter().flatten().chain(plan.extremes.iter().map(|(slot, _)| slot));
    let times_counted = single.any(|slot| *slot == TIME);
    let filter_fits =
        plan.conditions.iter().all(|condition| condition.is_constant_per_unit(&|time| start_of(time, unit)));
    Ok(!(keys_fit && filter_fits) || times_counted)
}

/// The parts to read: those of the best cube where available, segments of rows elsewhere.
pub(super) fn entries<'i>(
    plan: &Plan,
    layout: &Layout<'_>,
    index: &'i Index,
    explained: &mut Explanation,
) -> Vec<&'i Entry> {
    let clean = || index.segments.iter().filter(|segment| !segment.stale);
    let usable = |grain: i64, cube: &Cube| -> Result<Vec<&'i Entry>, String> {
        let exact_only = fit(plan, layout, cube)?;
        let parts: Vec<&Entry> = index
            .cubes
            .iter()
            .filter(|part| {
                part.grain == grain
                    && part.id != 0
                    && (part.exact || !exact_only)
                    && !index
                        .segments
                        .iter()
                        .any(|segment| segment.stale && segment.is_within(part.first, part.last))
            })
            .collect();
        if parts.is_empty() {
            Err("it has no part in force for the times asked for".to_owned())
        } else {
            Ok(parts)
        }
    };
    let mut best: Option<(usize, Vec<&Entry>)> = None;
    for (grain, cube) in (1..).zip(&layout.segments.cubes) {
        let name = || {
            let by: Vec<String> =
                layout.cube_slots(cube).into_iter().skip(1).map(|slot| layout.describe_slot(slot)).collect();
            format!("cube by {} and {}", cubes::unit(cube).name(), by.join(", "))
        };
        match usable(grain, cube) {
            Err(why) => explained.why_not.push(format!("{}: {why}", name())),
            Ok(parts) => {
                let told =
                    |segment: &Entry| parts.iter().any(|part| segment.is_within(part.first, part.last));
                let rest: Vec<&Entry> = clean().filter(|segment| !told(segment)).collect();
                let rows = parts.iter().chain(&rest).map(|entry| entry.rows).sum();
                if best.as_ref().is_none_or(|(fewest, _)| rows < *fewest) {
                    best = Some((rows, parts.into_iter().chain(rest).collect()));
                }
            }
        }
    }
    best.map_or_else(
        || clean().collect(),
        |(_, entries)| {
            explained.why_not.clear();
            entries
        },
    )
}
