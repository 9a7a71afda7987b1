/** Texts of the accounts page. */

export const providers: Record<string, string> = { K8s: 'K8s', Azure: 'AZ', GCP: 'GCP', AWS: 'AWS' };

export const kinds: Record<string, string> = {
  kubernetes: 'Kubernetes cluster',
  cloud: 'Cloud account',
  account: 'Cloud account',
  database: 'Database',
};

/** A source of alerts or findings that is not a cloud account: a monitoring system or a scanner. */
export const otherKind = 'Other source';

export const environments = { prod: 'Production', non_prod: 'Not production' } as const;

export const views = { all: 'All', attention: 'Needs attention' };

export const ways = [
  {
    id: 'costs',
    title: 'Cost files',
    action: 'Import cost files',
    text: 'Cost and usage exports (FOCUS, AWS CUR) create the accounts they name. No access to the account is needed.',
  },
  {
    id: 'inventories',
    title: 'Inventories',
    action: 'Import inventories',
    text: 'Exports of resources and recommendations add the resources of an account and possible savings.',
  },
  {
    id: 'bundle',
    title: 'A support bundle',
    action: 'Import a support bundle',
    text: 'One archive from a cluster you cannot reach gives its inventory, events and logs.',
  },
] as const;

export const empty = {
  title: 'No accounts yet',
  text: 'Importing files creates the accounts in them: cost and usage exports, inventories, Kubernetes support bundles.',
  action: 'Import files',
};

export const fields = {
  name: { label: 'Name', help: 'A display name. It must be unique.' },
  environment: { label: 'Environment', help: 'Events of production score higher.' },
  owner: { label: 'Owner', help: 'A person or a team. Stored as the attribute “owner”.' },
  purpose: { label: 'Purpose', help: 'What the account is used for.' },
  budget: { label: 'Budget per month', help: 'In the currency of its bills. 0: no budget.' },
};
