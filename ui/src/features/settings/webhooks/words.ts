/** Texts of Settings, Webhooks. */

export const texts = {
  about: 'Each monitoring system posts its alerts to its own URL; every alert becomes an event.',
  empty: {
    title: 'No webhooks yet',
    text: 'Create a webhook for a monitoring system. Its alerts appear under Events and close when they resolve.',
  },
  once: 'This URL is shown only once. Copy it to the sender before you close this.',
  local:
    'Only this computer can reach this URL. For other computers, have Quarterdeck listen on the network behind HTTPS.',
  noOrigin: 'The address of this instance is not known here. Put it in front of the path.',
  needsAdmin: 'Creating and revoking webhooks needs the role tenant_admin',
  revoke: 'Messages to this URL will be rejected. Events it created stay. This cannot be undone.',
} as const;
