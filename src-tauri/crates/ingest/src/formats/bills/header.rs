//! The header of a bill: its names as written, and in the normal form of each format.

use crate::outcome::Failure;

/// The names of a file's columns.
#[derive(Debug)]
pub struct Header {
    names: Vec<String>,
}

impl Header {
    pub fn new(names: &[String]) -> Self {
        Self { names: names.to_vec() }
    }

    pub fn width(&self) -> usize {
        self.names.len()
    }

    pub fn name(&self, place: usize) -> &str {
        &self.names[place]
    }

    /// The column names after normalisation with `plain`.
    pub fn keys(&self, plain: impl Fn(&str) -> String) -> Keys {
        Keys { keys: self.names.iter().map(|name| plain(name)).collect() }
    }

    /// The error for a file with two columns of the same name among these: it is unclear which of them counts.
    pub fn find_duplicate_columns(&self, format: &str, places: &[usize]) -> Option<Failure> {
        let is_double =
            |place: &&usize| self.names.iter().filter(|name| **name == self.names[**place]).count() > 1;
        let mut names: Vec<&str> = places.iter().filter(is_double).map(|place| self.name(*place)).collect();
        names.dedup();
        let twice = names.join(", ");
        (!names.is_empty()).then(|| Failure {
            message: format!(
                "The file looks like {format}, but it has {twice} twice, so it is not certain which one counts. Nothing was imported."
            ),
            looked_for: names.iter().map(|name| format!("one column {name}")).collect(),
            found: format!("a table that has the columns {twice} twice"),
        })
    }

    /// The error for a file that resembles a format but lacks required columns.
    pub fn missing_columns_error(&self, format: &str, missing: &[&str], needed: &[&str]) -> Failure {
        let missing = missing.join(", ");
        Failure {
            message: format!("The file looks like {format}, but it lacks {missing}. Nothing was imported."),
            looked_for: needed.iter().map(|name| (*name).to_owned()).collect(),
            found: format!(
                "a table with the columns {}; it lacks {missing}",
                crate::outcome::list(&self.names)
            ),
        }
    }
}

/// Normalised column names.
#[derive(Debug)]
pub struct Keys {
    keys: Vec<String>,
}

impl Keys {
    /// The index of the first of these names that the file has.
    pub fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.keys.iter().position(|key| key == name))
    }

    pub fn has(&self, name: &str) -> bool {
        self.find(&[name]).is_some()
    }

    /// The indices of all of these names that the file has, in the order of the names.
    pub fn all(&self, names: &[&str]) -> Vec<usize> {
        names.iter().filter_map(|name| self.find(&[name])).collect()
    }

    /// Indices and normalised names.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        self.keys.iter().map(String::as_str).enumerate()
    }
}
