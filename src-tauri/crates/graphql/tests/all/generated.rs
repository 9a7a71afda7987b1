//! `schema/generated/` is derived from `schema/`: `UPDATE=1 cargo test` rewrites it; without it, an outdated file fails the test.

use crate::project::root;
use testkit::product::catalogue;

fn check(name: &str, text: &str) {
    let path = root().join("schema/generated").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "schema/generated/{name} is stale: run UPDATE=1 cargo test -p graphql");
}

#[test]
fn the_schema_of_the_interface_is_current() {
    check("schema.graphql", &graphql::sdl(&catalogue()).unwrap());
}

#[test]
fn the_statements_of_the_database_are_current() {
    let statements = store::ddl::sqlite(&catalogue());
    check("sqlite.sql", &format!("{};\n", statements.join(";\n\n")));
}
