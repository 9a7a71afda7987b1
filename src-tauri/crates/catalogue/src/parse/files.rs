//! Sorts the definitions of all files: tables, views, lookups, enums, row types and root fields.

use super::Source;
use super::directives;
use super::drafts::{DraftKind, Drafts, EnumDraft, Field, OperationDraft, RowDraft, TableDraft, TypeDraft};
use super::problems::{Problems, SourceLine};
use crate::Root;
use async_graphql_parser::types::{
    EnumValueDefinition, FieldDefinition, ServiceDocument, TypeDefinition, TypeKind, TypeSystemDefinition,
};
use async_graphql_parser::{Positioned, parse_schema};

/// One parsed file.
pub(super) struct Document<'a> {
    file: &'a str,
    content: ServiceDocument,
}

/// Parses the GraphQL files. A file that is not valid GraphQL is reported and skipped.
pub(super) fn read<'a>(sources: &[Source<'a>], problems: &mut Problems) -> Vec<Document<'a>> {
    let mut documents = Vec::new();
    for source in sources.iter().filter(|source| is_definition(source.name)) {
        match parse_schema(source.text) {
            Ok(content) => documents.push(Document { file: source.name, content }),
            Err(error) => {
                let line = error.positions().next().map_or(0, |position| position.line);
                problems.add(
                    SourceLine { file: source.name, line },
                    format!("this is not GraphQL: {}", short(&error.to_string())),
                );
            }
        }
    }
    documents
}

fn is_definition(name: &str) -> bool {
    let folder = name.strip_prefix("tables/").or_else(|| name.strip_prefix("operations/"));
    folder.is_some_and(|file| file.strip_suffix(".graphql").is_some_and(|stem| !stem.contains('/')))
}

/// The last line of the parser's message, which states what it expected.
fn short(message: &str) -> &str {
    message.lines().last().map_or(message, |line| line.trim_start_matches([' ', '=']))
}

/// Sorts the definitions of all files by kind.
pub(super) fn sort<'a>(
    documents: &'a [Document<'a>],
    sources: &[Source<'a>],
    problems: &mut Problems,
) -> Drafts<'a> {
    let mut drafts = Drafts::default();
    let mut extensions = Vec::new();
    for document in documents {
        for definition in &document.content.definitions {
            match definition {
                TypeSystemDefinition::Type(definition) => {
                    let place = SourceLine { file: document.file, line: definition.node.name.pos.line };
                    drafts.add(place, &definition.node, sources, &mut extensions, problems);
                }
                TypeSystemDefinition::Schema(schema) => {
                    let place = SourceLine { file: document.file, line: schema.pos.line };
                    problems.add(
                        place,
                        "the catalogue has no `schema` block: its roots are query_root and mutation_root",
                    );
                }
                TypeSystemDefinition::Directive(directive) => {
                    let place = SourceLine { file: document.file, line: directive.pos.line };
                    problems.add(place, "directives are fixed (schema/README.md); a file cannot define one");
                }
            }
        }
    }
    for (place, definition) in extensions {
        drafts.extend(place, definition, problems);
    }
    for source in sources {
        let view = source.name.strip_prefix("views/").and_then(|name| name.strip_suffix(".sql"));
        if let Some(view) = view
            && !drafts
                .tables
                .iter()
                .any(|table| table.name == view && matches!(table.kind, DraftKind::View { .. }))
        {
            problems.add(
                SourceLine { file: source.name, line: 0 },
                format!("no `type {view} @view(…)` uses this file"),
            );
        }
    }
    drafts
}

const COLUMN: &[directives::DirectiveRule] = &[
    ("key", &[]),
    ("default", &["value", "call"]),
    ("references", &["table", "column", "on_delete"]),
    ("one", &["by", "to"]),
    ("many", &["by", "from"]),
    ("secret", &[]),
    ("exact", &[]),
    ("index", &["name"]),
    ("same_as", &["column"]),
];
const TABLE: &[directives::DirectiveRule] = &[
    (
        "table",
        &[
            "tenant",
            "through",
            "scope",
            "account",
            "namespace",
            "own",
            "private",
            "root",
            "exposed",
            "key",
            "write",
        ],
    ),
    ("view", &["tenant", "through", "scope", "account", "namespace", "own", "root", "exposed", "parameters"]),
    ("unique", &["name", "columns", "unless"]),
    ("index", &["name", "columns"]),
    ("list", &["order", "filters", "also"]),
    ("trail", &[]),
    ("segments", &["time", "by", "sums"]),
    ("cube", &["every", "by"]),
    ("searched", &["text", "of"]),
    ("marked", &["columns"]),
    ("shared", &["group", "columns"]),
];
const LOOKUP: &[directives::DirectiveRule] =
    &[("lookup", &["enum", "key", "description", "constraint", "root", "exposed"]), ("scalar", &[])];
const EXTENSION: &[directives::DirectiveRule] =
    &[("unique", &["name", "columns", "unless"]), ("index", &["name", "columns"])];
const QUERY_FIELD: &[directives::DirectiveRule] =
    &[("listing", &["of", "row", "kind", "only", "counted"]), ("rows", &["of"]), ("operation", &["roles"])];
const MUTATION_FIELD: &[directives::DirectiveRule] = &[("operation", &["roles"])];

impl<'a> Drafts<'a> {
    fn add(
        &mut self,
        place: SourceLine<'a>,
        definition: &'a TypeDefinition,
        sources: &[Source<'a>],
        extensions: &mut Vec<(SourceLine<'a>, &'a TypeDefinition)>,
        problems: &mut Problems,
    ) {
        let name = definition.name.node.as_str();
        let description = definition.description.as_ref().map_or("", |text| text.node.as_str());
        let is_operation = place.file.starts_with("operations/");
        match &definition.kind {
            TypeKind::Object(object)
                if definition.extend && matches!(name, "query_root" | "mutation_root") =>
            {
                let root = if name == "query_root" { Root::Query } else { Root::Mutation };
                for field in &object.fields {
                    let place = SourceLine { file: place.file, line: field.node.name.pos.line };
                    self.add_root_field(root, place, &field.node, problems);
                }
            }
            TypeKind::Object(_) if definition.extend => extensions.push((place, definition)),
            TypeKind::Object(_) | TypeKind::InputObject(_) | TypeKind::Scalar if is_operation => {
                if let TypeKind::Object(object) = &definition.kind {
                    self.rows.insert(name, RowDraft { fields: &object.fields, file: place.file });
                }
                if self.types.iter().any(|other| other.definition.name.node == name) {
                    problems.add(place, format!("`{name}` is defined twice"));
                } else {
                    self.types.push(TypeDraft { place, definition });
                }
            }
            TypeKind::Object(object) => {
                let mut known = directives::read(place.file, &definition.directives, TABLE, problems);
                let head = known.iter().position(|directive| matches!(directive.name, "table" | "view"));
                let Some(head) = head else {
                    problems.add(
                        place,
                        format!("`{name}` is neither a table nor a view: add @table(…) or @view(…)"),
                    );
                    return;
                };
                let head = known.remove(head);
                let kind =
                    if head.name == "view" { view(place, name, sources, problems) } else { DraftKind::Table };
                let fields = fields(place.file, &object.fields, problems);
                self.tables.push(TableDraft {
                    place,
                    name,
                    description,
                    kind,
                    head,
                    directives: known,
                    fields,
                });
            }
            TypeKind::Enum(values) => {
                self.add_enum(place, definition, name, description, &values.values, problems);
            }
            _ => problems.add(
                place,
                format!("`{name}`: expected a type or an enum; inputs and scalars stand in operations/"),
            ),
        }
    }

    fn add_enum(
        &mut self,
        place: SourceLine<'a>,
        definition: &'a TypeDefinition,
        name: &'a str,
        description: &'a str,
        values: &'a [Positioned<EnumValueDefinition>],
        problems: &mut Problems,
    ) {
        let mut known = directives::read(place.file, &definition.directives, LOOKUP, problems);
        if values.is_empty() {
            problems.add(place, format!("`{name}` has no values"));
        }
        let scalar = known.iter().position(|directive| directive.name == "scalar");
        let is_scalar = scalar.map(|place| known.remove(place)).is_some();
        if is_scalar && !known.is_empty() {
            problems.add(place, format!("`{name}` is a lookup or a scalar, not both"));
        }
        match known.pop() {
            Some(head) => self.tables.push(TableDraft {
                place,
                name,
                description,
                kind: DraftKind::Lookup { values },
                head,
                directives: known,
                fields: Vec::new(),
            }),
            None => self.enums.push(EnumDraft { place, name, description, values, is_scalar }),
        }
    }

    fn add_root_field(
        &mut self,
        root: Root,
        place: SourceLine<'a>,
        field: &'a FieldDefinition,
        problems: &mut Problems,
    ) {
        let known = if root == Root::Query { QUERY_FIELD } else { MUTATION_FIELD };
        let mut said = directives::read(place.file, &field.directives, known, problems);
        match said.pop() {
            Some(directive) if directive.name == "operation" => {
                self.operations.push(OperationDraft { place, root, field, directive });
            }
            Some(directive) if directive.name == "rows" => self.view_fields.push((place, field, directive)),
            Some(listing) => self.listings.push((place, field, listing)),
            None => problems.add(
                place,
                format!(
                    "root field `{}` needs @operation(roles: […]) or, in query_root, @listing(of: …, row: …) or @rows(of: …)",
                    field.name.node
                ),
            ),
        }
    }

    /// Handles `extend type <lookup>`: adds columns beside value and description, and relationships.
    fn extend(&mut self, place: SourceLine<'a>, definition: &'a TypeDefinition, problems: &mut Problems) {
        let name = definition.name.node.as_str();
        let TypeKind::Object(object) = &definition.kind else {
            return;
        };
        let directives = directives::read(place.file, &definition.directives, EXTENSION, problems);
        let fields = fields(place.file, &object.fields, problems);
        let lookup = self
            .tables
            .iter_mut()
            .find(|table| table.name == name && matches!(table.kind, DraftKind::Lookup { .. }));
        match lookup {
            Some(lookup) => {
                lookup.fields.extend(fields);
                lookup.directives.extend(directives);
            }
            None => problems
                .add(place, format!("`extend type {name}`: there is no lookup of that name to extend")),
        }
    }
}

fn view<'a>(
    place: SourceLine<'_>,
    name: &str,
    sources: &[Source<'a>],
    problems: &mut Problems,
) -> DraftKind<'a> {
    let file = format!("views/{name}.sql");
    let select = sources.iter().find(|source| source.name == file).map(|source| source.text);
    if select.is_none() {
        problems.add(place, format!("view `{name}` needs the file {file} with its SELECT"));
    }
    DraftKind::View { select: select.unwrap_or_default() }
}

fn fields<'a>(
    file: &'a str,
    fields: &'a [Positioned<FieldDefinition>],
    problems: &mut Problems,
) -> Vec<Field<'a>> {
    let mut read = Vec::with_capacity(fields.len());
    for field in fields {
        let definition = &field.node;
        let place = SourceLine { file, line: definition.name.pos.line };
        if !definition.arguments.is_empty() {
            problems.add(
                place,
                format!("`{}`: a column or relationship takes no arguments", definition.name.node),
            );
        }
        let directives = directives::read(file, &definition.directives, COLUMN, problems);
        read.push(Field { place, definition, directives });
    }
    read
}
