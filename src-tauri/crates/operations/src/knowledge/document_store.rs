//! Storage of documents for the assistant. Knowledge bases and global contexts share this code.

use crate::kit::in_account::{
    Data, Object, Place, Removal, argument, data, filled, id, sort_by_text, within,
};
use crate::kit::names::check_name;
use crate::knowledge::{content, passage_store};
use catalogue::{Right, ValueRef};
use graphql::{Call, Refusal};
use serde::Deserialize;
use serde_json::Value;
use store::eq;
use uuid::Uuid;

/// A kind of document.
pub(crate) struct DocumentStore {
    pub table: &'static str,
    /// The request field that holds the document.
    field: &'static str,
    /// The name used in error messages.
    pub noun: &'static str,
    /// Whether documents of this kind are cut into passages.
    is_cut: bool,
    /// The columns returned for a document; the text is last.
    columns: &'static [&'static str],
}

pub(crate) const KNOWLEDGE_BASES: DocumentStore = DocumentStore {
    table: "llm_knowledgebase",
    field: "knowledgebase",
    noun: "knowledge base",
    is_cut: true,
    columns: &[
        "id",
        "tenant_id",
        "account_id",
        "name",
        "description",
        "kb_type",
        "kb_source",
        "integration_id",
        "status",
        "status_reason",
        "passages",
        "data_filename",
        "data_format",
        "data_size_bytes",
        "created_at",
        "created_by",
        "updated_at",
        "updated_by",
        "data",
    ],
};

pub(crate) const GLOBAL_CONTEXTS: DocumentStore = DocumentStore {
    table: "llm_global_context",
    field: "global_context",
    noun: "global context",
    is_cut: false,
    columns: &[
        "id",
        "tenant_id",
        "account_id",
        "name",
        "description",
        "status",
        "data_filename",
        "data_format",
        "data_size_bytes",
        "created_at",
        "created_by",
        "updated_at",
        "updated_by",
        "data",
    ],
};

#[derive(Deserialize)]
struct InAccount {
    account_id: String,
}

#[derive(Deserialize)]
struct ById {
    account_id: String,
    id: String,
}

/// A document to store.
#[derive(Deserialize)]
pub(crate) struct Document<'a> {
    pub name: &'a str,
    pub description: Option<&'a str>,
    pub file_name: &'a str,
    pub format: &'a str,
    pub data: &'a str,
}

/// Changes to a document; `None` leaves a field unchanged.
#[derive(Deserialize)]
struct DocumentChange<'a> {
    id: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    file_name: Option<&'a str>,
    format: Option<&'a str>,
    data: Option<&'a str>,
}

impl DocumentStore {
    /// Lists all documents of an account by name.
    pub fn list(&self, call: &Call<'_>) -> Result<Data<Vec<Object>>, Refusal> {
        let request: InAccount = argument(call, "request")?;
        within(call, Right::Read, &request.account_id, |place| {
            // Texts are long: they are read only if the request selects them.
            let columns =
                if call.selects(&["data", "data"]) { self.columns } else { self.columns_without_text() };
            let mut documents = place.objects(self.table, columns, &[])?;
            sort_by_text(&mut documents, "name");
            Ok(data(documents))
        })
    }

    pub fn get(&self, call: &Call<'_>) -> Result<Data<Object>, Refusal> {
        let request: ById = argument(call, "request")?;
        within(call, Right::Read, &request.account_id, |place| {
            Ok(data(self.read(place, id("id", &request.id)?)?))
        })
    }

    /// Reads a document with its text.
    pub fn read(&self, place: &Place<'_>, id: Uuid) -> Result<Object, Refusal> {
        place.object(self.table, self.columns, self.noun, id)
    }

    /// All columns of a document except its text.
    pub fn columns_without_text(&self) -> &'static [&'static str] {
        self.columns.split_last().map_or(&[], |(_, rest)| rest)
    }

    pub fn create(&self, call: &Call<'_>) -> Result<Data<Object>, Refusal> {
        let request = call.arguments.get("request").unwrap_or(&Value::Null);
        let account: InAccount = argument(call, "request")?;
        let document = self.document::<Document<'_>>(request)?;
        within(call, Right::Write, &account.account_id, |place| {
            let id = self.insert(place, &document)?;
            Ok(data(self.read(place, id)?))
        })
    }

    /// Cuts knowledge bases into passages for searching. Global contexts are not cut: they are used whole.
    fn cut(&self, place: &Place<'_>, id: Uuid, format: &str, data: &str) -> Result<(), Refusal> {
        if !self.is_cut {
            return Ok(());
        }
        passage_store::replace_passages(&place.rows.without_actor(), place.account, id, format, data)
    }

    fn document<'a, T: Deserialize<'a>>(&self, request: &'a Value) -> Result<T, Refusal> {
        let field = request.get(self.field).unwrap_or(&Value::Null);
        T::deserialize(field).map_err(|error| Refusal::invalid(format!("{}: {error}", self.field)))
    }

    /// Validates and stores a document; returns its id.
    pub fn insert(&self, place: &Place<'_>, document: &Document<'_>) -> Result<Uuid, Refusal> {
        let name = check_name(self.noun, document.name)?;
        let file_name = filled("file_name", document.file_name)?;
        let size = content::check(document.format, document.data)?;
        place.check_free(self.table, self.noun, name, None)?;
        let id = Uuid::new_v4();
        place.rows.insert(
            self.table,
            &[
                ("id", id.into()),
                ("account_id", place.account.into()),
                ("name", name.into()),
                ("description", document.description.into()),
                ("data_filename", file_name.into()),
                ("data_format", document.format.into()),
                ("data_size_bytes", bytes(size)),
                ("data", document.data.into()),
                ("created_by", place.person.into()),
                ("updated_by", place.person.into()),
            ],
        )?;
        self.cut(place, id, document.format, document.data)?;
        Ok(id)
    }

    pub fn update(&self, call: &Call<'_>) -> Result<Data<Object>, Refusal> {
        let request = call.arguments.get("request").unwrap_or(&Value::Null);
        let account: InAccount = argument(call, "request")?;
        let changed = self.document::<DocumentChange<'_>>(request)?;
        within(call, Right::Write, &account.account_id, |place| {
            let own = id("id", changed.id)?;
            let known = place.object(self.table, &["data_format"], self.noun, own)?;
            let mut set: Vec<(&str, ValueRef<'_>)> =
                vec![("updated_by", place.person.into()), ("updated_at", ValueRef::Timestamp(place.now))];
            if let Some(name) = changed.name {
                let name = check_name(self.noun, name)?;
                place.check_free(self.table, self.noun, name, Some(own))?;
                set.push(("name", name.into()));
            }
            if let Some(description) = changed.description {
                set.push(("description", description.into()));
            }
            if let Some(file_name) = changed.file_name {
                set.push(("data_filename", filled("file_name", file_name)?.into()));
            }
            let known_format = known.get("data_format").and_then(Value::as_str).unwrap_or_default();
            let format = changed.format.unwrap_or(known_format);
            if let Some(text) = changed.data {
                let size = content::check(format, text)?;
                set.extend([
                    ("data_format", format.into()),
                    ("data_size_bytes", bytes(size)),
                    ("data", text.into()),
                ]);
            } else if format != known_format {
                let message = format!(
                    "format is {format:?} and the document {known_format}: give data of the new format"
                );
                return Err(Refusal::invalid(message));
            }
            place.rows.update(self.table, &[eq("id", own)], &set)?;
            if let Some(text) = changed.data {
                self.cut(place, own, format, text)?;
            }
            Ok(data(self.read(place, own)?))
        })
    }

    pub fn delete(&self, call: &Call<'_>) -> Result<Data<Removal>, Refusal> {
        let request: ById = argument(call, "request")?;
        within(call, Right::Write, &request.account_id, |place| {
            let own = id("id", &request.id)?;
            self.remove(place, own)
        })
    }

    pub fn remove(&self, place: &Place<'_>, id: Uuid) -> Result<Data<Removal>, Refusal> {
        place.object(self.table, &["id"], self.noun, id)?;
        place.rows.delete(self.table, &[eq("id", id)])?;
        Ok(data(Removal { id, success: true }))
    }
}

fn bytes(size: usize) -> ValueRef<'static> {
    ValueRef::Int(i64::try_from(size).unwrap_or(i64::MAX))
}
