//! Limits for unpacking archives.

use super::{UnpackError, refused};

/// Maximum number of members, including those of nested archives.
const MEMBERS: u64 = 100_000;
/// Maximum ratio of unpacked to packed size, for content longer than [`FREE_BYTES`].
const RATIO: u64 = 200;
/// Content length up to which the ratio is not checked.
const FREE_BYTES: u64 = 64 << 20;

/// Counts the members and bytes unpacked from an archive.
#[derive(Debug)]
pub struct Guard {
    packed: u64,
    unpacked: u64,
    members: u64,
    files: u64,
}

impl Guard {
    /// A guard for an archive of `packed` bytes.
    pub fn new(packed: u64) -> Self {
        Self { packed, unpacked: 0, members: 0, files: 0 }
    }

    /// The number of the next temporary file.
    pub fn next_number(&mut self) -> u64 {
        self.files += 1;
        self.files
    }

    /// Counts a member. Fails when there are too many.
    pub fn member(&mut self) -> Result<(), UnpackError> {
        self.members += 1;
        if self.members <= MEMBERS {
            return Ok(());
        }
        let most = format!("at most {MEMBERS} files");
        Err(refused(
            &format!("The archive has more than {MEMBERS} files"),
            &most,
            "an archive of very many files",
        ))
    }

    /// Counts unpacked bytes. Fails when the ratio is exceeded.
    pub fn bytes(&mut self, count: u64) -> Result<(), UnpackError> {
        self.unpacked += count;
        if self.unpacked <= FREE_BYTES || self.unpacked / RATIO <= self.packed {
            return Ok(());
        }
        Err(refused(
            &format!(
                "The archive becomes more than {RATIO} times as long as it is: unpack it yourself and import what is in it"
            ),
            &format!("an archive that becomes at most {RATIO} times as long"),
            "an archive of almost nothing but repetitions",
        ))
    }
}

/// Refuses a name that leads outside the archive.
pub fn check_name(name: &str) -> Result<(), UnpackError> {
    let is_drive = name.as_bytes().get(1) == Some(&b':');
    let leads_out = name.split(['/', '\\']).any(|part| part == "..");
    if leads_out || is_drive || name.starts_with(['/', '\\']) {
        let shown: String = name.chars().take(80).collect();
        return Err(refused(
            &format!("The archive names a file outside of itself ({shown})"),
            "names of files below the archive",
            "a name that leads out of the archive",
        ));
    }
    Ok(())
}

/// Whether a member is metadata that operating systems add to archives.
pub fn is_system_metadata(name: &str) -> bool {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.starts_with("__MACOSX/") || last.starts_with("._") || matches!(last, ".DS_Store" | "Thumbs.db")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_refused() {
        for name in ["../a", "a/../../b", "/etc/passwd", "C:\\a", "a\\..\\b"] {
            assert!(check_name(name).is_err(), "{name}");
        }
        for name in ["a", "a/b..c", "./a", "..a"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn content_is_bounded_by_the_size_of_the_archive() {
        let mut guard = Guard::new(1 << 20);
        assert!(guard.bytes(FREE_BYTES).is_ok());
        assert!(guard.bytes(136 << 20).is_ok());
        assert!(guard.bytes(1 << 20).is_err());
    }

    #[test]
    fn members_are_counted() {
        let mut guard = Guard::new(1);
        assert!((0..MEMBERS).all(|_| guard.member().is_ok()));
        assert!(guard.member().is_err());
    }
}
