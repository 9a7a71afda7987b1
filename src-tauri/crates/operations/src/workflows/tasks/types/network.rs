//! Tasks that check network connections, under the same policy as `integrations.http`.

use super::super::{Parameter, Task, one_of, optional, required};

const HOST: Parameter = required("host", "string", "A host name or an address.");
const TIMEOUT: Parameter =
    optional("timeout", "string|number", "How long a connection may take, such as 5s.");
const ERROR: Parameter = optional("error", "string", "Why not.");

pub(super) const DNS: Task = Task {
    name: "network.dns",
    about: "Looks up records of a name.",
    inputs: &[
        required("domain", "string", "The name."),
        one_of(
            optional("type", "string", "Which records; A unless given."),
            &["A", "AAAA", "CNAME", "MX", "NS", "TXT"],
        ),
        optional(
            "server",
            "string",
            "The name server to ask, with :port if it is not 53; those of the machine unless given.",
        ),
        TIMEOUT,
    ],
    outputs: &[
        optional("domain", "string", "The name."),
        optional("type", "string", "Which records."),
        optional("answer", "any", "A list of texts; objects with host and pref for MX; a text for CNAME."),
    ],
};

pub(super) const NTP: Task = Task {
    name: "network.ntp",
    about: "Compares the clock of this machine with a time server.",
    inputs: &[
        optional("host", "string", "The time server; pool.ntp.org unless given."),
        optional("port", "string|number", "Its port; 123 unless given."),
        TIMEOUT,
    ],
    outputs: &[
        optional("server", "string", "The time server."),
        optional("ntp_time", "string", "Its time."),
        optional("local_time", "string", "The time of this machine."),
        optional("drift_seconds", "number", "How far this machine is ahead."),
        optional("drift_human", "string", "The same for people."),
    ],
};

pub(super) const PING: Task = Task {
    name: "network.ping",
    about: "Sends pings to a host, by the program ping, where the administrator of the service allows it.",
    inputs: &[HOST, optional("count", "number", "How many; 3 unless given, 30 at most.")],
    outputs: &[
        optional("host", "string", "The host."),
        optional("reachable", "boolean", "Whether any came back."),
        optional("packet_loss", "number", "Percent of those that did not."),
        optional("avg_latency", "number", "Milliseconds until they came back."),
        optional("output", "string", "What the program wrote."),
    ],
};

pub(super) const SSL: Task = Task {
    name: "network.ssl",
    about: "Looks at the certificate that a host shows.",
    inputs: &[HOST, optional("port", "string|number", "Its port; 443 unless given."), TIMEOUT],
    outputs: &[
        optional("subject", "string", "Common name of whom it is for."),
        optional("issuer", "string", "Common name of who signed it."),
        optional("not_before", "string", "From when on it counts."),
        optional("not_after", "string", "Until when it counts."),
        optional("dns_names", "array", "The hosts it is for."),
        optional("valid", "boolean", "Whether it counts now, by its times."),
        optional("days_left", "integer", "Whole days until it ends."),
        optional("trusted", "boolean", "Whether this service trusts it for the host."),
        ERROR,
    ],
};

pub(super) const TCP: Task = Task {
    name: "network.tcp",
    about: "Looks whether a port answers.",
    inputs: &[
        HOST,
        required("port", "any", "Its port."),
        TIMEOUT,
        optional("message", "string", "What is sent when there is a connection."),
        optional(
            "read_timeout",
            "string",
            "How long an answer is waited for; nothing is read unless given or a message is sent.",
        ),
    ],
    outputs: &[
        optional("host", "string", "The host."),
        optional("port", "string", "The port."),
        optional("reachable", "boolean", "Whether there was a connection."),
        optional("response", "string", "What came back, 4 KiB at most."),
        ERROR,
    ],
};

pub(super) const TRACEROUTE: Task = Task {
    name: "network.traceroute",
    about: "Traces the route to a host, by the program traceroute, where the administrator of the service allows it.",
    inputs: &[HOST, optional("max_hops", "number", "How many hops at most; 30 unless given.")],
    outputs: &[
        optional("host", "string", "The host."),
        optional("hops", "array", "Objects with hop, ip (* where nobody answers) and latency_ms."),
        optional("reached", "boolean", "Whether the host itself answered."),
        optional("raw", "string", "What the program wrote."),
    ],
};

pub(super) const WHOIS: Task = Task {
    name: "network.whois",
    about: "Asks a registry for the registration of a name.",
    inputs: &[
        required("domain", "string", "The name."),
        optional(
            "server",
            "string",
            "The registry to ask, with :port if it is not 43; found by whois.iana.org unless given.",
        ),
        TIMEOUT,
    ],
    outputs: &[
        optional("domain", "string", "The name."),
        optional("server", "string", "Who answered."),
        optional("registered", "boolean", "Whether the registry has a record."),
        optional("status", "string", "found, not_found, rate_limited, parse_error or lookup_failed."),
        optional("expiry", "string", "When it ends, or null."),
        optional("registrar", "string", "Who registered it."),
        optional("created", "string", "Since when it is registered."),
        optional("updated", "string", "When it was changed."),
        optional("nameservers", "array", "Its name servers."),
        optional("domain_status", "array", "What the registry says of its state."),
        optional("registrant_country", "string", "Where its owner is."),
        optional("raw", "string", "What the registry wrote."),
        ERROR,
    ],
};
