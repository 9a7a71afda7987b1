//! The user's folders in which the window and its web view store data.

use std::io;
use std::path::Path;

use tauri::{AppHandle, Manager};

/// Makes the folders accessible to this user only. The web view stores cookies in them, and a session cookie grants access, therefore other users
/// of this computer must not read them. The web view does not ensure that itself.
pub fn close(app: &AppHandle) {
    let known = app.path();
    let folders =
        [known.app_data_dir(), known.app_local_data_dir(), known.app_config_dir(), known.app_cache_dir()];
    for folder in folders.into_iter().flatten() {
        if let Err(error) = keep_others_out(&folder) {
            tracing::warn!(%error, folder = %folder.display(), "others on this computer may read what pages keep");
        }
    }
}

#[cfg(unix)]
fn keep_others_out(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

/// On other systems, folders of a user are private.
#[cfg(not(unix))]
fn keep_others_out(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_folder_that_others_could_read_is_closed_to_them() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("share/io.quarterdeck.desktop");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        super::keep_others_out(&folder).unwrap();
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
}
