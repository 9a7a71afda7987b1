//! Tasks that run a local program against one service, whose address is a secret.

use super::super::{Parameter, Task, one_of, optional, required};
use super::OUTPUT;

const COMMAND: Parameter =
    required("command", "string|array", "The command line, or a list of arguments; no shell reads it.");
const INTEGRATION: Parameter = optional(
    "integration_id",
    "string",
    "The connection by its name: prod-db is SECRET_PROD_DB in the environment of the service.",
);
const CONNECTION: Parameter = optional(
    "connection",
    "string",
    "The connection as a secret, such as {{ Secrets.NAME }}; instead of integration_id.",
);

pub(super) const ARGOCD: Task = Task {
    name: "cicd.argocd.cli",
    about: "Runs the program argocd, where the administrator of the service allows it. The connection is https://:token@host.",
    inputs: &[COMMAND, INTEGRATION, CONNECTION],
    outputs: OUTPUT,
};

pub(super) const DATABASE: Task = Task {
    name: "dbms.query",
    about: "Runs SQL with the program psql or mysql, where the administrator of the service allows it. The connection is \
            postgresql://name:password@host/database or mysql://….",
    inputs: &[
        one_of(required("dbms_type", "string", "Which database."), &["postgresql", "mysql"]),
        required("command", "string", "The statement."),
        optional(
            "read_only",
            "boolean",
            "That it changes nothing: transactions are read-only, and it may run again after a crash.",
        ),
        INTEGRATION,
        CONNECTION,
    ],
    outputs: &[
        optional("data", "string", "What the program wrote: CSV of psql, lines with tabs of mysql."),
        optional("rows", "array", "The rows as objects by the names of columns; values are texts."),
        optional("stderr", "string", "What it wrote beside that."),
    ],
};

pub(super) const REDIS: Task = Task {
    name: "dbms.redis.cli",
    about: "Runs the program redis-cli (7 or newer), where the administrator of the service allows it. The connection is \
            redis://:password@host:6379/0 or rediss://….",
    inputs: &[COMMAND, INTEGRATION, CONNECTION],
    outputs: OUTPUT,
};

pub(super) const SSH: Task = Task {
    name: "integrations.ssh",
    about: "Runs a command on another machine with the program ssh and the keys of whoever runs the service, where its administrator \
            allows it. The other machine must be among the known hosts. The connection is ssh://name@host.",
    inputs: &[
        required("command", "string", "The command; a shell of the other machine reads it."),
        INTEGRATION,
        CONNECTION,
    ],
    outputs: OUTPUT,
};

pub(super) const RABBITMQ: Task = Task {
    name: "mq.rabbitmqadmin.cli",
    about: "Runs the program rabbitmqadmin of RabbitMQ's management plugin, where the administrator of the service allows it. The \
            connection is http://name:password@host:15672/vhost or https://….",
    inputs: &[COMMAND, INTEGRATION, CONNECTION],
    outputs: OUTPUT,
};

pub(super) const GITHUB: Task = Task {
    name: "scm.github.cli",
    about: "Runs the program gh, where the administrator of the service allows it, with SECRET_GITHUB_TOKEN unless a connection is given: \
            a token, or https://:token@host of one's own service.",
    inputs: &[COMMAND, INTEGRATION, CONNECTION],
    outputs: OUTPUT,
};

pub(super) const GITLAB: Task = Task {
    name: "scm.gitlab.cli",
    about: "Runs the program glab, where the administrator of the service allows it, with SECRET_GITLAB_TOKEN unless a connection is \
            given: a token, or https://:token@host of one's own service.",
    inputs: &[COMMAND, INTEGRATION, CONNECTION],
    outputs: OUTPUT,
};

pub(super) const SCRIPT: Task = Task {
    name: "scripting.run_script",
    about: "Runs a script on the machine of the service, where its administrator switches scripts on and allows the interpreter. It sees \
            nothing of the service's environment and has a folder of its own.",
    inputs: &[
        required("script", "string", "The script. Values go in by env, not by templates inside it."),
        one_of(
            optional(
                "language",
                "string",
                "What it is written in; what its first line says, or bash, unless given.",
            ),
            &["bash", "javascript", "powershell", "python"],
        ),
        optional("args", "array", "Its arguments."),
        optional("env", "object", "Its environment by name; secrets go here."),
        one_of(optional("parser_type", "string", "json: what it writes is read as JSON."), &["json", "text"]),
    ],
    outputs: &[
        optional("data", "any", "What it wrote."),
        optional("stderr", "string", "What it wrote beside that."),
    ],
};
