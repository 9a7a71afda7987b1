//! Tasks that use Slack's Web API, with `SECRET_SLACK_BOT_TOKEN`.

use super::super::{Slot, Task, needs, one_of, takes};

const PROVIDER: Slot = one_of(needs("provider", "string", "slack."), &["slack"]);
const CHANNEL: Slot = needs("channel_id", "string", "The channel, by its id.");
const BASE_URL: Slot =
    takes("base_url", "string", "Where Slack answers; https://slack.com/api unless given.");

pub(super) const ADD_REACTION: Task = Task {
    name: "notifications.add_reaction",
    about: "Reacts to a message in Slack, with SECRET_SLACK_BOT_TOKEN.",
    takes: &[
        PROVIDER,
        CHANNEL,
        needs("message_id", "string", "The message, by its time (ts)."),
        needs("emoji", "string", "The reaction by its name, such as eyes."),
        BASE_URL,
    ],
    gives: &[
        takes("success", "boolean", "Whether it is there."),
        takes("provider", "string", "slack."),
        takes("channel_id", "string", "The channel."),
        takes("message_id", "string", "The message."),
        takes("reaction", "string", "The reaction."),
    ],
};

pub(super) const DIRECT: Task = Task {
    name: "notifications.dm",
    about: "Sends one person a message in Slack, with SECRET_SLACK_BOT_TOKEN.",
    takes: &[
        PROVIDER,
        needs("user_id", "string", "The person, by id or address of mail."),
        needs("message", "string", "What is said."),
        BASE_URL,
    ],
    gives: &[
        takes("user_id", "string", "The person."),
        takes("channel_id", "string", "The channel with that person."),
        takes("message_id", "string", "The message, by its time (ts)."),
        takes("provider", "string", "slack."),
    ],
};

pub(super) const READ_THREAD: Task = Task {
    name: "notifications.read_thread",
    about: "Reads answers and reactions of a thread in Slack, with SECRET_SLACK_BOT_TOKEN.",
    takes: &[
        PROVIDER,
        CHANNEL,
        needs("thread_ts", "string", "The first message, by its time (ts)."),
        BASE_URL,
    ],
    gives: &[
        takes("success", "boolean", "Whether it was read."),
        takes("channel_id", "string", "The channel."),
        takes("thread_ts", "string", "The first message."),
        takes("messages", "array", "Objects with ts, text, user_id, is_parent, reply_count and reactions."),
        takes("has_more", "boolean", "Whether there are more than 200."),
        takes("has_responses", "boolean", "Whether anybody answered or reacted."),
        takes("has_reactions", "boolean", "Whether anybody reacted."),
        takes("reply_count", "number", "How many answers there are."),
    ],
};

pub(super) const JOIN_CHANNEL: Task = Task {
    name: "slack.join_channel",
    about: "Adds the app to a public channel of Slack, with SECRET_SLACK_BOT_TOKEN.",
    takes: &[CHANNEL, takes("text", "string", "What it says there."), BASE_URL],
    gives: &[
        takes("success", "boolean", "Whether it is in the channel."),
        takes("channel_id", "string", "The channel."),
        takes("channel_name", "string", "Its name."),
        takes("message_id", "string", "What was said, by its time (ts)."),
    ],
};
