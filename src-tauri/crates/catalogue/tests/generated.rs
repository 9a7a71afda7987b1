//! `schema/generated/reference.md` is what the catalogue says now. `UPDATE=1 cargo test -p catalogue` rewrites it.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod support;

#[test]
fn the_reference_page_is_up_to_date() {
    let path = support::schema_dir().join("generated/reference.md");
    let page = catalogue::reference(&support::catalogue());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = written.lines().zip(page.lines()).position(|(old, new)| old != new);
    let line = differing.unwrap_or_else(|| written.lines().count().min(page.lines().count())) + 1;
    assert!(
        written == page,
        "schema/generated/reference.md:{line} is not what the catalogue says: run UPDATE=1 cargo test -p catalogue and read the change"
    );
}
