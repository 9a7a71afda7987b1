/** Texts of Settings, Webhooks. */

export const texts = {
  about: 'Each monitoring system posts its alerts to its own URL; every alert becomes an event.',
  empty: {
    title: 'No webhook yet',
    text: 'Make an address for a monitoring system. Alerts it sends appear under Events, and end there when it says so.',
  },
  once: 'The address cannot be shown again. Paste it into the sender before you close this.',
  local:
    'Only programs on this computer reach this address. Others need Quarterdeck to listen on the network, behind HTTPS.',
  noOrigin: 'The address of this instance is not known here; put its own address in front of the path.',
  needsAdmin: 'Webhooks are made and revoked by people with the role tenant_admin',
  revoke: 'Messages to this address are refused from now on. Events that came through it stay. This cannot be undone.',
} as const;
