/** The pages of Settings, in the order of the second column. Only those that work are listed. */
export const settingsPages = [
  { group: 'Access', title: 'Single sign-on', address: '/settings/single-sign-on' },
] as const;
