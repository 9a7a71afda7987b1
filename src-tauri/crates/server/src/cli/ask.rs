//! `ask`: asks the assistant a question.

use super::desk::{self, ActorArguments, Desk};
use super::{CliError, output};
use crate::rest::Alphabetical;
use crate::settings::Settings;
use clap::Args;
use graphql::Refusal;
use operations::{ChatProgress, Question, Reference};
use serde_json::Value;
use std::io::{self, IsTerminal, Read, Write};

/// Ask the assistant; streams the answer and lists its evidence
///
/// The model reads with the rights of the user and cannot write. The evidence is listed below the answer under its references, such as [Q1].
/// Ctrl-C stops the answer; the text so far is stored in the conversation. Works with and without a running server. Exit code 1 if the
/// answer is not complete.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  quarterdeck-server ask \"What did compute cost in October?\"
  quarterdeck-server ask \"And in November?\" --conversation 0b6f… --queries
  quarterdeck-server ask \"Is this charge right?\" --about charge:5a1c… --json
  quarterdeck-server ask \"What did compute cost?\" --preview

Without a model: `quarterdeck-server provider add ollama --model llama3.2 --on` sets one up.")]
pub struct Ask {
    /// The question; - reads it from standard input
    question: String,
    /// Conversation to continue [default: a new one]
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// Row that the question is about: charge, recommendation, event or resource, and its id
    #[arg(long, value_name = "KIND:ID")]
    about: Vec<String>,
    /// Provider for this conversation from now on: an id from `provider list`
    #[arg(long, value_name = "ID", requires = "model")]
    provider: Option<String>,
    /// Model of that provider
    #[arg(long, value_name = "NAME", requires = "provider")]
    model: Option<String>,
    /// Show the queries behind the answer
    #[arg(long)]
    queries: bool,
    /// Show the request, its recipient and the names that would be replaced, but send nothing
    #[arg(long)]
    preview: bool,
    /// Print the complete answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    whose: ActorArguments,
}

pub fn run(arguments: &Ask, settings: &Settings) -> Result<(), CliError> {
    let desk = Desk::open(settings, &arguments.whose)?;
    let question = Question {
        account: desk.account()?,
        conversation: arguments.conversation.clone(),
        message: match arguments.question.as_str() {
            "-" => io::read_to_string(io::stdin().lock().take(1_000_000))?,
            question => question.to_owned(),
        },
        model: arguments.provider.clone().zip(arguments.model.clone()),
        references: arguments.about.iter().map(|about| reference(about)).collect::<Result<_, _>>()?,
    };
    desk.work(|| {
        if arguments.preview {
            preview(&desk, &question, arguments)
        } else {
            ask(&desk, &question, arguments)
        }
    })
}

fn reference(about: &str) -> Result<Reference, CliError> {
    let (kind, id) = about.split_once(':').ok_or_else(|| {
        CliError::Usage(format!("--about {about:?} names no row: expected KIND:ID, such as event:5a1c…"))
    })?;
    Ok(Reference { kind: kind.to_owned(), id: id.to_owned() })
}

fn at(desk: &Desk) -> operations::ModelContext<'_> {
    operations::ModelContext {
        engine: &desk.engine,
        caller: &desk.caller,
        models: desk.models.as_ref(),
        cancel: &desk.cancel,
    }
}

fn ask(desk: &Desk, question: &Question, arguments: &Ask) -> Result<(), CliError> {
    let mut page = Page { is_silent: arguments.json, ..Page::default() };
    let answered = operations::converse(&at(desk), question, &mut |heard| page.hear(&heard, desk));
    page.end_line()?;
    if let Some(error) = page.failed.take() {
        return Err(error.into());
    }
    let answer = answered.map_err(|refusal| told(refusal, desk))?;
    if arguments.json {
        output::json(&answer)?;
    } else {
        show(&answer, arguments.queries)?;
    }
    // An answer that the user stopped from elsewhere is incomplete.
    if answer["status"] == "COMPLETED" { Ok(()) } else { Err(CliError::Said) }
}

fn told(refusal: Refusal, desk: &Desk) -> CliError {
    if refusal.code == "stopped" && desk.cancel.is_cancelled() {
        eprintln!("Stopped: {}", refusal.message);
        return CliError::Said;
    }
    desk::refused(refusal)
}

/// Prints an answer: its text on stdout, progress on stderr.
#[derive(Default)]
struct Page {
    is_silent: bool,
    /// Whether the last line of text is not terminated yet.
    is_open: bool,
    /// The error of writing to stdout, such as a closed pipe.
    failed: Option<io::Error>,
}

impl Page {
    fn hear(&mut self, heard: &ChatProgress, desk: &Desk) {
        if self.is_silent || self.failed.is_some() {
            return;
        }
        if let Err(error) = self.print(heard) {
            self.failed = Some(error);
            // The reader of our output has gone: stop the model.
            desk.cancel.cancel();
        }
    }

    fn print(&mut self, heard: &ChatProgress) -> io::Result<()> {
        match heard {
            ChatProgress::Text(text) => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()?;
                self.is_open = !text.ends_with('\n');
            }
            // The text so far belonged to a lookup: start a new paragraph.
            ChatProgress::TextDiscarded => {
                self.end_line()?;
                output::line("")?;
            }
            ChatProgress::ToolFinished(found) if io::stderr().is_terminal() => {
                self.end_line()?;
                eprintln!("  looked: {}", said(found, "title"));
            }
            ChatProgress::Sent(line) if line["left_machine"] == true => {
                self.end_line()?;
                eprintln!(
                    "  sent to {} ({}): {} bytes, {} names replaced",
                    said(line, "host"),
                    said(line, "model"),
                    line["size_bytes"],
                    line["replaced_names"]
                );
            }
            ChatProgress::Started { .. }
            | ChatProgress::ToolStarted { .. }
            | ChatProgress::ToolFinished(_)
            | ChatProgress::Sent(_) => {}
        }
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_open) { output::line("") } else { Ok(()) }
    }
}

/// Prints the references below a complete answer.
fn show(answer: &Value, with_queries: bool) -> io::Result<()> {
    let references: Vec<&Value> = answer["references"].as_array().into_iter().flatten().collect();
    if !references.is_empty() {
        output::line("")?;
    }
    for reference in references {
        let unused = if reference["cited"] == true { "" } else { ", not cited" };
        let (id, title) = (said(reference, "id"), said(reference, "title"));
        let rows = output::counted(reference["rows"].as_u64().unwrap_or_default(), "row");
        output::line(format!("[{id}] {title}, {rows}{unused}"))?;
        if with_queries && let Some(query) = reference["query"].as_str() {
            output::line(format!("{query}\nvariables: {}\n", reference["variables"]))?;
        }
    }
    for sentence in answer["unproved"].as_array().into_iter().flatten() {
        output::line(format!("No evidence for: {}", said(sentence, "text")))?;
    }
    if let Some(why) = answer["status_reason"].as_str() {
        eprintln!("{why}");
    }
    eprintln!("Go on with --conversation {}", said(answer, "conversation_id"));
    Ok(())
}

fn preview(desk: &Desk, question: &Question, arguments: &Ask) -> Result<(), CliError> {
    let shown = operations::preview(&at(desk), question).map_err(desk::refused)?;
    if arguments.json {
        return Ok(output::json(&Alphabetical(shown))?);
    }
    let leaves = match (shown.leaves_machine, shown.may_leave) {
        (true, true) => "it would leave this machine",
        (true, false) => "it would have to leave this machine, which is not allowed for this provider",
        (false, _) => "it would stay on this machine",
    };
    output::line(format!(
        "To {} ({}) at {}, {} bytes: {leaves}",
        shown.name, shown.model, shown.host, shown.size_bytes
    ))?;
    for replaced in &shown.replaced {
        output::line(format!("  {} stands for {}", replaced.token, replaced.name))?;
    }
    Ok(output::line(&shown.payload)?)
}

fn said<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
