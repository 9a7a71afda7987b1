//! A replacement that is interrupted or blocked: the next start finishes it, or everything is as before.

use super::*;
use crate::layout::Layout;
use crate::swap::finish_by;
use std::io;

/// Collects everything in the data directory except backups, as names and contents.
fn state(folder: &Path, into: &mut Vec<(PathBuf, Vec<u8>)>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries.into_iter().filter(|path| !path.ends_with("backups") && !path.ends_with("replaced")) {
        if path.is_dir() {
            state(&path, into);
        } else {
            into.push((path.clone(), std::fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn a_kill_at_any_step_of_the_exchange_is_finished_by_the_next_start() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    std::fs::write(place.data_dir().join("settings.toml"), "then").unwrap();
    let kept = place.take(&store, None).unwrap();
    drop(store);
    let path = place.file(&kept);
    std::fs::write(place.data_dir().join("settings.toml"), "now").unwrap();
    place.stage(&path, None).unwrap();
    let (data, stage) = (place.data_dir(), place.data_dir().join("restore"));
    let (old, new) = (stage.join("old"), stage.join("new"));
    // Performs the replacement by hand up to each of its moves; the next start does the rest.
    let moves: [&dyn Fn(); 6] = [
        &|| std::fs::create_dir(&old).unwrap(),
        &|| std::fs::rename(data.join("settings.toml"), old.join("settings.toml")).unwrap(),
        &|| std::fs::rename(data.join(DATABASE), old.join(DATABASE)).unwrap(),
        &|| std::fs::write(stage.join("step"), "in").unwrap(),
        &|| std::fs::rename(new.join(DATABASE), data.join(DATABASE)).unwrap(),
        &|| std::fs::rename(new.join("settings.toml"), data.join("settings.toml")).unwrap(),
    ];
    let copy = |from: &Path, to: &Path| {
        assert!(std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
    };
    let untouched = place.folder.path().join("untouched");
    copy(&data, &untouched);
    let mut expected = Vec::new();
    for cut in 0..=moves.len() {
        std::fs::remove_dir_all(&data).unwrap();
        copy(&untouched, &data);
        moves[..cut].iter().for_each(|step| step());
        assert!(place.finish().is_some(), "{cut}");
        let mut found = Vec::new();
        state(&data, &mut found);
        if cut == 0 {
            expected.clone_from(&found);
        }
        assert!(found == expected, "{cut}");
        assert_eq!(std::fs::read_to_string(data.join("settings.toml")).unwrap(), "then", "{cut}");
        assert_eq!(names(&place.store()), 1);
    }
}

#[test]
fn what_came_into_the_place_of_something_while_the_exchange_was_cut_off_is_kept_aside() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    let bills = place.data_dir().join("incoming");
    std::fs::create_dir(&bills).unwrap();
    std::fs::write(bills.join("one"), "one").unwrap();
    let kept = place.take(&store, None).unwrap();
    drop(store);
    place.stage(&place.file(&kept), None).unwrap();
    let (data, stage) = (place.data_dir(), place.data_dir().join("restore"));
    std::fs::create_dir(stage.join("old")).unwrap();
    for name in ["incoming", DATABASE] {
        std::fs::rename(data.join(name), stage.join("old").join(name)).unwrap();
    }
    std::fs::write(stage.join("step"), "in").unwrap();
    // A command-line import that runs at the same time creates a database of its own and is interrupted too.
    set(&place.store(), "two");
    std::fs::write(data.join(format!("{DATABASE}-wal")), "log of another").unwrap();
    std::fs::create_dir(&bills).unwrap();
    std::fs::write(bills.join("two"), "two").unwrap();

    let aside = place.finish().unwrap().previous_files;
    assert_eq!(names(&place.store()), 1);
    assert_eq!(std::fs::read_to_string(bills.join("one")).unwrap(), "one");
    assert_eq!(std::fs::read_to_string(aside.join("incoming.2/two")).unwrap(), "two");
    assert!(aside.join(format!("{DATABASE}.2")).exists() && aside.join(format!("{DATABASE}-wal")).exists());
}

/// A rename that fails for one name: a folder of another user, or a mount point.
fn immovable(name: &'static str) -> impl Fn(&Path, &Path) -> io::Result<()> {
    move |from, to| {
        if from.ends_with(name) {
            Err(io::ErrorKind::PermissionDenied.into())
        } else {
            std::fs::rename(from, to)
        }
    }
}

#[test]
fn where_something_in_the_way_cannot_be_moved_everything_goes_back_and_the_restore_is_given_up() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    std::fs::write(place.data_dir().join("settings.toml"), "then").unwrap();
    let kept = place.take(&store, None).unwrap();
    set(&store, "two");
    drop(store);
    std::fs::write(place.data_dir().join("settings.toml"), "now").unwrap();
    place.stage(&place.file(&kept), None).unwrap();

    let (data_dir, backups) = (place.data_dir(), place.backups());
    let layout = Layout::of(&data_dir, DATABASE, backups.path());
    let fault = finish_by(&immovable("settings.toml"), &layout, Duration::ZERO).unwrap_err().to_string();
    assert!(fault.contains("settings.toml") && fault.contains("Everything is as it was"), "{fault}");
    assert_eq!(names(&place.store()), 2);
    assert_eq!(place.finish(), None, "the next start goes on with what is there");
}

#[test]
fn what_cannot_be_moved_and_is_in_nobodys_way_stays_and_is_told() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    let kept = place.take(&store, None).unwrap();
    drop(store);
    std::fs::create_dir(place.data_dir().join("theirs")).unwrap();
    place.stage(&place.file(&kept), None).unwrap();
    let (data_dir, backups) = (place.data_dir(), place.backups());
    let layout = Layout::of(&data_dir, DATABASE, backups.path());
    let replaced = finish_by(&immovable("theirs"), &layout, Duration::ZERO).unwrap().unwrap();
    assert_eq!(replaced.left, [data_dir.join("theirs")]);
    assert!(data_dir.join("theirs").is_dir());
}

#[test]
fn a_second_restore_takes_nothing_away_that_the_first_one_has_moved() {
    let place = Place::new();
    let store = place.store();
    set(&store, "one");
    let kept = place.take(&store, None).unwrap();
    drop(store);
    place.stage(&place.file(&kept), None).unwrap();
    let (data, old) = (place.data_dir(), place.data_dir().join("restore/old"));
    std::fs::create_dir(&old).unwrap();
    std::fs::rename(data.join(DATABASE), old.join(DATABASE)).unwrap();
    let fault = place.stage(&place.file(&kept), None).unwrap_err().to_string();
    assert!(fault.contains("begun and cut off"), "{fault}");
    assert!(old.join(DATABASE).exists());
}
