//! Tests of installed models: imported, exported, verified, moved, removed.

use super::registry::{Registry, RegistryBehaviour};
use super::{Desk, content, name, sha256};
use crate::installed::{Trust, Verification};
use crate::library::LibraryError;
use crate::record::State;

const NOW: i64 = 1_795_156_680_000_000;

fn desk() -> (Registry, Desk) {
    let registry = Registry::of(content(1, 10));
    let desk = Desk::new(&registry);
    (registry, desk)
}

#[test]
fn a_file_is_taken_in_when_it_is_what_the_file_beside_it_says() {
    let (_registry, desk) = desk();
    let stick = tempfile::tempdir().unwrap();
    let path = stick.path().join("svc-slm.gguf");
    let bytes = [b"GGUF".to_vec(), content(20, 70_000)].concat();
    std::fs::write(&path, &bytes).unwrap();
    std::fs::write(stick.path().join("svc-slm.gguf.sha256"), format!("{}  svc-slm.gguf\n", sha256(&bytes)))
        .unwrap();
    let model = desk.library().import(&path, &name("svc-slm"), None, NOW, &mut |_| ()).unwrap();
    assert_eq!((model.trust, model.source.as_str()), (Trust::File, "import"));
    assert_eq!(desk.bytes("svc-slm").unwrap(), bytes);

    std::fs::write(&path, [b"GGUF".to_vec(), content(21, 70_000)].concat()).unwrap();
    let refused = desk.library().import(&path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap_err();
    assert!(matches!(refused, LibraryError::Mismatch { .. }), "{refused}");
    assert_eq!(desk.bytes("svc-llm"), None);
    assert_eq!(std::fs::read_dir(desk.library().folder().join("incoming")).unwrap().count(), 0);
}

/// The user who gives the name may be remote and could export what was imported.
#[cfg(unix)]
#[test]
fn from_elsewhere_only_files_can_be_taken_in_that_lie_in_the_folder_for_it() {
    let (_registry, desk) = desk();
    let library = desk.library();
    let laid = library.laid_folder();
    std::fs::create_dir_all(laid.join("deeper")).unwrap();
    std::fs::write(laid.join("svc-slm.gguf"), [b"GGUF".to_vec(), content(22, 5_000)].concat()).unwrap();
    std::fs::write(desk.folder().join("secret"), b"a key").unwrap();
    std::os::unix::fs::symlink(desk.folder().join("secret"), laid.join("link")).unwrap();
    let take = |file: &str| library.import_laid(file, &name("svc-slm"), None, NOW);
    for (file, words) in [
        ("link", "there is no file \"link\" in the folder `import`"),
        ("deeper", "there is no file"),
        ("absent", "there is no file"),
        ("../secret", "is no name of a file"),
        ("/etc/passwd", "is no name of a file"),
        ("..", "is no name of a file"),
        ("", "is no name of a file"),
    ] {
        let refused = take(file).unwrap_err().to_string();
        assert!(refused.contains(words), "{file}: {refused}");
    }
    assert_eq!(desk.bytes("svc-slm"), None);
    assert_eq!(take("svc-slm.gguf").unwrap().origin, "svc-slm.gguf");
    assert!(laid.join("svc-slm.gguf").exists(), "the file stays");
}

#[test]
fn what_was_given_out_is_taken_in_elsewhere_as_the_same_file() {
    let ((_one, here), (_other, there)) = (desk(), desk());
    let stick = tempfile::tempdir().unwrap();
    let path = stick.path().join("source");
    std::fs::write(&path, content(22, 80_000)).unwrap();
    here.library().import(&path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    let exported =
        here.library().export(&name("svc-llm"), None, &stick.path().join("out"), &mut |_| ()).unwrap();
    let model = there.library().import(&exported.path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    assert_eq!(model.trust, Trust::File);
    assert_eq!(there.bytes("svc-llm"), here.bytes("svc-llm"));
}

#[test]
fn equal_files_are_kept_once_and_go_with_the_last_name() {
    let (_registry, desk) = desk();
    let path = desk.folder().join("source");
    std::fs::write(&path, content(23, 60_000)).unwrap();
    for model in ["svc-llm", "svc-slm"] {
        desk.library().import(&path, &name(model), None, NOW, &mut |_| ()).unwrap();
    }
    let files = || {
        std::fs::read_dir(desk.library().folder())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().path().is_file())
            .count()
    };
    assert_eq!((files(), desk.library().used_bytes().unwrap()), (1, 60_000));
    desk.library().remove(&name("svc-llm")).unwrap();
    assert!(desk.bytes("svc-slm").is_some());
    desk.library().remove(&name("svc-slm")).unwrap();
    assert_eq!(files(), 0);
}

#[test]
fn a_model_that_is_here_under_another_name_is_not_fetched() {
    let bytes = content(24, 60_000);
    let registry = Registry::of(bytes.clone());
    registry.change_manners(|manners: &mut RegistryBehaviour| {
        manners.digest = Some(("X-Checksum-Sha256", sha256(&bytes)));
    });
    let desk = Desk::new(&registry);
    desk.pull("svc-llm");
    desk.pull("svc-slm");
    assert_eq!((registry.sent(), desk.bytes("svc-slm")), (60_000, Some(bytes)));
}

#[test]
fn verification_finds_a_file_that_changed_on_disk_and_puts_it_aside() {
    let (_registry, desk) = desk();
    let path = desk.folder().join("source");
    std::fs::write(&path, content(25, 60_000)).unwrap();
    let model = desk.library().import(&path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    assert!(matches!(
        desk.library().verify(&name("svc-llm"), None, NOW, &mut |_| ()).unwrap(),
        Verification::Sound(_)
    ));
    std::fs::write(desk.library().path(&model), content(26, 60_000)).unwrap();
    assert!(matches!(
        desk.library().verify(&name("svc-llm"), None, NOW, &mut |_| ()).unwrap(),
        Verification::Broken { .. }
    ));
    assert_eq!(desk.bytes("svc-llm"), None);
    let status = desk.downloads.status(&name("svc-llm")).unwrap().unwrap();
    assert_eq!(status.state, State::Quarantined);
}

#[test]
fn a_person_who_knows_the_hash_vouches_for_a_file_that_nobody_vouched_for() {
    let (_registry, desk) = desk();
    let path = desk.folder().join("source");
    let bytes = content(27, 60_000);
    std::fs::write(&path, &bytes).unwrap();
    desk.library().import(&path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    let verify = |hash: &str| desk.library().verify(&name("svc-llm"), Some(hash), NOW, &mut |_| ());
    assert!(matches!(verify(&sha256(b"other")), Err(LibraryError::Mismatch { .. })));
    assert!(matches!(verify("abc"), Err(LibraryError::NotAHash { .. })));
    let Ok(Verification::Sound(model)) = verify(&sha256(&bytes).to_uppercase()) else {
        panic!("the hash is right")
    };
    assert_eq!(model.trust, Trust::Person);
}

#[test]
fn the_folder_moves_with_everything_in_it_and_the_setting_with_it() {
    let (_registry, desk) = desk();
    let path = desk.folder().join("source");
    std::fs::write(&path, content(28, 60_000)).unwrap();
    desk.library().import(&path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    let (before, target) = (desk.bytes("svc-llm"), tempfile::tempdir().unwrap());
    desk.library().move_to(&target.path().join("models"), NOW).unwrap();
    assert_eq!(desk.library().folder(), target.path().join("models"));
    assert_eq!(desk.bytes("svc-llm"), before);
    assert!(
        std::fs::read_dir(desk.folder().join("models")).unwrap().all(|entry| entry.unwrap().path().is_dir())
    );
}

#[test]
fn what_was_arriving_is_swept_away_and_whole_files_are_put_aside() {
    let (_registry, desk) = desk();
    let path = desk.folder().join("source");
    std::fs::write(&path, content(29, 60_000)).unwrap();
    desk.library().import(&path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    let folder = desk.library().folder().to_owned();
    std::fs::write(folder.join(format!("sha256-{}", "0".repeat(64))), "orphan").unwrap();
    std::fs::write(folder.join("incoming/svc-x.import"), "orphan").unwrap();
    std::fs::write(folder.join("notes.txt"), "of a person").unwrap();
    assert_eq!(desk.library().sweep(NOW).unwrap(), 6);
    assert!(folder.join("unclaimed").join(format!("sha256-{}", "0".repeat(64))).exists());
    assert!(desk.bytes("svc-llm").is_some() && folder.join("notes.txt").exists());
}

#[test]
fn a_model_whose_file_is_gone_is_no_model_any_more_and_says_so() {
    let (_registry, desk) = desk();
    let path = desk.folder().join("source");
    std::fs::write(&path, content(30, 60_000)).unwrap();
    let model = desk.library().import(&path, &name("svc-llm"), None, NOW, &mut |_| ()).unwrap();
    std::fs::remove_file(desk.library().path(&model)).unwrap();
    desk.library().sweep(NOW).unwrap();
    assert!(desk.library().list().unwrap().is_empty());
    let status = desk.downloads.status(&name("svc-llm")).unwrap().unwrap();
    assert!(status.failure.unwrap().reason.contains("is not in"));
}

#[test]
fn what_is_no_model_is_not_taken_in() {
    let (_registry, desk) = desk();
    let stick = tempfile::tempdir().unwrap();
    for (file, bytes, words) in [
        ("page", b"<!DOCTYPE html><title>Sign in".as_slice(), "it is a web page"),
        ("a.gguf", b"PK\x03\x04", "does not begin with GGUF"),
        ("a.safetensors", b"GGUF\x03\0\0\0\0", "a length and a JSON object"),
    ] {
        let path = stick.path().join(file);
        std::fs::write(&path, bytes).unwrap();
        let refused = desk.library().import(&path, &name("svc-slm"), None, NOW, &mut |_| ()).unwrap_err();
        assert!(refused.to_string().contains(words), "{file}: {refused}");
        assert_eq!(desk.bytes("svc-slm"), None);
    }
    assert_eq!(std::fs::read_dir(desk.library().folder().join("incoming")).unwrap().count(), 0);
}

#[test]
fn a_web_page_that_a_registry_sends_becomes_no_model() {
    let page = [b"<html><body>Sign in first".to_vec(), content(40, 50_000)].concat();
    let registry = Registry::of(page);
    let desk = Desk::new(&registry);
    let status = desk.pull("svc-llm").unwrap();
    assert_eq!((status.state, status.kept_bytes), (State::Failed, 0));
    let failure = status.failure.unwrap().to_string();
    assert!(failure.contains("is no model: it is a web page"), "{failure}");
    assert_eq!(desk.bytes("svc-llm"), None);
}
