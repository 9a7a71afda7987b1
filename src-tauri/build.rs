//! Prepares the window's build; the plain build needs nothing.

fn main() {
    #[cfg(feature = "desktop")]
    tauri_build::try_build(
        tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/**/*"),
    )
    .expect("tauri.conf.json and src-tauri/capabilities must be valid");
}
