//! The message from a second start to the process that owns the window: activation token, current folder, and files.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use crate::arguments::StartArguments;

/// First field of a message, with a version: programs of different versions may communicate.
const GREETING: &[u8] = b"quarterdeck, another start, 2";

/// Maximum size of a message, bytes; larger than any command line.
pub const LONGEST: usize = 4 << 20;

/// Reply if the window has accepted the message.
pub const TAKEN: &[u8] = b"taken\n";

/// The message of a start. Fields end with a zero byte, which neither paths nor environment variables contain.
pub fn write(given: &StartArguments) -> Vec<u8> {
    let token = OsStr::new(given.token.as_deref().unwrap_or_default());
    let files = given.files.iter().map(|file| file.as_os_str());
    let words = [OsStr::from_bytes(GREETING), token, given.folder.as_os_str()].into_iter().chain(files);
    // An empty field marks the end, because no path is empty. A truncated message lacks it.
    words.chain([OsStr::new("")]).flat_map(|word| word.as_bytes().iter().copied().chain([0])).collect()
}

/// Parses a message, with the files as absolute paths. `None` if it is invalid.
pub fn read(message: &[u8]) -> Option<StartArguments> {
    let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
    let mut words = message.strip_suffix(&[0, 0])?.split(|byte| *byte == 0);
    if words.next() != Some(GREETING) {
        return None;
    }
    let token = String::from_utf8(words.next()?.to_vec()).ok()?;
    let token = Some(token).filter(|token| !token.is_empty());
    let folder = path(words.next()?);
    let files: Vec<PathBuf> =
        words.map(|word| (!word.is_empty()).then(|| folder.join(path(word)))).collect::<Option<_>>()?;
    files.iter().all(|file| file.is_absolute()).then_some(StartArguments { folder, files, token })
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use crate::arguments::StartArguments;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::PathBuf;

    fn given(folder: &str, files: &[&str]) -> StartArguments {
        StartArguments {
            folder: folder.into(),
            files: files.iter().map(PathBuf::from).collect(),
            token: None,
        }
    }

    #[test]
    fn files_of_another_start_are_found_from_where_it_was_made() {
        let message = write(&given("/home/ada", &["bill.csv", "/tmp/other.csv.gz", "a\nb"]));
        let expected = given("/home/ada", &["/home/ada/bill.csv", "/tmp/other.csv.gz", "/home/ada/a\nb"]);
        assert_eq!(read(&message).unwrap(), expected);
        assert_eq!(read(&write(&given("/home/ada", &[]))).unwrap(), given("/home/ada", &[]));
    }

    #[test]
    fn what_lets_the_window_come_forward_arrives_with_the_files() {
        let brought =
            StartArguments { token: Some("kwin-7".to_owned()), ..given("/home/ada", &["/tmp/bill.csv"]) };
        assert_eq!(read(&write(&brought)).unwrap(), brought);
    }

    #[test]
    fn a_name_that_is_no_text_arrives_as_it_is() {
        let odd = PathBuf::from(OsStr::from_bytes(b"/tmp/\xff.csv"));
        let brought = StartArguments { files: vec![odd], ..given("/", &[]) };
        assert_eq!(read(&write(&brought)).unwrap(), brought);
    }

    #[test]
    fn what_is_cut_off_or_none_of_ours_is_no_message() {
        for token in [None, Some("kwin-7".to_owned())] {
            let whole = write(&StartArguments { token, ..given("/home", &["bill.csv"]) });
            assert!(read(&whole).is_some());
            for cut in 0..whole.len() {
                assert_eq!(read(&whole[..cut]), None, "{cut}");
            }
        }
        assert_eq!(read(b"GET / HTTP/1.1\r\n\r\n\0/\0\0"), None);
        // Without a folder, a relative name does not resolve.
        assert_eq!(read(&write(&given("", &["bill.csv"]))), None);
        assert_eq!(read(&write(&given("/home", &[""]))), None);
    }
}
