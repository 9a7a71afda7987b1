//! Tests of the storage of keys.

use super::kit::Kit;
use crate::vault::{FileState, Keeping, Vault, VaultError};
use uuid::Uuid;

const ID: Uuid = Uuid::from_u128(7);
const PASSPHRASE: &str = "a long enough one";

#[test]
fn a_file_of_keys_opens_with_its_passphrase_only() {
    let (folder, rng) = (tempfile::tempdir().unwrap(), &mut rand::rng());
    let vault = Vault::new(folder.path());
    assert_eq!(vault.file(), FileState::None);
    assert!(matches!(vault.unlock("short", rng), Err(VaultError::WeakPassphrase)));
    assert!(matches!(vault.put(ID, Keeping::File, "key-of-a-test", rng), Err(VaultError::Locked)));
    vault.unlock(PASSPHRASE, rng).unwrap();
    vault.put(ID, Keeping::File, "key-of-a-test", rng).unwrap();

    let again = Vault::new(folder.path());
    assert_eq!(again.file(), FileState::Locked);
    assert!(matches!(again.get(ID, Keeping::File), Err(VaultError::Locked)));
    assert!(matches!(again.unlock("a wrong one, as long", rng), Err(VaultError::WrongPassphrase)));
    again.unlock(PASSPHRASE, rng).unwrap();
    assert_eq!(again.get(ID, Keeping::File).unwrap().as_deref(), Some("key-of-a-test"));
    again.remove(ID, Keeping::File, rng).unwrap();
    assert_eq!(again.get(ID, Keeping::File).unwrap(), None);
}

#[test]
fn the_file_holds_nothing_readable_and_is_its_owners_alone() {
    let (kit, rng) = (Kit::new(), &mut rand::rng());
    kit.remotes.vault().unlock(PASSPHRASE, rng).unwrap();
    kit.remotes.vault().put(ID, Keeping::File, "key-of-a-test", rng).unwrap();
    let all = String::from_utf8_lossy(&kit.on_disk()).into_owned();
    assert!(all.contains("sealed") && !all.contains("key-of-a-test") && !all.contains(PASSPHRASE));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = kit.folder.path().join("instance-keys.sealed");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_changed_file_is_refused_in_words() {
    let (folder, rng) = (tempfile::tempdir().unwrap(), &mut rand::rng());
    let vault = Vault::new(folder.path());
    vault.unlock(PASSPHRASE, rng).unwrap();
    vault.put(ID, Keeping::File, "key-of-a-test", rng).unwrap();
    let path = folder.path().join("instance-keys.sealed");
    let text = std::fs::read_to_string(&path).unwrap();
    let sealed = text.split("\"sealed\":\"").nth(1).unwrap();
    let first = if sealed.starts_with('A') { "B" } else { "A" };
    let changed = text.replace(sealed, &format!("{first}{}", &sealed[1..]));
    std::fs::write(&path, changed).unwrap();
    assert!(matches!(Vault::new(folder.path()).unlock(PASSPHRASE, rng), Err(VaultError::WrongPassphrase)));
    std::fs::write(&path, "{").unwrap();
    assert!(matches!(Vault::new(folder.path()).unlock(PASSPHRASE, rng), Err(VaultError::Damaged { .. })));
}

#[test]
fn what_is_kept_for_this_run_is_gone_with_it() {
    let (folder, rng) = (tempfile::tempdir().unwrap(), &mut rand::rng());
    let vault = Vault::new(folder.path());
    vault.put(ID, Keeping::Run, "key-of-a-test", rng).unwrap();
    assert_eq!(vault.get(ID, Keeping::Run).unwrap().as_deref(), Some("key-of-a-test"));
    assert_eq!(Vault::new(folder.path()).get(ID, Keeping::Run).unwrap(), None);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
