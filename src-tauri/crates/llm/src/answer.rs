//! Streamed answers of a model, and the complete reply.

use crate::chat::{End, Event, ToolCall, Usage};
use crate::failure::Failure;
use crate::framing::{Frames, Framing};
use crate::kind::ProviderKind;
use crate::wire::Reader;
use outgoing::{Response, piece};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// An answer in progress. Dropping it closes the connection, which stops the model.
pub struct Answer {
    /// Id of the provider that answers.
    pub provider: String,
    pub kind: ProviderKind,
    /// The requested model.
    pub model: String,
    /// Whether no data left this machine for it.
    pub is_local: bool,
    response: Response,
    frames: Frames,
    reader: Box<dyn Reader>,
    events: VecDeque<Event>,
    usage: Usage,
    began: Instant,
    first: Option<Duration>,
    is_over: bool,
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub usage: Usage,
    pub end: End,
    /// Time from the request to the first event.
    pub first: Duration,
    /// Time from the request to the end.
    pub latency: Duration,
}

/// The provider and model that answer, for [`Answer::new`].
pub(crate) struct Answering {
    pub provider: String,
    pub kind: ProviderKind,
    pub model: String,
    pub is_local: bool,
    pub began: Instant,
}

impl Answer {
    pub(crate) fn new(who: Answering, response: Response, framing: Framing, reader: Box<dyn Reader>) -> Self {
        Self {
            provider: who.provider,
            kind: who.kind,
            model: who.model,
            is_local: who.is_local,
            response,
            frames: Frames::new(framing),
            reader,
            events: VecDeque::new(),
            usage: Usage::default(),
            began: who.began,
            first: None,
            is_over: false,
        }
    }

    /// Waits for the first text, call or end. Fails if there is none; another provider may then be tried.
    pub(crate) async fn begin(&mut self) -> Result<(), Failure> {
        while !self.events.iter().any(|event| !matches!(event, Event::Usage(_))) {
            self.read().await?;
        }
        self.first = Some(self.began.elapsed());
        Ok(())
    }

    /// The answer, attributed to another provider: to the service model whose program answered.
    #[must_use]
    pub(crate) fn of(self, provider: String, kind: ProviderKind, began: Instant) -> Self {
        Self { provider, kind, began, ..self }
    }

    /// The next event; `None` after [`Event::End`]. An error ends the answer.
    pub async fn next(&mut self) -> Result<Option<Event>, Failure> {
        loop {
            if let Some(event) = self.events.pop_front() {
                match &event {
                    Event::Usage(usage) => self.usage = *usage,
                    Event::End(_) => self.is_over = true,
                    Event::Text(_) | Event::Call(_) => {
                        self.first.get_or_insert_with(|| self.began.elapsed());
                    }
                }
                return Ok(Some(event));
            }
            if self.is_over {
                return Ok(None);
            }
            let read = self.read().await;
            if read.is_err() {
                self.is_over = true;
            }
            read?;
        }
    }

    async fn read(&mut self) -> Result<(), Failure> {
        if let Some(piece) = piece(&mut self.response).await? {
            self.frames.push(piece.as_ref())?;
            while let Some(frame) = self.frames.next()? {
                self.reader.take(&frame, &mut self.events)?;
            }
            return Ok(());
        }
        match self.frames.rest() {
            Some(rest) => self.reader.take(&rest, &mut self.events)?,
            None if self.frames.is_foreign() => {
                return Err(Failure::nonsense(self.kind.title(), "nothing in it is a message of a model"));
            }
            None => {}
        }
        let before = self.events.len();
        self.reader.close(&mut self.events)?;
        // Whatever the reader expects, an answer ends with its body.
        if self.events.len() == before && before == 0 {
            return Err(Failure::cut_off(self.kind.title()));
        }
        Ok(())
    }

    /// Tokens reported so far.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Time since the request.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Reads the rest of the answer.
    pub async fn whole(mut self) -> Result<Reply, Failure> {
        let (mut text, mut calls, mut end) = (String::new(), Vec::new(), End::Complete);
        while let Some(event) = self.next().await? {
            match event {
                Event::Text(more) => text.push_str(&more),
                Event::Call(call) => calls.push(call),
                Event::Usage(_) => {}
                Event::End(why) => end = why,
            }
        }
        let latency = self.elapsed();
        let first = self.first.unwrap_or(latency);
        Ok(Reply { text, calls, usage: self.usage, end, first, latency })
    }
}
