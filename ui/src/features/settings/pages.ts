/** The pages of Settings, in the order of the second column. Only those that work are listed. */
export const settingsPages = [
  { group: 'Access', title: 'Single sign-on', address: '/settings/single-sign-on' },
  { group: 'Access', title: 'Users & roles', address: '/settings/users' },
  { group: 'Access', title: 'API tokens', address: '/settings/api-tokens' },
  { group: 'Access', title: 'Sessions', address: '/settings/sessions' },
  { group: 'Models', title: 'Model providers', address: '/settings/model-providers' },
  { group: 'Models', title: 'Model downloads', address: '/settings/model-downloads' },
  { group: 'System', title: 'Instances', address: '/settings/instances' },
  { group: 'System', title: 'Window', address: '/settings/window' },
  { group: 'System', title: 'Backup & restore', address: '/settings/backup' },
  { group: 'System', title: 'Health & about', address: '/settings/health' },
] as const;
