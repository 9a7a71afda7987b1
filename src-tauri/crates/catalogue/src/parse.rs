//! Reads the files of `schema/` into a [`Catalogue`].

use crate::{Catalogue, CatalogueError};

/// One file of `schema/`: `name` is its path below that folder (`tables/cost.graphql`, `views/x.sql`).
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl Catalogue {
    /// Reads and checks all files. Files other than `tables/*.graphql`, `operations/*.graphql` and `views/*.sql` are ignored.
    pub fn parse(_sources: &[Source<'_>]) -> Result<Self, CatalogueError> {
        unimplemented!()
    }
}
