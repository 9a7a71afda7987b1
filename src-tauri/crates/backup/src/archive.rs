//! Writes the archive from files on disk, and reads it with every byte verified.

use crate::manifest::{FORMAT, Item, Manifest, NAME};
use crate::seal::{DecryptingReader, EncryptingWriter, MAGIC, WrongPassphrase};
use crate::{BackupError, Passphrase, private};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

/// Upper limit on the manifest's size in bytes; this program never writes larger ones.
const LONGEST_MANIFEST: u64 = 16 * 1024 * 1024;

/// SHA-256 in hexadecimal, and the length in bytes.
pub(crate) fn hash(mut bytes: impl Read) -> io::Result<(String, u64)> {
    let mut hash = Sha256::new();
    let bytes = io::copy(&mut bytes, &mut hash)?;
    Ok((hexadecimal(&hash.finalize()), bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the files of `manifest`, found under `root`, and syncs the archive to disk.
pub(crate) fn write(
    path: &Path,
    root: &Path,
    manifest: &Manifest,
    passphrase: Option<(&Passphrase, [u8; 16])>,
) -> Result<(), BackupError> {
    let file = private::create_file(path).map_err(BackupError::file(path, "created"))?;
    let written = (|| {
        let out = BufWriter::with_capacity(256 * 1024, file);
        let out = match passphrase {
            None => entries(out, root, manifest)?,
            Some((passphrase, salt)) => {
                entries(EncryptingWriter::new(out, passphrase, salt)?, root, manifest)?.finish()?
            }
        };
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    })();
    written.map_err(BackupError::file(path, "written"))
}

fn entries<W: Write>(out: W, root: &Path, manifest: &Manifest) -> io::Result<W> {
    let mut archive = tar::Builder::new(GzEncoder::new(out, Compression::fast()));
    let text = serde_json::to_vec_pretty(manifest)?;
    let seconds = u64::try_from(manifest.taken_at / 1_000_000).unwrap_or_default();
    archive.append_data(&mut header(text.len() as u64, seconds), NAME, text.as_slice())?;
    for item in &manifest.files {
        let file = File::open(root.join(&item.path))?;
        archive.append_data(&mut header(item.bytes, seconds), &item.path, file.take(item.bytes))?;
    }
    archive.into_inner()?.finish()
}

fn header(bytes: u64, seconds: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(seconds);
    header
}

/// Whether the archive is encrypted with a passphrase, judged by its first bytes.
pub(crate) fn is_encrypted(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning == MAGIC)
}

/// Reads the manifest of a backup, from the start of the archive only.
pub fn inspect(path: &Path, passphrase: Option<&Passphrase>) -> Result<Manifest, BackupError> {
    let mut archive = open(path, passphrase)?;
    let mut entries = archive.entries().map_err(unreadable(path))?;
    manifest(path, &mut entries)
}

/// Unpacks the archive into a folder, compares every length and hash, and syncs all files to disk.
pub(crate) fn unpack(
    path: &Path,
    passphrase: Option<&Passphrase>,
    into: &Path,
) -> Result<Manifest, BackupError> {
    let mut archive = open(path, passphrase)?;
    let mut entries = archive.entries().map_err(unreadable(path))?;
    let manifest = manifest(path, &mut entries)?;
    let damaged = |why: String| BackupError::Damaged { path: path.to_owned(), why };
    for item in &manifest.files {
        let mut entry = entries
            .next()
            .ok_or_else(|| damaged(format!("{} is missing", item.path)))?
            .map_err(unreadable(path))?;
        if entry.path_bytes() != item.path.as_bytes() || !entry.header().entry_type().is_file() {
            return Err(damaged(format!("something else stands where {} should", item.path)));
        }
        let target = into.join(
            inside(&item.path)
                .ok_or_else(|| damaged(format!("{} is no place in a data directory", item.path)))?,
        );
        if let Some(folder) = target.parent() {
            private::create_folder(folder).map_err(BackupError::file(folder, "created"))?;
        }
        let (sha256, bytes) = store_entry(path, &mut entry, &target)?;
        if (sha256.as_str(), bytes) != (item.sha256.as_str(), item.bytes) {
            return Err(damaged(format!("{} holds other bytes than were put into it", item.path)));
        }
    }
    match entries.next() {
        None => {}
        Some(Ok(_)) => return Err(damaged("it holds more than it says".to_owned())),
        Some(Err(fault)) => return Err(unreadable(path)(fault)),
    }
    // A tar archive ends before its file does; truncation after that point is only detected by reading to the end.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(unreadable(path))?;
    Ok(manifest)
}

/// Writes one entry to a file. Read failures are reported as errors of the archive, write failures as errors of the disk.
fn store_entry(archive: &Path, entry: &mut impl Read, target: &Path) -> Result<(String, u64), BackupError> {
    let mut file = private::create_file(target).map_err(BackupError::file(target, "created"))?;
    let (mut hash, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; 256 * 1024]);
    loop {
        let read = entry.read(&mut piece).map_err(unreadable(archive))?;
        if read == 0 {
            break;
        }
        hash.update(&piece[..read]);
        file.write_all(&piece[..read]).map_err(BackupError::file(target, "written"))?;
        bytes += read as u64;
    }
    file.sync_all().map_err(BackupError::file(target, "written"))?;
    Ok((hexadecimal(&hash.finalize()), bytes))
}

type Entries<'a> = tar::Entries<'a, Box<dyn Read>>;

fn open(path: &Path, passphrase: Option<&Passphrase>) -> Result<tar::Archive<Box<dyn Read>>, BackupError> {
    let closed = is_encrypted(path).map_err(BackupError::file(path, "read"))?;
    let file =
        BufReader::with_capacity(256 * 1024, File::open(path).map_err(BackupError::file(path, "read"))?);
    let plain: Box<dyn Read> = match (closed, passphrase) {
        (false, _) => Box::new(file),
        (true, None) => return Err(BackupError::NeedsPassphrase { path: path.to_owned() }),
        (true, Some(passphrase)) => {
            Box::new(DecryptingReader::new(file, passphrase).map_err(unreadable(path))?)
        }
    };
    Ok(tar::Archive::new(Box::new(GzDecoder::new(plain))))
}

/// Reads the first entry, which must be the manifest.
fn manifest(path: &Path, entries: &mut Entries<'_>) -> Result<Manifest, BackupError> {
    let not_one = |why: String| BackupError::NotABackup { path: path.to_owned(), why };
    let entry = match entries.next() {
        Some(Ok(entry)) if entry.path_bytes().as_ref() == NAME.as_bytes() => entry,
        Some(Ok(_)) => return Err(not_one(format!("expected an archive that begins with {NAME}"))),
        Some(Err(fault)) if fault.kind() == io::ErrorKind::PermissionDenied => {
            return Err(unreadable(path)(fault));
        }
        Some(Err(fault)) => {
            return Err(not_one(format!("expected a tar archive compressed with gzip ({fault})")));
        }
        None => return Err(not_one("the archive is empty".to_owned())),
    };
    let mut text = Vec::new();
    entry.take(LONGEST_MANIFEST).read_to_end(&mut text).map_err(unreadable(path))?;
    let value: serde_json::Value = serde_json::from_slice(&text)
        .map_err(|fault| not_one(format!("its {NAME} cannot be read: {fault}")))?;
    let found = value["format"].as_u64().and_then(|format| u32::try_from(format).ok()).unwrap_or_default();
    if found > FORMAT {
        return Err(BackupError::Newer { path: path.to_owned(), found, known: FORMAT });
    }
    serde_json::from_value(value).map_err(|fault| not_one(format!("its {NAME} is another one: {fault}")))
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> BackupError {
    move |fault| {
        if fault.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<WrongPassphrase>) {
            return BackupError::WrongPassphrase { path: path.to_owned() };
        }
        match fault.kind() {
            io::ErrorKind::UnexpectedEof => {
                BackupError::Damaged { path: path.to_owned(), why: "it ends too early".to_owned() }
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
                BackupError::Damaged { path: path.to_owned(), why: fault.to_string() }
            }
            _ => BackupError::File { path: path.to_owned(), what: "read", cause: fault },
        }
    }
}

/// The path; `None` if it leads outside the folder it is unpacked into.
fn inside(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let stays = path.components().all(|part| matches!(part, Component::Normal(_)));
    (stays && path.components().next().is_some()).then(|| path.to_owned())
}

/// The manifest entry for one file under `root`.
pub(crate) fn item(root: &Path, path: String) -> Result<Item, BackupError> {
    let place = root.join(&path);
    let (sha256, bytes) = File::open(&place).and_then(hash).map_err(BackupError::file(&place, "read"))?;
    Ok(Item { path, bytes, sha256 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn backup_of(text: &str, passphrase: Option<&Passphrase>) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("incoming")).unwrap();
        std::fs::write(root.join("one.txt"), text).unwrap();
        std::fs::write(root.join("incoming/two.txt"), "two").unwrap();
        let files =
            ["one.txt", "incoming/two.txt"].map(|path| item(&root, path.to_owned()).unwrap()).to_vec();
        let manifest = Manifest {
            format: FORMAT,
            version: "0.1.0".to_owned(),
            taken_at: 1,
            rows: BTreeMap::new(),
            files,
            left_out: Vec::new(),
        };
        let path = folder.path().join("backup.tar.gz");
        write(&path, &root, &manifest, passphrase.map(|passphrase| (passphrase, [3; 16]))).unwrap();
        (folder, path)
    }

    #[test]
    fn every_file_comes_back_as_it_was() {
        let passphrase = Passphrase::for_decryption("a long passphrase".to_owned());
        for passphrase in [None, Some(&passphrase)] {
            let (folder, path) = backup_of("one", passphrase);
            assert_eq!(inspect(&path, passphrase).unwrap().files.len(), 2);
            let into = folder.path().join("into");
            std::fs::create_dir(&into).unwrap();
            unpack(&path, passphrase, &into).unwrap();
            assert_eq!(std::fs::read_to_string(into.join("one.txt")).unwrap(), "one");
            assert_eq!(std::fs::read_to_string(into.join("incoming/two.txt")).unwrap(), "two");
        }
    }

    #[test]
    fn an_open_one_is_a_tar_archive_that_other_programs_read() {
        let (folder, path) = backup_of("one", None);
        let listed = std::process::Command::new("tar").arg("-tzf").arg(&path).output().unwrap();
        assert_eq!(String::from_utf8(listed.stdout).unwrap(), "manifest.json\none.txt\nincoming/two.txt\n");
        drop(folder);
    }

    #[test]
    fn a_byte_changed_or_cut_anywhere_is_noticed() {
        let text: String =
            (0..3000).map(|number: u32| format!("{} ", number.wrapping_mul(2_654_435_761))).collect();
        let (folder, path) = backup_of(&text, None);
        let sound = std::fs::read(&path).unwrap();
        let into = folder.path().join("into");
        let tried = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let _ = std::fs::remove_dir_all(&into);
            std::fs::create_dir(&into).unwrap();
            unpack(&path, None, &into)
        };
        tried(&sound).unwrap();
        // The first ten bytes are the gzip header, where time and operating system do not affect the content.
        for at in (10..sound.len()).step_by(37) {
            let mut changed = sound.clone();
            changed[at] ^= 0x10;
            // Some bits of a compressed file have no meaning, such as the padding of the last byte.
            assert!(
                tried(&changed).is_err() || std::fs::read_to_string(into.join("one.txt")).unwrap() == text,
                "byte {at}"
            );
        }
        for length in (0..sound.len()).step_by(101).chain([sound.len() - 1]) {
            assert!(tried(&sound[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_closed_one_asks_for_its_passphrase_and_says_when_it_is_another() {
        let passphrase = Passphrase::for_decryption("a long passphrase".to_owned());
        let (_folder, path) = backup_of("one", Some(&passphrase));
        assert!(matches!(inspect(&path, None), Err(BackupError::NeedsPassphrase { .. })));
        let other = Passphrase::for_decryption("another passphrase".to_owned());
        assert!(matches!(inspect(&path, Some(&other)), Err(BackupError::WrongPassphrase { .. })));
    }

    #[test]
    fn another_file_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bill.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        let fault = inspect(&path, None).unwrap_err().to_string();
        assert!(fault.contains("is no backup of Quarterdeck"), "{fault}");
    }

    #[test]
    fn no_entry_leaves_the_folder() {
        assert_eq!(inside("../x"), None);
        assert_eq!(inside("/etc/passwd"), None);
        assert_eq!(inside(""), None);
        assert_eq!(inside("a/../b"), None);
        assert_eq!(inside("incoming/x"), Some(PathBuf::from("incoming/x")));
    }
}
