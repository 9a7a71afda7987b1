/** Texts of Settings, Workflow secrets. */
export const texts = {
  empty: {
    title: 'No secrets yet',
    text: 'Store a token for workflow tasks here, or set the hosts to which one from the environment of the service may be sent.',
  },
  needsAdmin: 'Changing secrets needs the role tenant_admin',
  kept: 'Leave empty to keep the current one.',
  value: 'Stored encrypted and never shown again.',
  hosts:
    'Hosts to which it may be sent: one per line, such as api.github.com, or *.example.com for all its subdomains. If empty, it may be sent anywhere; a new GITHUB_TOKEN, GITLAB_TOKEN or SLACK_BOT_TOKEN goes to its own service.',
  remove: 'Workflows that use it fail from now on, unless the environment of the service has one with this name.',
} as const;
