/** A kind of tracker, with the fields of its form. */
export interface Tool {
  name: string;
  title: string;
  /** An example address; with a default address the field may be empty. */
  address: string;
  usual?: string;
  /** The user name field; without it, the key alone identifies the user. */
  username?: { label: string; help: string; needed: boolean };
  secret: { label: string; help: string };
  project: { help: string; example: string };
}

/** The trackers that tickets can be sent to, as known by the service. */
export const tools: readonly Tool[] = [
  {
    name: 'jira',
    title: 'Jira',
    address: 'https://acme.atlassian.net',
    username: {
      label: 'E-mail or user name',
      help: 'On Cloud the e-mail address the API token belongs to. Empty for a personal access token of Data Center.',
      needed: false,
    },
    secret: { label: 'API token or password', help: 'A token of a user who can create issues with labels.' },
    project: { help: 'The key of the project tickets go to.', example: 'OPS' },
  },
  {
    name: 'github',
    title: 'GitHub',
    address: 'https://github.com',
    usual: 'https://github.com',
    secret: { label: 'Access token', help: 'With the right to read and write issues.' },
    project: { help: 'Owner and repository tickets go to.', example: 'acme/shop' },
  },
  {
    name: 'gitlab',
    title: 'GitLab',
    address: 'https://gitlab.com',
    usual: 'https://gitlab.com',
    secret: { label: 'Access token', help: 'With the scope api.' },
    project: { help: 'The path or number of the project tickets go to.', example: 'acme/shop' },
  },
  {
    name: 'servicenow',
    title: 'ServiceNow',
    address: 'https://acme.service-now.com',
    username: {
      label: 'User name',
      help: 'Leave empty when the secret is an access token.',
      needed: false,
    },
    secret: { label: 'Password or access token', help: 'Of a user who can create records in the table.' },
    project: { help: 'The table tickets go to. If empty, incident.', example: 'incident' },
  },
  {
    name: 'pagerduty',
    title: 'PagerDuty',
    address: 'https://api.pagerduty.com',
    usual: 'https://api.pagerduty.com',
    username: {
      label: 'E-mail',
      help: 'Of the PagerDuty user in whose name incidents are opened.',
      needed: true,
    },
    secret: { label: 'API key', help: 'A REST API key that may write.' },
    project: { help: 'The id of the service incidents belong to.', example: 'PIJ90N7' },
  },
];

export function toolOf(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** The name of a kind of tracker; kinds that tickets cannot be sent to keep their identifier. */
export function titleOf(name: string): string {
  return name === 'quarterdeck' ? 'Here only' : (toolOf(name)?.title ?? name);
}
