//! Unusual entries of a data directory: backups in odd places, and entries that cannot be backed up.

use super::*;

#[test]
fn a_folder_of_backups_that_is_no_longer_used_is_in_no_backup_and_stays() {
    let mut place = Place::new();
    let former = place.data_dir().join("backups");
    std::fs::create_dir(&former).unwrap();
    std::fs::write(former.join("old.tar.gz"), "old").unwrap();
    let elsewhere = place.folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    place.backups = Some(elsewhere);
    let kept = place.take(&place.store(), None).unwrap();
    assert_eq!(paths(&place.file(&kept)), [DATABASE]);
    // Earlier versions of the program included this folder in the archive.
    let archive = place.made_with(&place.store(), "backups/older.tar.gz", "older");
    place.stage(&archive, None).unwrap();
    place.finish().unwrap();
    assert_eq!(std::fs::read_to_string(former.join("old.tar.gz")).unwrap(), "old");
}

#[cfg(unix)]
#[test]
fn backups_stay_and_are_in_no_backup_by_whatever_way_they_are_reached() {
    let mut place = Place::new();
    let nested = place.data_dir().join("kept/backups");
    std::fs::create_dir_all(&nested).unwrap();
    let link = place.folder.path().join("link");
    std::os::unix::fs::symlink(place.data_dir(), &link).unwrap();
    for way in [nested.clone(), link.join("kept/backups"), place.data_dir().join("kept/../kept/backups")] {
        place.backups = Some(way);
        let kept = place.take(&place.store(), None).unwrap();
        assert_eq!(paths(&place.file(&kept)), [DATABASE]);
        place.stage(&place.file(&kept), None).unwrap();
        let replaced = place.finish().unwrap();
        assert!(nested.is_dir() && !replaced.previous_files.join("kept").exists());
    }
}

/// A user with root rights can read everything, therefore the permission check is skipped for them.
#[cfg(unix)]
#[test]
fn what_no_backup_can_hold_is_named_and_a_restore_leaves_it_where_it_is() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let data = place.data_dir();
    let (link, locked) = (data.join("a link"), data.join("locked"));
    let odd = data.join(std::ffi::OsStr::from_bytes(b"odd \xff"));
    std::os::unix::fs::symlink("elsewhere", &link).unwrap();
    std::fs::write(&odd, "odd").unwrap();
    std::fs::create_dir(&locked).unwrap();
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o0)).unwrap();
    let is_locked = std::fs::read_dir(&locked).is_err();
    std::fs::create_dir(data.join("lost+found")).unwrap();

    let kept = place.take(&place.store(), None).unwrap();
    let left_out: Vec<&str> = kept.facts.left_out.iter().map(|left| left.path.as_str()).collect();
    let all = ["a link", "locked", "odd \u{fffd}"];
    let expected: Vec<&str> = all.into_iter().filter(|name| is_locked || *name != "locked").collect();
    assert_eq!(left_out, expected);
    assert_eq!(inspect(&place.file(&kept), None).unwrap().left_out, kept.facts.left_out);
    assert!(kept.is_verified(), "{kept:?}");

    place.stage(&place.file(&kept), None).unwrap();
    let replaced = place.finish().unwrap();
    assert!(odd.exists() && link.symlink_metadata().is_ok(), "{replaced:?}");
    assert!(data.join("lost+found").is_dir() && locked.is_dir() == is_locked, "{replaced:?}");
    assert_eq!(replaced.left, Vec::<PathBuf>::new());
    if is_locked {
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_backup_without_something_that_a_restore_takes_away_is_not_taken_for_the_same() {
    let place = Place::new();
    let bills = place.data_dir().join("incoming");
    std::fs::create_dir(&bills).unwrap();
    std::os::unix::fs::symlink("elsewhere", bills.join("a link")).unwrap();
    let kept = place.take(&place.store(), None).unwrap();
    place.stage_after(Some(&kept), &place.file(&kept), None).unwrap();
    place.finish().unwrap();
    assert_eq!(replaced::list(&place.data_dir(), &place.backups()).unwrap()[0].backup, None);
}

#[test]
fn a_copy_of_the_database_from_before_a_migration_is_in_no_backup_and_stays() {
    let place = Place::new();
    let copy = place.data_dir().join(format!("{DATABASE}.before-schema-4"));
    std::fs::write(&copy, "before").unwrap();
    let backup = place.take(&place.store(), None).unwrap();
    assert_eq!(paths(&place.file(&backup)), [DATABASE]);
    place.stage(&place.file(&backup), None).unwrap();
    let outcome = place.finish().unwrap();
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), "before");
    assert!(outcome.previous_files.join(DATABASE).exists(), "{outcome:?}");
}

fn paths(archive: &Path) -> Vec<String> {
    inspect(archive, None).unwrap().files.into_iter().map(|item| item.path).collect()
}
