import {
  BadgePercent,
  BookOpen,
  Boxes,
  Braces,
  Brain,
  ChartColumn,
  Divide,
  FileClock,
  HandCoins,
  LayoutDashboard,
  ListChecks,
  PiggyBank,
  Scale,
  ScrollText,
  Server,
  Settings,
  Ship,
  Siren,
  Sparkles,
  Stethoscope,
  TrendingUpDown,
  Target,
  Upload,
  UserCheck,
  Waypoints,
  Workflow as WorkflowIcon,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { Needs } from '@/api';

export type PageAddress =
  | '/overview'
  | '/costs/explorer'
  | '/costs/anomalies'
  | '/costs/budgets'
  | '/costs/commitments'
  | '/costs/allocation'
  | '/costs/unit-costs'
  | '/costs/reports'
  | '/recommendations'
  | '/savings'
  | '/inventory/accounts'
  | '/inventory/resources'
  | '/inventory/kubernetes'
  | '/events'
  | '/events/triage-rules'
  | '/events/logs'
  | '/automation/autopilot'
  | '/automation/workflows'
  | '/automation/approvals'
  | '/assistant/conversations'
  | '/assistant/knowledge-bases'
  | '/assistant/knowledge-graph'
  | '/assistant/memory'
  | '/assistant/causes'
  | '/api-explorer'
  | '/imports'
  | '/settings';

/** A place in the rail. Only pages that work are listed. */
export interface Place {
  title: string;
  /** Its section in the rail, if any; places of a section are adjacent. */
  section?: string;
  /** Short name of the section where space is limited. */
  short?: string;
  address: PageAddress;
  keys?: string;
  icon: LucideIcon;
  /** Without this the page has nothing to show: it is off where an instance of another version lacks it. */
  needs?: Needs;
  /** Below the line: for builders and for getting data in. */
  below?: boolean;
  /** Loaded when it is opened, and not before: its editor is as large as all other pages together, and few open it. */
  onDemand?: boolean;
}

const assistant = { section: 'Assistant & knowledge', short: 'Assistant' } as const;
const spends = { fields: ['spend_groupings_v2'] };

export const places: readonly Place[] = [
  { title: 'Overview', address: '/overview', keys: 'g o', icon: LayoutDashboard, needs: spends },
  {
    title: 'Explorer',
    section: 'Costs',
    address: '/costs/explorer',
    keys: 'g c',
    icon: ChartColumn,
    needs: spends,
  },
  {
    title: 'Anomalies',
    section: 'Costs',
    address: '/costs/anomalies',
    keys: 'g n',
    icon: TrendingUpDown,
    needs: { fields: ['anomaly', 'spend_anomaly_drivers'] },
  },
  {
    title: 'Budgets',
    section: 'Costs',
    address: '/costs/budgets',
    keys: 'g b',
    icon: Target,
    needs: { fields: ['spend_budgets'] },
  },
  {
    title: 'Commitments',
    section: 'Costs',
    address: '/costs/commitments',
    icon: BadgePercent,
    needs: { fields: ['spend_commitments', 'spend_commitment_proposals'] },
  },
  {
    title: 'Allocation',
    section: 'Costs',
    address: '/costs/allocation',
    icon: Scale,
    needs: { fields: ['allocation_rule', 'allocation_preview', 'tag_coverage', 'virtual_tag'] },
  },
  {
    title: 'Unit costs',
    section: 'Costs',
    address: '/costs/unit-costs',
    icon: Divide,
    needs: { fields: ['unit_costs', 'business_number'] },
  },
  {
    title: 'Reports',
    section: 'Costs',
    address: '/costs/reports',
    icon: FileClock,
    needs: { fields: ['scheduled_report', 'report_document'] },
  },
  {
    title: 'Recommendations',
    address: '/recommendations',
    keys: 'g r',
    icon: PiggyBank,
    needs: { fields: ['recommendation'] },
  },
  {
    title: 'Savings',
    address: '/savings',
    icon: HandCoins,
    needs: { fields: ['savings_ledger'] },
  },
  {
    title: 'Accounts',
    section: 'Inventory',
    address: '/inventory/accounts',
    keys: 'g i',
    icon: Boxes,
    needs: { fields: ['cloud_accounts'] },
  },
  {
    title: 'Resources',
    section: 'Inventory',
    address: '/inventory/resources',
    icon: Server,
    needs: { fields: ['cloud_resources_page', 'cloud_resources_totals', 'spend_groupings_v2'] },
  },
  {
    title: 'Kubernetes',
    section: 'Inventory',
    address: '/inventory/kubernetes',
    keys: 'g k',
    icon: Ship,
    needs: { fields: ['cloud_accounts', 'k8s_pods', 'k8s_workloads'] },
  },
  {
    title: 'All events',
    section: 'Events',
    address: '/events',
    keys: 'g e',
    icon: Siren,
    needs: { fields: ['events', 'event_groupings_v2'] },
  },
  {
    title: 'Triage rules',
    section: 'Events',
    address: '/events/triage-rules',
    icon: ListChecks,
    needs: { fields: ['event_get_triage_rules'] },
  },
  {
    title: 'Logs',
    section: 'Events',
    address: '/events/logs',
    icon: ScrollText,
    needs: { fields: ['logs', 'logs_query'] },
  },
  {
    title: 'Auto-pilot',
    section: 'Automation',
    address: '/automation/autopilot',
    icon: WorkflowIcon,
    needs: { fields: ['auto_pilot', 'auto_playbook'] },
  },
  {
    title: 'Workflows',
    section: 'Automation',
    address: '/automation/workflows',
    keys: 'g a',
    icon: WorkflowIcon,
    needs: { fields: ['workflow_list'] },
  },
  {
    title: 'Approvals',
    section: 'Automation',
    address: '/automation/approvals',
    keys: 'g p',
    icon: UserCheck,
    needs: { fields: ['workflow_list_approvals'] },
  },
  {
    title: 'Conversations',
    ...assistant,
    address: '/assistant/conversations',
    keys: 'g l',
    icon: Sparkles,
    needs: { area: 'assistant', fields: ['ai_list_conversations'] },
  },
  {
    title: 'Knowledge bases',
    ...assistant,
    address: '/assistant/knowledge-bases',
    icon: BookOpen,
    needs: { fields: ['ai_list_kb'] },
  },
  {
    title: 'Knowledge graph',
    ...assistant,
    address: '/assistant/knowledge-graph',
    icon: Waypoints,
    needs: { fields: ['kg_get_complete_graph', 'kg_list_path'] },
  },
  { title: 'Memory', ...assistant, address: '/assistant/memory', icon: Brain },
  {
    title: 'Likely causes',
    ...assistant,
    address: '/assistant/causes',
    icon: Stethoscope,
    needs: { fields: ['events', 'ai_get_rca'] },
  },
  { title: 'API explorer', address: '/api-explorer', keys: 'g x', icon: Braces, below: true, onDemand: true },
  {
    title: 'Imports',
    address: '/imports',
    keys: 'g m',
    icon: Upload,
    below: true,
    needs: { area: 'imports', fields: ['imports'] },
  },
  { title: 'Settings', address: '/settings', keys: 'g s', icon: Settings, below: true },
];

/** A line of the rail: a place, or a section with its places. */
export interface Entry {
  title: string;
  short: string;
  icon: LucideIcon;
  below: boolean;
  places: readonly [Place, ...Place[]];
}

/** The lines of the rail, grouped by section. */
export const entries: readonly Entry[] = places.reduce<Entry[]>((all, place) => {
  const last = all.at(-1);
  if (last && place.section !== undefined && last.title === place.section)
    return [...all.slice(0, -1), { ...last, places: [...last.places, place] }];
  const { icon, below = false } = place;
  const title = place.section ?? place.title;
  return [...all, { title, short: place.short ?? title, icon, below, places: [place] }];
}, []);
