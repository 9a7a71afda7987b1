//! Holds the names of all rows of a table in memory until one of them changes.
//!
//! All names are stored in lower case in one text, row by row, in the order in which rows of equal
//! rank are returned. A search scans only the blocks ([`BlockIndex`]) of the text that may contain the search
//! text. It scans a second time, for better matches, only if more rows match than were requested.

use super::block_index::{BlockIndex, RequiredBits};
use super::kinds::Source;
use super::rank::{SearchText, begins_word};
use catalogue::Value;
use graphql::Refusal;
use memchr::memmem;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use store::{MarkedRows, StoreError, Transaction, fold};
use uuid::Uuid;

/// Maximum bytes of names stored for one table. A larger table is searched in the database.
const MAX_BYTES: usize = 256 << 20;
/// Delimits names in the text. Names and search texts never contain it.
const SEPARATOR: char = '\0';

/// The names of a table.
#[derive(Default)]
pub(super) struct Names {
    /// `\0name\0other name\0` for each row, in lower case.
    text: String,
    rows: Vec<Row>,
    /// An index of the letters in the text, built after all rows were added.
    index: BlockIndex,
    /// The names in their original spelling, for sources without an id column.
    spelled: Vec<String>,
}

#[derive(Clone, Copy)]
struct Row {
    /// The end of the row's names in the text.
    end: u32,
    id: Uuid,
    /// The sort position among rows of equal rank, before the name. It is the negated time where the newest rows come first.
    place: i64,
}

/// The sort key of a row. Most names differ in their first bytes; therefore few comparisons need the text.
struct SortKey {
    place: i64,
    /// The first 16 bytes of the first name, or [`NAMELESS`], which no name can start with.
    begin: u128,
    row: usize,
}

/// Sorts after every name: valid UTF-8 contains no byte 0xFF.
const NAMELESS: u128 = u128::MAX;

impl SortKey {
    fn of(place: i64, name: &str, row: usize) -> Self {
        let mut begin = [0; size_of::<u128>()];
        let length = name.len().min(begin.len());
        begin[..length].copy_from_slice(&name.as_bytes()[..length]);
        let begin = if name.is_empty() { NAMELESS } else { u128::from_be_bytes(begin) };
        Self { place, begin, row }
    }
}

/// A row whose names contain the search text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NameHit<'n> {
    /// The row's id; nil for sources without an id column.
    pub id: Uuid,
    /// The name in its original spelling, for sources without an id column; otherwise empty.
    pub text: &'n str,
}

/// Returns the names of a source. `None` if they are too large to store.
pub(super) fn of(rows: &Transaction<'_>, source: &Source) -> Result<Option<Arc<Names>>, Refusal> {
    // Cached values are distinguished by their type.
    if source.id.is_some() {
        let cached = rows.cached_by_marks(&[source.table], |rows| RowNames::read(rows, source))?;
        return Ok(cached.0.clone());
    }
    let cached = rows.cached_by_marks(&[source.table], |rows| DistinctNames::read(rows, source))?;
    Ok(Some(Arc::clone(&cached.0)))
}

/// The cached names of rows with an id.
struct RowNames(Option<Arc<Names>>);

impl RowNames {
    fn read(rows: &MarkedRows<'_, '_>, source: &Source) -> Result<Self, StoreError> {
        let time = source.order.1.then_some(source.order.0);
        let columns: Vec<&str> =
            source.id.into_iter().chain(source.names.iter().copied()).chain(time).collect();
        let mut names = Names::default();
        rows.for_each(source.table, &columns, |row| {
            if let [Value::Uuid(id), cells @ ..] = row.as_slice()
                && names.text.len() <= MAX_BYTES
            {
                let (cells, times) = cells.split_at(source.names.len());
                let place = times.first().map_or(0, newest_first);
                names.add(*id, place, cells.iter().map(|cell| cell.as_text().unwrap_or_default()));
            }
            Ok::<_, StoreError>(())
        })?;
        let fits = names.text.len() <= MAX_BYTES;
        Ok(Self(fits.then(|| Arc::new(names.ordered()))))
    }
}

/// The cached distinct names of a source without an id column.
struct DistinctNames(Arc<Names>);

impl DistinctNames {
    fn read(rows: &MarkedRows<'_, '_>, source: &Source) -> Result<Self, StoreError> {
        let mut texts = BTreeSet::new();
        rows.for_each(source.table, &source.names[..1], |mut row| {
            if let Some(Value::Text(text)) = row.pop() {
                texts.insert(text);
            }
            Ok::<_, StoreError>(())
        })?;
        let mut names = Names::default();
        for text in texts {
            names.add(Uuid::nil(), 0, std::iter::once(text.as_str()));
            names.spelled.push(text);
        }
        Ok(Self(Arc::new(names.searchable())))
    }
}

/// The sort position for newest-first order. Rows without a time come last.
fn newest_first(time: &Value) -> i64 {
    match time {
        Value::Timestamp(time) => time.saturating_neg(),
        _ => i64::MAX,
    }
}

impl Names {
    /// Adds a row with its sort position and names. Duplicate names are stored once. The first name is always stored, even if it is empty.
    fn add<'n>(&mut self, id: Uuid, place: i64, names: impl Iterator<Item = &'n str>) {
        let begin = self.text.len();
        self.text.push(SEPARATOR);
        for (number, name) in names.enumerate() {
            let at = self.text.len();
            self.text.push_str(&fold(name).replace(SEPARATOR, " "));
            let is_known = number > 0 && {
                let name = &self.text[at..];
                name.is_empty() || self.text[begin..at].split(SEPARATOR).any(|known| known == name)
            };
            if is_known {
                self.text.truncate(at);
            } else {
                self.text.push(SEPARATOR);
            }
        }
        self.rows.push(Row { end: u32::try_from(self.text.len()).unwrap_or(u32::MAX), id, place });
    }

    /// Sorts the rows by position, then first name (rows without a name last), then id.
    fn ordered(self) -> Self {
        let ends = || self.rows.iter().map(|row| row.end as usize);
        let begins = std::iter::once(0).chain(ends());
        let spans: Vec<(usize, usize)> = begins.zip(ends()).collect();
        let first = |place: usize| {
            let (begin, end) = spans[place];
            self.text[begin + 1..end].split(SEPARATOR).next().unwrap_or_default()
        };
        let mut keys: Vec<SortKey> =
            (0..self.rows.len()).map(|row| SortKey::of(self.rows[row].place, first(row), row)).collect();
        keys.sort_unstable_by(|one, other| {
            (one.place, one.begin)
                .cmp(&(other.place, other.begin))
                .then_with(|| first(one.row).cmp(first(other.row)))
                .then_with(|| self.rows[one.row].id.cmp(&self.rows[other.row].id))
        });
        let mut ordered = Self {
            text: String::with_capacity(self.text.len()),
            rows: Vec::with_capacity(keys.len()),
            index: BlockIndex::default(),
            spelled: Vec::new(),
        };
        for SortKey { row, .. } in keys {
            let (begin, end) = spans[row];
            ordered.text.push_str(&self.text[begin..end]);
            let end = u32::try_from(ordered.text.len()).unwrap_or(u32::MAX);
            ordered.rows.push(Row { end, ..self.rows[row] });
        }
        ordered.searchable()
    }

    /// Builds the search index for the rows in their current order.
    fn searchable(mut self) -> Self {
        let ends: Vec<usize> = self.rows.iter().map(|row| row.end as usize).collect();
        self.index = BlockIndex::of(&self.text, &ends);
        self
    }

    /// Returns at most `limit` rows, best rank first; rows of equal rank keep their order.
    pub(super) fn best(&self, sought: &SearchText, limit: usize) -> Vec<NameHit<'_>> {
        let words: Vec<&str> = sought.words().collect();
        let Some(longest) = words.iter().copied().max_by_key(|word| word.len()) else {
            return (0..self.rows.len().min(limit)).map(|place| self.hit(place)).collect();
        };
        if sought.folded.contains(SEPARATOR) {
            return Vec::new();
        }
        let has_all = |row: &str| words.iter().all(|word| row.contains(word));
        // Request one more than the limit to detect further matches.
        let mut any =
            self.matching_rows(longest, &RequiredBits::all(words.iter().copied()), limit + 1, has_all);
        let whole = sought.folded.as_str();
        let is_more = any.len() > limit;
        let mut best = if is_more {
            let of = |letters: &str| {
                self.matching_rows(letters, &RequiredBits::all(std::iter::once(letters)), limit, |_| true)
            };
            let begins_word = RequiredBits::beginning_word(whole);
            let words = self.matching_rows(whole, &begins_word, limit, |row| begins_a_word(row, whole));
            [of(&format!("{SEPARATOR}{whole}{SEPARATOR}")), of(&format!("{SEPARATOR}{whole}")), words]
                .concat()
        } else {
            any.sort_by_key(|place| sought.rank(self.names_of(*place).split(SEPARATOR)));
            Vec::new()
        };
        best.append(&mut any);
        let mut seen = HashSet::new();
        best.retain(|place| seen.insert(*place));
        best.into_iter().take(limit).map(|place| self.hit(place)).collect()
    }

    /// Returns the positions of the first rows that contain `letters` and pass the test. Blocks that lack any of `required` are skipped.
    fn matching_rows(
        &self,
        letters: &str,
        required: &RequiredBits,
        limit: usize,
        passes: impl Fn(&str) -> bool,
    ) -> Vec<usize> {
        let finder = memmem::Finder::new(letters);
        let mut places = Vec::new();
        for block in self.index.matching(required) {
            let rows = self.rows.get(block.start..block.end.min(self.rows.len())).unwrap_or_default();
            let Some(last) = rows.last() else { break };
            let (mut place, mut from) = (block.start, self.start_of(block.start));
            while let Some(found) = finder.find(&self.text.as_bytes()[from..last.end as usize]) {
                let at = from + found;
                while self.rows[place].end as usize <= at {
                    place += 1;
                }
                if passes(self.names_of(place)) {
                    places.push(place);
                    if places.len() == limit {
                        return places;
                    }
                }
                from = self.rows[place].end as usize;
            }
        }
        places
    }

    /// The start of a row's names in the text.
    fn start_of(&self, place: usize) -> usize {
        place.checked_sub(1).map_or(0, |before| self.rows[before].end as usize)
    }

    /// The names of a row, including the separators.
    fn names_of(&self, place: usize) -> &str {
        &self.text[self.start_of(place)..self.rows[place].end as usize]
    }

    fn hit(&self, place: usize) -> NameHit<'_> {
        let text = self.spelled.get(place).map_or("", String::as_str);
        NameHit { id: self.rows[place].id, text }
    }
}

/// Whether the text occurs at the start of a name or of a word in a name.
fn begins_a_word(names: &str, text: &str) -> bool {
    names.match_indices(text).any(|(at, _)| begins_word(&names[..at]))
}

#[cfg(test)]
mod tests {
    use super::{Names, SearchText, newest_first};
    use catalogue::Value;
    use uuid::Uuid;

    fn names(rows: &[&[&str]]) -> Names {
        let mut names = Names::default();
        for (number, row) in rows.iter().enumerate() {
            names.add(Uuid::from_u128(number as u128), 0, row.iter().copied());
        }
        names.ordered()
    }

    fn best(names: &Names, text: &str, limit: usize) -> Vec<u128> {
        names.best(&SearchText::new(text), limit).iter().map(|found| found.id.as_u128()).collect()
    }

    #[test]
    fn the_best_stands_first_whether_all_are_asked_for_or_a_few() {
        let kept =
            names(&[&["xnode"], &["a-node"], &["node-2"], &["", "NODE"], &["node-1"], &["node"], &["other"]]);
        assert_eq!(best(&kept, "node", 50), [5, 3, 4, 2, 1, 0]);
        for limit in 1..=6 {
            assert_eq!(best(&kept, "Node", limit), [5, 3, 4, 2, 1, 0][..limit], "{limit}");
        }
        assert_eq!(best(&kept, "zebra", 5), [0_u128; 0]);
    }

    #[test]
    fn names_that_begin_alike_stand_in_their_order_and_the_nameless_last() {
        let kept = names(&[
            &["web-of-the-shop-in-berlin"],
            &["web-of-the-shop-"],
            &["", "web-of-the-shop"],
            &["web-of-the-shop-in-athens"],
            &["web"],
            &["web-of-the-shop-in-berlin"],
        ]);
        assert_eq!(best(&kept, "web", 2), [4, 1]);
        assert_eq!(best(&kept, "web-of-the-shop", 9), [2, 1, 3, 0, 5]);
        assert_eq!(best(&kept, "e-sh", 9), [1, 3, 0, 5, 2]);
    }

    #[test]
    fn of_events_the_newest_of_one_rank_stand_first() {
        let mut events = Names::default();
        for (number, (time, name)) in
            [(1, "disk"), (3, "disk"), (2, "a disk"), (9, "disks")].iter().enumerate()
        {
            let place = newest_first(&Value::Timestamp(*time));
            events.add(Uuid::from_u128(number as u128), place, std::iter::once(*name));
        }
        events.add(Uuid::from_u128(4), newest_first(&Value::Null), std::iter::once("disk"));
        let events = events.ordered();
        assert_eq!(best(&events, "disk", 5), [1, 0, 4, 3, 2]);
        assert_eq!(best(&events, "disk", 4), [1, 0, 4, 3]);
        assert_eq!(best(&events, "", 3), [3, 1, 2]);
    }

    /// The expected result: all rows that match, sorted by rank, in their order.
    fn plain<'n>(rows: &[(u128, Vec<&'n str>)], text: &str, limit: usize) -> Vec<u128> {
        let sought = SearchText::new(text);
        let holds = |names: &[&'n str]| {
            sought.words().all(|word| names.iter().any(|name| store::fold(name).contains(word)))
        };
        let mut found: Vec<_> = rows.iter().filter(|(_, names)| holds(names)).collect();
        found.sort_by_key(|(_, names)| sought.rank(names.iter().copied()));
        found.into_iter().take(limit).map(|(id, _)| *id).collect()
    }

    #[test]
    fn among_many_names_a_search_comes_to_what_going_through_all_of_them_does() {
        let kinds = ["Node", "service", "Über-Pod", "arn:aws", "db_main", "n", "ON", "ode"];
        // Pseudo-random names of a few words.
        let mut number = 7_u64;
        let mut next = |below: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(number >> 33).unwrap() % below
        };
        let mut name = || match next(6) {
            0 => kinds[next(kinds.len())].to_owned(),
            1 => format!("{}{}", kinds[next(kinds.len())], kinds[next(kinds.len())]),
            2 => format!("{} {}", kinds[next(kinds.len())], next(50)),
            _ => format!("{}-{}-{}", kinds[next(kinds.len())], next(3_000), kinds[next(kinds.len())]),
        };
        let spelled: Vec<[String; 2]> = (0..6_000).map(|_| [name(), name()]).collect();
        let mut kept = Names::default();
        for (number, row) in spelled.iter().enumerate() {
            // The sort position is the row number.
            let place = i64::try_from(number).unwrap();
            kept.add(Uuid::from_u128(number as u128), place, row.iter().map(String::as_str));
        }
        let kept = kept.ordered();
        let rows: Vec<(u128, Vec<&str>)> = spelled
            .iter()
            .enumerate()
            .map(|(number, row)| (number as u128, row.iter().map(String::as_str).collect()))
            .collect();
        let texts = [
            "node",
            "NODE-7",
            "ode",
            "de-",
            "n",
            "o",
            "ü",
            "über",
            "pod 12",
            "service-1234",
            "service-12",
            "arn:aws",
            "aws-2",
            "main 4",
            "4",
            "on",
            "node ode",
            "zebra",
            "e-1",
            "-",
            "db_main",
            "n n",
        ];
        for text in texts {
            for limit in [1, 5, 50] {
                assert_eq!(best(&kept, text, limit), plain(&rows, text, limit), "{text}, {limit}");
            }
        }
    }

    #[test]
    fn every_word_stands_somewhere_in_the_names_of_one_row() {
        let kept = names(&[&["web", "arn:shop"], &["web", "lab"], &["shop web"], &["shop", "cellar"]]);
        assert_eq!(best(&kept, "WEB  shop", 5), [2, 0]);
        assert_eq!(best(&kept, "shop web", 1), [2], "its name is the text");
    }

    #[test]
    fn letters_of_two_names_or_rows_are_no_match() {
        let kept = names(&[&["ab", "cd"], &["ef\0gh"]]);
        assert_eq!(best(&kept, "bc", 5), [0_u128; 0]);
        assert_eq!(best(&kept, "de", 5), [0_u128; 0]);
        assert_eq!(best(&kept, "f gh", 5), [1]);
        assert_eq!(best(&kept, "b\0c", 5), [0_u128; 0]);
        assert_eq!(best(&kept, "b\0", 5), [0_u128; 0]);
    }

    #[test]
    fn capitals_of_every_script_are_alike() {
        let kept = names(&[&["Große Übersicht"], &["ΟΔΟΣ"]]);
        assert_eq!(best(&kept, "ÜBER", 5), [0]);
        assert_eq!(best(&kept, "οδος", 5), [1]);
    }
}
