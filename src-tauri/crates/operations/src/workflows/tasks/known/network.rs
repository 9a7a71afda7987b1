//! Tasks that check network connections, under the same policy as `integrations.http`.

use super::super::{Slot, Task, needs, one_of, takes};

const HOST: Slot = needs("host", "string", "A host name or an address.");
const TIMEOUT: Slot = takes("timeout", "string|number", "How long a connection may take, such as 5s.");
const ERROR: Slot = takes("error", "string", "Why not.");

pub(super) const DNS: Task = Task {
    name: "network.dns",
    about: "Looks up records of a name.",
    takes: &[
        needs("domain", "string", "The name."),
        one_of(
            takes("type", "string", "Which records; A unless given."),
            &["A", "AAAA", "CNAME", "MX", "NS", "TXT"],
        ),
        takes(
            "server",
            "string",
            "The name server to ask, with :port if it is not 53; those of the machine unless given.",
        ),
        TIMEOUT,
    ],
    gives: &[
        takes("domain", "string", "The name."),
        takes("type", "string", "Which records."),
        takes("answer", "any", "A list of texts; objects with host and pref for MX; a text for CNAME."),
    ],
};

pub(super) const NTP: Task = Task {
    name: "network.ntp",
    about: "Compares the clock of this machine with a time server.",
    takes: &[
        takes("host", "string", "The time server; pool.ntp.org unless given."),
        takes("port", "string|number", "Its port; 123 unless given."),
        TIMEOUT,
    ],
    gives: &[
        takes("server", "string", "The time server."),
        takes("ntp_time", "string", "Its time."),
        takes("local_time", "string", "The time of this machine."),
        takes("drift_seconds", "number", "How far this machine is ahead."),
        takes("drift_human", "string", "The same for people."),
    ],
};

pub(super) const PING: Task = Task {
    name: "network.ping",
    about: "Sends pings to a host, by the program ping, where the administrator of the service allows it.",
    takes: &[HOST, takes("count", "number", "How many; 3 unless given, 30 at most.")],
    gives: &[
        takes("host", "string", "The host."),
        takes("reachable", "boolean", "Whether any came back."),
        takes("packet_loss", "number", "Percent of those that did not."),
        takes("avg_latency", "number", "Milliseconds until they came back."),
        takes("output", "string", "What the program wrote."),
    ],
};

pub(super) const SSL: Task = Task {
    name: "network.ssl",
    about: "Looks at the certificate that a host shows.",
    takes: &[HOST, takes("port", "string|number", "Its port; 443 unless given."), TIMEOUT],
    gives: &[
        takes("subject", "string", "Common name of whom it is for."),
        takes("issuer", "string", "Common name of who signed it."),
        takes("not_before", "string", "From when on it counts."),
        takes("not_after", "string", "Until when it counts."),
        takes("dns_names", "array", "The hosts it is for."),
        takes("valid", "boolean", "Whether it counts now, by its times."),
        takes("days_left", "integer", "Whole days until it ends."),
        takes("trusted", "boolean", "Whether this service trusts it for the host."),
        ERROR,
    ],
};

pub(super) const TCP: Task = Task {
    name: "network.tcp",
    about: "Looks whether a port answers.",
    takes: &[
        HOST,
        needs("port", "any", "Its port."),
        TIMEOUT,
        takes("message", "string", "What is sent when there is a connection."),
        takes(
            "read_timeout",
            "string",
            "How long an answer is waited for; nothing is read unless given or a message is sent.",
        ),
    ],
    gives: &[
        takes("host", "string", "The host."),
        takes("port", "string", "The port."),
        takes("reachable", "boolean", "Whether there was a connection."),
        takes("response", "string", "What came back, 4 KiB at most."),
        ERROR,
    ],
};

pub(super) const TRACEROUTE: Task = Task {
    name: "network.traceroute",
    about: "Traces the route to a host, by the program traceroute, where the administrator of the service allows it.",
    takes: &[HOST, takes("max_hops", "number", "How many hops at most; 30 unless given.")],
    gives: &[
        takes("host", "string", "The host."),
        takes("hops", "array", "Objects with hop, ip (* where nobody answers) and latency_ms."),
        takes("reached", "boolean", "Whether the host itself answered."),
        takes("raw", "string", "What the program wrote."),
    ],
};

pub(super) const WHOIS: Task = Task {
    name: "network.whois",
    about: "Asks a registry for the registration of a name.",
    takes: &[
        needs("domain", "string", "The name."),
        takes(
            "server",
            "string",
            "The registry to ask, with :port if it is not 43; found by whois.iana.org unless given.",
        ),
        TIMEOUT,
    ],
    gives: &[
        takes("domain", "string", "The name."),
        takes("server", "string", "Who answered."),
        takes("registered", "boolean", "Whether the registry has a record."),
        takes("status", "string", "found, not_found, rate_limited, parse_error or lookup_failed."),
        takes("expiry", "string", "When it ends, or null."),
        takes("registrar", "string", "Who registered it."),
        takes("created", "string", "Since when it is registered."),
        takes("updated", "string", "When it was changed."),
        takes("nameservers", "array", "Its name servers."),
        takes("domain_status", "array", "What the registry says of its state."),
        takes("registrant_country", "string", "Where its owner is."),
        takes("raw", "string", "What the registry wrote."),
        ERROR,
    ],
};
