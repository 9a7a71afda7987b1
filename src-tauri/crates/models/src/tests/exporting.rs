//! Tests of exports for remote users.

use super::registry::Registry;
use super::{Desk, content, name, sha256};
use crate::installed::Trust;
use crate::library::LibraryError;
use std::path::Path;
use std::sync::atomic::Ordering;

const NOW: i64 = 1_795_156_680_000_000;

/// A data directory with the model svc-slm, and its bytes.
fn desk() -> (Registry, Desk, Vec<u8>) {
    let registry = Registry::of(content(1, 10));
    let desk = Desk::new(&registry);
    let bytes = [b"GGUF".to_vec(), content(40, 69_996)].concat();
    let path = desk.folder().join("source");
    std::fs::write(&path, &bytes).unwrap();
    desk.library().import(&path, &name("svc-slm"), None, NOW, &mut |_| ()).unwrap();
    (registry, desk, bytes)
}

/// Names of the files in a folder, except the lock.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != ".lock");
    names.sort();
    names
}

#[test]
fn a_model_is_written_once_with_the_line_that_vouches_for_it() {
    let (_registry, desk, bytes) = desk();
    let export = |file| desk.downloads.export_named(&name("svc-slm"), file).unwrap();
    let folder = desk.library().export_folder();
    let first = export(None);
    assert!(first.path.is_absolute() && first.is_new);
    assert_eq!(std::fs::read(&first.path).unwrap(), bytes);
    let line = format!("{}  svc-slm\n", sha256(&bytes));
    assert_eq!(std::fs::read_to_string(folder.join("svc-slm.sha256")).unwrap(), line);
    assert!(!export(None).is_new, "it is there already");
    std::fs::remove_file(folder.join("svc-slm.sha256")).unwrap();
    assert!(export(None).is_new, "the line was not there any more");

    let other = export(Some("stick.gguf"));
    assert_eq!(
        files(&folder),
        ["stick.gguf", "stick.gguf.sha256", "svc-slm", "svc-slm.sha256"],
        "nothing half is left"
    );
    let model = desk.library().import(&other.path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    assert_eq!(model.trust, Trust::File);
}

/// The user who gives the name may be remote.
#[test]
fn nothing_of_the_machine_is_replaced_or_named_beside_the_folder() {
    let (_registry, desk, bytes) = desk();
    let folder = desk.library().export_folder();
    let refused =
        |file: &str| desk.downloads.export_named(&name("svc-slm"), Some(file)).unwrap_err().to_string();
    for file in
        ["../svc-slm", "/etc/passwd", "a/b", "a\\b", "C:a", "..", "", ".hidden", "a\nb", "a.sha256", "a.part"]
    {
        assert!(refused(file).contains("is no name of a file"), "{file}");
    }
    assert!(!folder.exists());

    std::fs::create_dir_all(folder.join("deeper")).unwrap();
    std::fs::write(folder.join("longer"), content(41, 70_001)).unwrap();
    std::fs::write(folder.join("equally-long"), content(42, 70_000)).unwrap();
    std::fs::write(folder.join("line-taken.sha256"), format!("{}  x\n", sha256(b"other"))).unwrap();
    let mut names = vec!["deeper", "longer", "equally-long", "line-taken"];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(desk.folder().join("target"), folder.join("link")).unwrap();
        names.push("link");
    }
    let before = files(&folder);
    for file in names {
        let refused = refused(file);
        assert!(refused.contains("already: take it away or choose another name"), "{file}: {refused}");
    }
    assert_eq!(files(&folder), before);
    assert_eq!(std::fs::read(folder.join("equally-long")).unwrap(), content(42, 70_000));
    assert!(!desk.folder().join("target").exists());
    assert_eq!(desk.bytes("svc-slm").unwrap(), bytes);
}

#[test]
fn an_export_leaves_the_room_a_download_leaves() {
    let (_registry, desk, _) = desk();
    let export = || desk.downloads.export_named(&name("svc-slm"), None);
    desk.stage.free.store(73_499, Ordering::Relaxed);
    let refused = export().unwrap_err();
    assert!(refused.to_string().starts_with("The export needs"), "{refused}");
    assert_eq!(files(&desk.library().export_folder()), [""; 0]);
    desk.stage.free.store(73_500, Ordering::Relaxed);
    export().unwrap();
    desk.stage.free.store(0, Ordering::Relaxed);
    assert!(!export().unwrap().is_new, "what is there needs no room");
}

#[test]
fn a_file_that_changed_on_disk_is_not_given_out() {
    let (_registry, desk, _) = desk();
    let library = desk.library();
    let model = library.find(&name("svc-slm")).unwrap();
    std::fs::write(library.path(&model), content(43, 70_000)).unwrap();
    let refused = desk.downloads.export_named(&name("svc-slm"), None).unwrap_err();
    assert!(matches!(refused, LibraryError::Changed { .. }), "{refused}");
    let stick = tempfile::tempdir().unwrap();
    let refused = library.export(&name("svc-slm"), None, stick.path(), &mut |_| ()).unwrap_err();
    assert!(matches!(refused, LibraryError::Changed { .. }), "{refused}");
    assert_eq!((files(&library.export_folder()), files(stick.path())), (vec![], vec![]));
    let refused = desk.downloads.export_named(&name("svc-llm"), None).unwrap_err();
    assert!(matches!(refused, LibraryError::NotFound { .. }), "{refused}");
}

#[test]
fn one_export_runs_at_a_time_and_what_a_kill_left_of_one_goes() {
    let (_registry, desk, bytes) = desk();
    let library = desk.library();
    let folder = library.export_folder();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(".part"), &bytes[..50]).unwrap();
    std::fs::write(folder.join(".sha256.part"), b"c9").unwrap();
    let lock = std::fs::File::create(folder.join(".lock")).unwrap();
    lock.lock().unwrap();
    let refused = desk.downloads.export_named(&name("svc-slm"), None).unwrap_err();
    assert!(matches!(refused, LibraryError::Exporting), "{refused}");
    assert_eq!(
        (library.sweep(NOW).unwrap(), files(&folder).len()),
        (0, 2),
        "they belong to the one that runs"
    );
    drop(lock);
    assert_eq!((library.sweep(NOW).unwrap(), files(&folder).len()), (52, 0));
    std::fs::write(folder.join(".part"), &bytes[..50]).unwrap();
    let export = desk.downloads.export_named(&name("svc-slm"), None).unwrap();
    assert_eq!(std::fs::read(export.path).unwrap(), bytes);
    assert_eq!(files(&folder), ["svc-slm", "svc-slm.sha256"]);
}

#[test]
fn whoever_has_the_machine_names_the_folder_and_replaces_nothing_in_it_either() {
    let (_registry, desk, bytes) = desk();
    let stick = tempfile::tempdir().unwrap();
    let export = |file| desk.library().export(&name("svc-slm"), file, stick.path(), &mut |_| ());
    std::fs::write(stick.path().join("svc-slm"), b"of somebody").unwrap();
    let refused = export(None).unwrap_err().to_string();
    let place = stick.path().display();
    assert_eq!(
        refused,
        format!("another file \"svc-slm\" is in {place} already: take it away or choose another name")
    );
    assert_eq!(files(stick.path()), ["svc-slm"]);
    assert_eq!(std::fs::read(stick.path().join("svc-slm")).unwrap(), b"of somebody");
    std::fs::write(stick.path().join("b.sha256"), b"of somebody").unwrap();
    assert!(matches!(export(Some("b")).unwrap_err(), LibraryError::Occupied { .. }));
    assert!(matches!(export(Some("../c")).unwrap_err(), LibraryError::NotAFileName { .. }));

    let written = export(Some("c.gguf")).unwrap();
    assert!(written.is_new && std::fs::read(&written.path).unwrap() == bytes);
    let mut read = 0;
    let again = desk.library().export(&name("svc-slm"), Some("c.gguf"), stick.path(), &mut |now| read = now);
    assert_eq!((again.unwrap().is_new, read), (false, 70_000), "it is hashed, and left");
    assert_eq!(files(stick.path()), ["b.sha256", "c.gguf", "c.gguf.sha256", "svc-slm"]);
}
