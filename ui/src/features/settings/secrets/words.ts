/** Texts of Settings, Workflow secrets. */
export const texts = {
  empty: {
    title: 'No secrets yet',
    text: 'Keep a token here for tasks of workflows, or say where one of the environment of the service may be sent.',
  },
  needsAdmin: 'Secrets are kept and removed by people with the role tenant_admin',
  kept: 'Leave it empty to keep the one that is there.',
  value: 'Sealed when it is saved, and never shown again.',
  hosts:
    'Where it may be sent: one a line, such as api.github.com, or *.example.com for all below it. Without any it may be sent anywhere; a new GITHUB_TOKEN, GITLAB_TOKEN or SLACK_BOT_TOKEN goes to its own service.',
  remove: 'Workflows that name it fail from now on, unless the environment of the service has one of that name.',
} as const;
