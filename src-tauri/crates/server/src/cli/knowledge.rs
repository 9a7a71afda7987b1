//! `knowledge`: manages the documents of the assistant.

use super::desk::{self, ActorArguments, Desk};
use super::{CliError, output};
use crate::routes::assistant::LARGEST_DOCUMENT;
use crate::settings::Settings;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Add, list, search and remove documents of the assistant
///
/// Works with and without a running server. Without a model, search compares words and not their meaning.
#[derive(Subcommand)]
pub enum Knowledge {
    Add(Add),
    List(List),
    Search(Search),
    Remove(Remove),
}

/// Add files as knowledge bases and print their ids
#[derive(Args)]
pub struct Add {
    /// Text, Markdown, CSV, JSON, XML or PDF, 10 MB at most
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Display name [default: the file name without its extension]
    #[arg(long)]
    name: Option<String>,
    #[arg(long)]
    description: Option<String>,
    #[command(flatten)]
    whose: ActorArguments,
}

/// List the documents of an account
#[derive(Args)]
pub struct List {
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    whose: ActorArguments,
}

/// Search passages for a question, best match first
#[derive(Args)]
pub struct Search {
    question: String,
    /// Maximum number of passages, 1 to 50
    #[arg(long, default_value_t = 8)]
    limit: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    whose: ActorArguments,
}

/// Remove a document
#[derive(Args)]
pub struct Remove {
    /// Id or name of the document, from `knowledge list`
    document: String,
    #[command(flatten)]
    whose: ActorArguments,
}

pub fn run(command: &Knowledge, settings: &Settings) -> Result<(), CliError> {
    match command {
        Knowledge::Add(arguments) => add(arguments, settings),
        Knowledge::List(arguments) => list(arguments, settings),
        Knowledge::Search(arguments) => search(arguments, settings),
        Knowledge::Remove(arguments) => remove(arguments, settings),
    }
}

fn add(arguments: &Add, settings: &Settings) -> Result<(), CliError> {
    if arguments.name.is_some() && arguments.files.len() > 1 {
        return Err(CliError::Usage(
            "--name is for one file; several are called as their files are".to_owned(),
        ));
    }
    let desk = Desk::open(settings, &arguments.whose)?;
    let account = desk.account()?;
    desk.work(|| {
        let mut added = Vec::new();
        for file in &arguments.files {
            let name = arguments.name.clone().unwrap_or_else(|| stem(file));
            added.push(keep(&desk, &account, file, &name, arguments.description.as_deref())?);
        }
        // Missing vectors are computed by the service if it runs, otherwise here.
        if let Err(error) = desk.chores() {
            eprintln!(
                "Vectors could not be made: {}. Words are compared until then",
                crate::error::chain(&error)
            );
        }
        let all = listed(&desk, &account)?;
        let mut is_broken = false;
        for id in added {
            let Some(kept) = all.iter().find(|kept| kept["id"] == id) else { continue };
            output::line(line_of(kept))?;
            is_broken |= kept["status"] == "error";
        }
        if is_broken { Err(CliError::Said) } else { Ok(()) }
    })
}

fn stem(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn keep(
    desk: &Desk,
    account: &str,
    file: &Path,
    name: &str,
    description: Option<&str>,
) -> Result<Value, CliError> {
    let cannot = |error| CliError::Refused(format!("{} cannot be read: {error}", file.display()));
    let mut bytes = Vec::new();
    let open = std::fs::File::open(file).map_err(cannot)?;
    let most = LARGEST_DOCUMENT as u64 + 1;
    open.take(most).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() > LARGEST_DOCUMENT {
        return Err(CliError::Refused(format!(
            "{} is longer than 10 MB, which is the limit",
            file.display()
        )));
    }
    let file_name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (format, data) = operations::document(&file_name, &bytes).map_err(desk::refused)?;
    let query =
        "mutation Add($request: CreateKBRequest!) { ai_create_kb(request: $request) { data { id } } }";
    let request = json!({ "request": { "account_id": account, "knowledgebase": {
        "name": name, "description": description, "file_name": file_name, "format": format, "data": data,
    } } });
    Ok(desk.field(query, &request)?["data"]["id"].clone())
}

fn listed(desk: &Desk, account: &str) -> Result<Vec<Value>, CliError> {
    let query = "query List($request: ListKBRequest!) { ai_list_kb(request: $request) { data { id name description data_filename \
                 data_format data_size_bytes passages status status_reason created_at } } }";
    let found = desk.field(query, &json!({ "request": { "account_id": account } }))?;
    Ok(found["data"].as_array().cloned().unwrap_or_default())
}

fn line_of(kept: &Value) -> String {
    let text = |name: &str| kept[name].as_str().unwrap_or_default();
    let why = kept["status_reason"].as_str().map(|why| format!(": {why}")).unwrap_or_default();
    let passages = output::counted(kept["passages"].as_u64().unwrap_or_default(), "passage");
    format!("{}  {}, {}, {passages}{why}", text("id"), text("name"), text("status"))
}

fn list(arguments: &List, settings: &Settings) -> Result<(), CliError> {
    let desk = Desk::open(settings, &arguments.whose)?;
    let all = listed(&desk, &desk.account()?)?;
    if arguments.json {
        return Ok(output::json(&all)?);
    }
    if all.is_empty() {
        output::line("No documents here. `quarterdeck-server knowledge add FILE` takes one in.")?;
    }
    Ok(all.iter().try_for_each(|kept| output::line(line_of(kept)))?)
}

fn search(arguments: &Search, settings: &Settings) -> Result<(), CliError> {
    let desk = Desk::open(settings, &arguments.whose)?;
    let query = "query Search($request: SearchKBRequest!) { ai_search_kb(request: $request) { data { by_meaning passages { id kb_id \
                 kb_name number place score text } } } }";
    let request = json!({ "request": { "account_id": desk.account()?, "query": arguments.question, "limit": arguments.limit } });
    let found = desk.work(|| desk.field(query, &request))?["data"].take();
    if arguments.json {
        return Ok(output::json(&found)?);
    }
    let text = |passage: &Value, name: &str| passage[name].as_str().unwrap_or_default().to_owned();
    for passage in found["passages"].as_array().into_iter().flatten() {
        output::line(format!(
            "{}, {}\n{}\n",
            text(passage, "kb_name"),
            text(passage, "place"),
            text(passage, "text")
        ))?;
    }
    if found["passages"].as_array().is_none_or(Vec::is_empty) {
        eprintln!("Nothing fits.");
    }
    if found["by_meaning"] != true {
        eprintln!("Words were compared, and no meaning: no model of embeddings is set up.");
    }
    Ok(())
}

fn remove(arguments: &Remove, settings: &Settings) -> Result<(), CliError> {
    let desk = Desk::open(settings, &arguments.whose)?;
    let account = desk.account()?;
    let all = listed(&desk, &account)?;
    let wanted = &arguments.document;
    let is_it = |kept: &&Value| {
        let is = |name: &str| kept[name].as_str().is_some_and(|text| text.eq_ignore_ascii_case(wanted));
        is("id") || is("name")
    };
    let found = all.iter().find(is_it);
    let found =
        found.ok_or_else(|| CliError::Refused(format!("there is no document {wanted:?} in this account")))?;
    let query = "mutation Remove($request: DeleteKBRequest!) { ai_delete_kb(request: $request) { data } }";
    desk.field(query, &json!({ "request": { "account_id": account, "id": found["id"] } }))?;
    Ok(output::line(format!("Removed {}", found["name"].as_str().unwrap_or(wanted)))?)
}
