//! Tables and lookups of `schema/tables/notices.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// Something people should know: a budget that was crossed, an anomaly, critical findings, bills that stay away.
    Notice in notice by id {
        id: Id<Notice>,
        tenant: Id<Tenant>,
        subject: NoticeSubject,
        /// What it is about: there is one notice of it, however often it is found.
        key: String,
        severity: NoticeSeverity,
        /// One sentence.
        title: String,
        /// More about it, as plain text.
        text: String,
        /// The page that shows it: path and query below the address of this service.
        link: Option<String>,
        raised_at: ZonedTimestamp,
        /// Since when it is no longer so.
        ended_at: Option<ZonedTimestamp>,
    }
}

table! {
    /// A notice on its way through a channel, and what came of it.
    NoticeDelivery in notice_delivery by id {
        id: Id<NoticeDelivery>,
        tenant: Id<Tenant>,
        notice_id: Id<Notice>,
        channel_id: Id<NoticeChannel>,
        state: NoticeDeliveryState,
        /// Of mail: who gets it instead of the recipients of the channel.
        recipients: Json,
        /// Of mail: where answers go.
        reply_to: Option<String>,
        /// Whether it is sent in quiet hours and maintenance windows, too.
        is_urgent: bool,
        /// When it is tried next. While it is being tried: when whoever does is taken for gone.
        due_at: ZonedTimestamp,
        /// How often it was begun.
        tries: i64,
        /// Whoever tries it, by a random id.
        claim: Option<Uuid>,
        created_at: ZonedTimestamp,
        /// When it was taken.
        sent_at: Option<ZonedTimestamp>,
        /// Why it was not taken.
        error: Option<String>,
    }
}

table! {
    /// Where notices are sent.
    NoticeChannel in notice_channel by id {
        id: Id<NoticeChannel>,
        tenant: Id<Tenant>,
        name: String,
        kind: NoticeChannelKind,
        /// What people may see of where it leads: recipients, or the host of the webhook.
        target: String,
        /// Of mail: host, port, security, username, sender, recipients.
        settings: Json,
        /// The password, or the address and key of the webhook; sealed with a key that is not in the database.
        secret: Secret<String>,
        is_active: bool,
        /// Which notices it gets: names of subjects.
        subjects: Json,
        /// Quiet hours, UTC, such as `22:00`: what is due in them is sent when they end.
        quiet_from: Option<String>,
        quiet_until: Option<String>,
        /// When something was taken last.
        last_sent_at: Option<ZonedTimestamp>,
        /// Why the last message was not taken; null once one was.
        last_error: Option<String>,
        /// When somebody removed it. It can be put back.
        removed_at: Option<ZonedTimestamp>,
        created_at: ZonedTimestamp,
        updated_at: ZonedTimestamp,
    }
}

table! {
    /// A time that comes back every week in which nothing is sent; what is due in it is sent when it ends.
    NoticeWindow in notice_window by id {
        id: Id<NoticeWindow>,
        tenant: Id<Tenant>,
        /// What people call it.
        name: String,
        /// The days it begins on: 1 is Monday, 7 is Sunday.
        days: Json,
        /// When it begins, UTC, such as `22:00`.
        starts_at: String,
        /// How long it is; a week at most.
        minutes: i64,
        is_active: bool,
        created_at: ZonedTimestamp,
        updated_at: ZonedTimestamp,
    }
}

lookup! {
    /// What a notice is about.
    NoticeSubject {
        /// A threshold of a budget was reached.
        Budget = "budget",
        /// A cost that is out of the ordinary, or a new service.
        Anomaly = "anomaly",
        /// Critical recommendations and findings of scans.
        Finding = "finding",
        /// Bills that stay away.
        Stale = "stale",
        /// A run of a workflow waits for a person.
        Approval = "approval",
        /// What changed in the last week and why; told to channels that ask for it.
        Digest = "digest",
        /// What a workflow says.
        Workflow = "workflow",
        /// A report that is sent on a schedule.
        Report = "report",
    }
}

lookup! {
    /// How much a notice matters.
    NoticeSeverity {
        /// Worth knowing.
        Info = "info",
        /// Should be looked at.
        Warning = "warning",
        /// Cannot wait.
        Critical = "critical",
    }
}

lookup! {
    /// What came of a delivery.
    NoticeDeliveryState {
        /// It is sent when it is due.
        Waiting = "waiting",
        /// It was taken.
        Sent = "sent",
        /// It was not taken, and is not tried again.
        Failed = "failed",
        /// It was no longer so before it was sent, or its channel was switched off. Waits again when it stands again.
        Dropped = "dropped",
    }
}

lookup! {
    /// A kind of channel.
    NoticeChannelKind {
        /// Mail by an SMTP server.
        Email = "email",
        /// An incoming webhook of Slack.
        Slack = "slack",
        /// A workflow of Microsoft Teams that takes adaptive cards.
        Teams = "teams",
        /// Any address that takes JSON.
        Webhook = "webhook",
    }
}
