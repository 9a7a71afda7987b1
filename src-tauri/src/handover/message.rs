//! What a start says to the one that has the window: the folder it was made in, and the files it names there.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// How a message begins: programs of different versions may meet.
const GREETING: &[u8] = b"quarterdeck, another start, 1";

/// More than a command line holds; longer ones are not read.
pub const LONGEST: usize = 4 << 20;

/// What is answered when the window has it.
pub const TAKEN: &[u8] = b"taken\n";

/// The message of a start in `folder`: a path has every byte but 0.
pub fn write(folder: &Path, files: &[PathBuf]) -> Vec<u8> {
    let files = files.iter().map(|file| file.as_os_str());
    let words = [OsStr::from_bytes(GREETING), folder.as_os_str()].into_iter().chain(files);
    // No path is empty: an empty word is the end, and what is cut off has none.
    words.chain([OsStr::new("")]).flat_map(|word| word.as_bytes().iter().copied().chain([0])).collect()
}

/// The files that a message names, whole; nothing if it is none.
pub fn read(message: &[u8]) -> Option<Vec<PathBuf>> {
    let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
    let mut words = message.strip_suffix(&[0, 0])?.split(|byte| *byte == 0);
    if words.next() != Some(GREETING) {
        return None;
    }
    let folder = path(words.next()?);
    let files: Vec<PathBuf> =
        words.map(|word| (!word.is_empty()).then(|| folder.join(path(word)))).collect::<Option<_>>()?;
    files.iter().all(|file| file.is_absolute()).then_some(files)
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::{Path, PathBuf};

    fn files(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn files_of_another_start_are_found_from_where_it_was_made() {
        let message = write(Path::new("/home/ada"), &files(&["bill.csv", "/tmp/other.csv.gz", "a\nb"]));
        assert_eq!(
            read(&message).unwrap(),
            files(&["/home/ada/bill.csv", "/tmp/other.csv.gz", "/home/ada/a\nb"])
        );
        assert_eq!(read(&write(Path::new("/home/ada"), &[])).unwrap(), files(&[]));
    }

    #[test]
    fn a_name_that_is_no_text_arrives_as_it_is() {
        let odd = Path::new(OsStr::from_bytes(b"/tmp/\xff.csv")).to_owned();
        assert_eq!(read(&write(Path::new("/"), std::slice::from_ref(&odd))).unwrap(), [odd]);
    }

    #[test]
    fn what_is_cut_off_or_none_of_ours_is_no_message() {
        let whole = write(Path::new("/home"), &files(&["bill.csv"]));
        assert!(read(&whole).is_some());
        for cut in 0..whole.len() {
            assert_eq!(read(&whole[..cut]), None, "{cut}");
        }
        assert_eq!(read(b"GET / HTTP/1.1\r\n\r\n\0/\0\0"), None);
        // Without a folder to start from, a name leads nowhere.
        assert_eq!(read(&write(Path::new(""), &files(&["bill.csv"]))), None);
        assert_eq!(read(&write(Path::new("/home"), &files(&[""]))), None);
    }
}
