//! Tasks that use Slack's Web API, with `SECRET_SLACK_BOT_TOKEN`.

use super::super::{Parameter, Task, one_of, optional, required};

const PROVIDER: Parameter = one_of(required("provider", "string", "slack."), &["slack"]);
const CHANNEL: Parameter = required("channel_id", "string", "The channel, by its id.");
const BASE_URL: Parameter =
    optional("base_url", "string", "Where Slack answers; https://slack.com/api unless given.");

pub(super) const ADD_REACTION: Task = Task {
    name: "notifications.add_reaction",
    about: "Reacts to a message in Slack, with SECRET_SLACK_BOT_TOKEN.",
    inputs: &[
        PROVIDER,
        CHANNEL,
        required("message_id", "string", "The message, by its time (ts)."),
        required("emoji", "string", "The reaction by its name, such as eyes."),
        BASE_URL,
    ],
    outputs: &[
        optional("success", "boolean", "Whether it is there."),
        optional("provider", "string", "slack."),
        optional("channel_id", "string", "The channel."),
        optional("message_id", "string", "The message."),
        optional("reaction", "string", "The reaction."),
    ],
};

pub(super) const DIRECT: Task = Task {
    name: "notifications.dm",
    about: "Sends one person a message in Slack, with SECRET_SLACK_BOT_TOKEN.",
    inputs: &[
        PROVIDER,
        required("user_id", "string", "The person, by id or address of mail."),
        required("message", "string", "What is said."),
        BASE_URL,
    ],
    outputs: &[
        optional("user_id", "string", "The person."),
        optional("channel_id", "string", "The channel with that person."),
        optional("message_id", "string", "The message, by its time (ts)."),
        optional("provider", "string", "slack."),
    ],
};

pub(super) const READ_THREAD: Task = Task {
    name: "notifications.read_thread",
    about: "Reads answers and reactions of a thread in Slack, with SECRET_SLACK_BOT_TOKEN.",
    inputs: &[
        PROVIDER,
        CHANNEL,
        required("thread_ts", "string", "The first message, by its time (ts)."),
        BASE_URL,
    ],
    outputs: &[
        optional("success", "boolean", "Whether it was read."),
        optional("channel_id", "string", "The channel."),
        optional("thread_ts", "string", "The first message."),
        optional(
            "messages",
            "array",
            "Objects with ts, text, user_id, is_parent, reply_count and reactions.",
        ),
        optional("has_more", "boolean", "Whether there are more than 200."),
        optional("has_responses", "boolean", "Whether anybody answered or reacted."),
        optional("has_reactions", "boolean", "Whether anybody reacted."),
        optional("reply_count", "number", "How many answers there are."),
    ],
};

pub(super) const JOIN_CHANNEL: Task = Task {
    name: "slack.join_channel",
    about: "Adds the app to a public channel of Slack, with SECRET_SLACK_BOT_TOKEN.",
    inputs: &[CHANNEL, optional("text", "string", "What it says there."), BASE_URL],
    outputs: &[
        optional("success", "boolean", "Whether it is in the channel."),
        optional("channel_id", "string", "The channel."),
        optional("channel_name", "string", "Its name."),
        optional("message_id", "string", "What was said, by its time (ts)."),
    ],
};
