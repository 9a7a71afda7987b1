//! Parses the files of `schema/` into a [`Catalogue`].
//!
//! Four steps, each over all files before the next begins: [`files`] sorts the definitions, [`columns`] gives every table its columns,
//! [`links`], [`segments`], [`listings`] and [`operations`] resolve references between columns and tables, [`check`] checks the whole.
//! Every step continues after an error; one run therefore reports all errors.

mod aliases;
mod check;
mod columns;
mod directives;
mod drafts;
mod files;
mod links;
mod listings;
mod lists;
mod lookups;
mod migrations;
mod operations;
mod problems;
mod storage_directives;
#[cfg(test)]
mod tests;
mod trail;
mod values;
mod view_fields;

use crate::{Catalogue, CatalogueError};
use problems::Problems;

/// One file of `schema/`: `name` is its path below that folder (`tables/cost.graphql`, `views/x.sql`).
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl Catalogue {
    /// Parses and checks all files. Files other than `tables/*.graphql`, `operations/*.graphql`, `views/*.sql` and `migrations/*.sql` are
    /// ignored. Tables are ordered by file name, whatever the order of `sources`.
    ///
    /// # Errors
    ///
    /// All errors found, in file order.
    pub fn parse(sources: &[Source<'_>]) -> Result<Self, CatalogueError> {
        let mut sources = sources.to_vec();
        sources.sort_unstable_by_key(|source| source.name);
        let mut problems = Problems::default();
        let documents = files::read(&sources, &mut problems);
        let drafts = files::sort(&documents, &sources, &mut problems);
        let mut catalogue = columns::build(&drafts, &mut problems);
        links::resolve(&drafts, &mut catalogue, &mut problems);
        storage_directives::resolve(&drafts, &mut catalogue, &mut problems);
        listings::build(&drafts, &mut catalogue, &mut problems);
        operations::build(&drafts, &mut catalogue, &mut problems);
        trail::build(&drafts, &mut catalogue, &mut problems);
        view_fields::build(&drafts, &mut catalogue, &mut problems);
        catalogue.migrations = migrations::read(&sources, &mut problems);
        check::check(&drafts, &catalogue, &mut problems);
        problems.none_or(catalogue)
    }
}
