import { settingsPages } from '@/features/settings/pages';
import { places } from '@/app/pages';
import type { Width } from './stage';

/** What is pictured: a page, and what is pressed on it. */
export interface View {
  name: string;
  address: string;
  /** Texts of what is pressed, one after the other. */
  pressed?: string[];
  widths: Width[];
}

/** Pages that are worked with in a narrow window, too. */
const main = new Set([
  '/overview',
  '/costs/explorer',
  '/recommendations',
  '/events',
  '/inventory/kubernetes',
  '/imports',
]);

const nameOf = (address: string) => address.slice(1).replaceAll('/', '-');

/** Pages of the service itself: whoever looks at the sample does not set it up from there. */
const servicePages = new Set([
  '/settings/single-sign-on',
  '/settings/model-providers',
  '/settings/model-downloads',
  '/settings/backup',
  '/settings/instances',
  '/settings/health',
]);

/** Pages before the sample is loaded. */
export const viewsOfService: View[] = [
  { name: 'first-run', address: '/overview', widths: [1280, 390] },
  ...settingsPages
    .filter(({ address }) => servicePages.has(address))
    .map(({ address }): View => ({ name: nameOf(address), address, widths: [1280] })),
  { name: 'settings-instances-compare', address: '/settings/instances/compare', widths: [1280] },
];

/** Pages with the sample, each as it opens. */
export const viewsOfSample: View[] = [
  ...places.map(({ address }) => address).filter((address) => address !== '/settings'),
  // The page of the window is in no browser.
  ...settingsPages
    .map(({ address }) => address)
    .filter((address) => address !== '/settings/window' && !servicePages.has(address)),
]
  .map((address): View => ({ name: nameOf(address), address, widths: main.has(address) ? [1280, 1100, 390] : [1280] }))
  // The list of the pages of Settings, which only a phone shows, and one of them under the way back.
  .concat([
    { name: 'settings', address: '/settings', widths: [390] },
    { name: 'settings-users-narrow', address: '/settings/users', widths: [390] },
  ]);

/** The same with something open on it. */
export const details: View[] = [
  { name: 'event', address: '/events', pressed: ['checkout has 1 of 3 replicas'], widths: [1280, 1100, 390] },
  { name: 'event-timeline', address: '/events', pressed: ['checkout has 1 of 3 replicas', 'Timeline'], widths: [1280] },
  { name: 'recommendation', address: '/recommendations', pressed: ['Change shop-archive'], widths: [1280, 1100, 390] },
  {
    name: 'recommendation-apply',
    address: '/recommendations',
    pressed: ['Change shop-archive', 'How to apply'],
    widths: [1280],
  },
  { name: 'finding', address: '/recommendations?q=length', pressed: ['A length is counted'], widths: [1280] },
  { name: 'account', address: '/inventory/accounts', pressed: ['Shop production'], widths: [1280] },
  { name: 'resource', address: '/inventory/resources', pressed: ['amazon-elastic-compute-cloud-1'], widths: [1280] },
  { name: 'workload', address: '/inventory/kubernetes', pressed: ['shop', 'checkout'], widths: [1280] },
  { name: 'nodes', address: '/inventory/kubernetes?tab=nodes', pressed: ['shop'], widths: [1280] },
  { name: 'pods', address: '/inventory/kubernetes?tab=pods', pressed: ['shop'], widths: [1280] },
  { name: 'cluster-changes', address: '/inventory/kubernetes?changes=newest', pressed: ['shop'], widths: [1280] },
  { name: 'anomaly', address: '/costs/anomalies?rules=list', pressed: ['Amazon Elastic'], widths: [1280] },
  { name: 'budget', address: '/costs/budgets', pressed: ['Team shop'], widths: [1280] },
  { name: 'import', address: '/imports', pressed: ['sample.csv'], widths: [1280] },
  { name: 'triage-rule', address: '/events/triage-rules', pressed: ['Repeated events'], widths: [1280] },
  { name: 'graph-list', address: '/assistant/knowledge-graph?view=list', pressed: ['checkout'], widths: [1280] },
  { name: 'overview-daily', address: '/overview?chart=daily', widths: [1280] },
  { name: 'workflow-run', address: '/automation/workflows', pressed: ['Check the shop’s address'], widths: [1280] },
  { name: 'new-workflow', address: '/automation/workflows', pressed: ['New workflow'], widths: [1280] },
];
