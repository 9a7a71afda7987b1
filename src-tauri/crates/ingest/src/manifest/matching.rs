//! Matches files to the parts of manifests.

use super::Manifest;

/// The path and size of a file.
#[derive(Debug, Clone, Copy)]
pub struct FileLocation<'a> {
    /// Its name with the folders it was in, as far as known.
    pub path: &'a str,
    pub bytes: u64,
}

/// The part that a file matches, as (manifest index, part index). `None` when no manifest lists the file, or several do equally well.
pub fn find_part(manifests: &[&Manifest], file: FileLocation<'_>) -> Option<(usize, usize)> {
    let named = manifests.iter().enumerate().flat_map(|(manifest, list)| {
        list.parts.iter().enumerate().filter_map(move |(part, named)| {
            let has_size = named.bytes.is_none_or(|bytes| bytes == file.bytes);
            let common = common_end(&named.path, file.path);
            (has_size && common > 0).then_some((common, manifest, part))
        })
    });
    let mut named: Vec<_> = named.collect();
    named.sort_unstable();
    let (most, manifest, part) = named.pop()?;
    let is_clear = named.last().is_none_or(|(common, ..)| *common < most);
    is_clear.then_some((manifest, part))
}

/// The number of trailing path components that two paths share; 0 when the file names differ. Both may lack leading folders.
fn common_end(left: &str, right: &str) -> usize {
    let parts = |path: &'_ str| -> Vec<String> {
        path.rsplit(['/', '\\']).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (left, right) = (parts(left), parts(right));
    let is_same = |(place, (left, right)): &(usize, (&String, &String))| {
        left == right || (*place == 0 && without_copy_mark(right) == **left)
    };
    left.iter().zip(&right).enumerate().take_while(is_same).count()
}

/// Removes the number that browsers add to the name of a second copy: `part (1).csv.gz`.
fn without_copy_mark(name: &str) -> String {
    let Some((stem, rest)) = name.split_once(" (") else { return name.to_owned() };
    match rest.split_once(')') {
        Some((number, end)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{stem}{end}")
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Part};
    use super::*;

    fn manifest(parts: &[(&str, Option<u64>)]) -> Manifest {
        Manifest {
            kind: Kind::Azure,
            export: String::new(),
            run_id: String::new(),
            submitted_at: None,
            period: None,
            parts: parts
                .iter()
                .map(|(path, bytes)| Part { path: (*path).to_owned(), bytes: *bytes })
                .collect(),
        }
    }

    fn found(manifests: &[Manifest], path: &str, bytes: u64) -> Option<(usize, usize)> {
        find_part(&manifests.iter().collect::<Vec<_>>(), FileLocation { path, bytes })
    }

    #[test]
    fn folders_tell_runs_apart_and_sizes_where_there_are_none() {
        let runs = [
            manifest(&[("root/june/a/part_0.csv", Some(10)), ("root/june/a/part_1.csv", Some(20))]),
            manifest(&[("root/june/b/part_0.csv", Some(10)), ("root/june/b/part_1.csv", Some(21))]),
        ];
        assert_eq!(found(&runs, "download/june/b/part_0.csv", 10), Some((1, 0)));
        assert_eq!(found(&runs, "part_1.csv", 21), Some((1, 1)));
        assert_eq!(found(&runs, "part_1 (1).csv", 21), Some((1, 1)));
        assert_eq!(found(&runs, "part_0.csv", 10), None);
        assert_eq!(found(&runs, "part_1.csv", 22), None);
        assert_eq!(found(&runs, "part_2.csv", 10), None);
        assert_eq!(found(&runs, "a\\part_0.csv", 10), Some((0, 0)));
    }
}
