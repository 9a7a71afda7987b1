import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { accountsSearch } from '@/features/accounts/search';
import { accountSearch, assistantSearch, causesSearch } from '@/features/assistant/search';
import { approvalsSearch } from '@/features/automation/approvals/search';
import { pilotsSearch } from '@/features/automation/pilots/search';
import { workflowsSearch } from '@/features/automation/search';
import { allocationSearch } from '@/features/costs/allocation/search';
import { anomaliesSearch } from '@/features/costs/anomalies/search';
import { budgetsSearch } from '@/features/costs/budgets/search';
import { reportsSearch } from '@/features/costs/reports/search';
import { unitCostsSearch } from '@/features/costs/units/search';
import { commitmentsSearch } from '@/features/costs/commitments/search';
import { explorerSearch } from '@/features/costs/search';
import { eventsSearch } from '@/features/events/search';
import { graphSearch } from '@/features/graph/search';
import { importsSearch } from '@/features/imports/search';
import { resourcesSearch } from '@/features/inventory/search';
import { kubernetesSearch } from '@/features/kubernetes/search';
import { logsSearch } from '@/features/logs/search';
import { overviewSearch } from '@/features/overview/search';
import { recommendationsSearch } from '@/features/recommendations/search';
import { compareSearch, privacySearch, providersSearch, signOnSearch, usersSearch } from '@/features/settings/search';
import { triageSearch } from '@/features/triage/search';
import { pagesBase } from '@/shared/place';
import { isNarrowNow } from '@/shared/useNarrow';
import { parseSearch, stringifySearch } from './address';
import { knownSearch } from './knownSearch';
import { lazyPage } from './lazyPage';
import { PageFailure } from './PageFailure';
import { PageMissing } from './PageMissing';
import { Root } from './Root';

/**
 * The addresses. Each page but the first comes in a chunk of its own; what it shows is in its search parameters, read by `search.ts` of its feature, so
 * a link shows the same thing to a colleague.
 */
const root = createRootRoute({ component: Root, notFoundComponent: PageMissing });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true });
  },
});
const costs = createRoute({
  getParentRoute: () => root,
  path: '/costs',
  beforeLoad: () => {
    throw redirect({ to: '/costs/explorer', replace: true });
  },
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyPage(() => import('@/features/sign-in/SignInPage'), 'SignInPage'),
});
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  component: lazyPage(() => import('@/features/sign-in/DevicePage'), 'DevicePage'),
});
const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  validateSearch: knownSearch(overviewSearch),
  // The start page is in the main chunk: it would be waited for anyway.
  component: lazyPage(() => import('@/features/overview/OverviewPage'), 'OverviewPage'),
});
const explorer = createRoute({
  getParentRoute: () => root,
  path: '/costs/explorer',
  validateSearch: knownSearch(explorerSearch),
  component: lazyPage(() => import('@/features/costs/ExplorerPage'), 'ExplorerPage'),
});
const anomalies = createRoute({
  getParentRoute: () => root,
  path: '/costs/anomalies',
  validateSearch: knownSearch(anomaliesSearch),
  component: lazyPage(() => import('@/features/costs/anomalies/AnomaliesPage'), 'AnomaliesPage'),
});
const budgets = createRoute({
  getParentRoute: () => root,
  path: '/costs/budgets',
  validateSearch: knownSearch(budgetsSearch),
  component: lazyPage(() => import('@/features/costs/budgets/BudgetsPage'), 'BudgetsPage'),
});
const commitments = createRoute({
  getParentRoute: () => root,
  path: '/costs/commitments',
  validateSearch: knownSearch(commitmentsSearch),
  component: lazyPage(() => import('@/features/costs/commitments/CommitmentsPage'), 'CommitmentsPage'),
});
const allocation = createRoute({
  getParentRoute: () => root,
  path: '/costs/allocation',
  validateSearch: knownSearch(allocationSearch),
  component: lazyPage(() => import('@/features/costs/AllocationPage'), 'AllocationPage'),
});
const unitCosts = createRoute({
  getParentRoute: () => root,
  path: '/costs/unit-costs',
  validateSearch: knownSearch(unitCostsSearch),
  component: lazyPage(() => import('@/features/costs/units/UnitCostsPage'), 'UnitCostsPage'),
});
const reports = createRoute({
  getParentRoute: () => root,
  path: '/costs/reports',
  validateSearch: knownSearch(reportsSearch),
  component: lazyPage(() => import('@/features/costs/reports/ReportsPage'), 'ReportsPage'),
});
const recommendations = createRoute({
  getParentRoute: () => root,
  path: '/recommendations',
  validateSearch: knownSearch(recommendationsSearch),
  component: lazyPage(() => import('@/features/recommendations/RecommendationsPage'), 'RecommendationsPage'),
});
const savings = createRoute({
  getParentRoute: () => root,
  path: '/savings',
  component: lazyPage(() => import('@/features/savings/SavingsPage'), 'SavingsPage'),
});
const inventory = createRoute({
  getParentRoute: () => root,
  path: '/inventory',
  beforeLoad: () => {
    throw redirect({ to: '/inventory/accounts', replace: true });
  },
});
const accounts = createRoute({
  getParentRoute: () => root,
  path: '/inventory/accounts',
  validateSearch: knownSearch(accountsSearch),
  component: lazyPage(() => import('@/features/accounts/AccountsPage'), 'AccountsPage'),
});
const kubernetes = createRoute({
  getParentRoute: () => root,
  path: '/inventory/kubernetes',
  validateSearch: knownSearch(kubernetesSearch),
  component: lazyPage(() => import('@/features/kubernetes/KubernetesPage'), 'KubernetesPage'),
});
const resources = createRoute({
  getParentRoute: () => root,
  path: '/inventory/resources',
  validateSearch: knownSearch(resourcesSearch),
  component: lazyPage(() => import('@/features/inventory/ResourcesPage'), 'ResourcesPage'),
});
const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  validateSearch: knownSearch(eventsSearch),
  component: lazyPage(() => import('@/features/events/EventsPage'), 'EventsPage'),
});
const triageRules = createRoute({
  getParentRoute: () => root,
  path: '/events/triage-rules',
  validateSearch: knownSearch(triageSearch),
  component: lazyPage(() => import('@/features/triage/RulesPage'), 'RulesPage'),
});
const logs = createRoute({
  getParentRoute: () => root,
  path: '/events/logs',
  validateSearch: knownSearch(logsSearch),
  component: lazyPage(() => import('@/features/logs/LogsPage'), 'LogsPage'),
});
const automation = createRoute({
  getParentRoute: () => root,
  path: '/automation',
  beforeLoad: () => {
    throw redirect({ to: '/automation/workflows', replace: true });
  },
});
const workflows = createRoute({
  getParentRoute: () => root,
  path: '/automation/workflows',
  validateSearch: knownSearch(workflowsSearch),
  component: lazyPage(() => import('@/features/automation/WorkflowsPage'), 'WorkflowsPage'),
});
const autopilot = createRoute({
  getParentRoute: () => root,
  path: '/automation/autopilot',
  validateSearch: knownSearch(pilotsSearch),
  component: lazyPage(() => import('@/features/automation/pilots/PilotsPage'), 'PilotsPage'),
});
const approvals = createRoute({
  getParentRoute: () => root,
  path: '/automation/approvals',
  validateSearch: knownSearch(approvalsSearch),
  component: lazyPage(() => import('@/features/automation/approvals/ApprovalsPage'), 'ApprovalsPage'),
});
const assistantHome = createRoute({
  getParentRoute: () => root,
  path: '/assistant',
  beforeLoad: () => {
    throw redirect({ to: '/assistant/conversations', replace: true });
  },
});
const assistant = createRoute({
  getParentRoute: () => root,
  path: '/assistant/conversations',
  validateSearch: knownSearch(assistantSearch),
  component: lazyPage(() => import('@/features/assistant/AssistantPage'), 'AssistantPage'),
});
const knowledge = createRoute({
  getParentRoute: () => root,
  path: '/assistant/knowledge-bases',
  validateSearch: knownSearch(accountSearch),
  component: lazyPage(() => import('@/features/assistant/KnowledgePage'), 'KnowledgePage'),
});
const knowledgeGraph = createRoute({
  getParentRoute: () => root,
  path: '/assistant/knowledge-graph',
  validateSearch: knownSearch(graphSearch),
  component: lazyPage(() => import('@/features/graph/KnowledgeGraphPage'), 'KnowledgeGraphPage'),
});
const memory = createRoute({
  getParentRoute: () => root,
  path: '/assistant/memory',
  validateSearch: knownSearch(accountSearch),
  component: lazyPage(() => import('@/features/assistant/MemoryPage'), 'MemoryPage'),
});
const causes = createRoute({
  getParentRoute: () => root,
  path: '/assistant/causes',
  validateSearch: knownSearch(causesSearch),
  component: lazyPage(() => import('@/features/assistant/CausesPage'), 'CausesPage'),
});
const apiExplorer = createRoute({
  getParentRoute: () => root,
  path: '/api-explorer',
  component: lazyPage(() => import('@/features/api-explorer/ApiExplorerPage'), 'ApiExplorerPage'),
});
const imports = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  validateSearch: knownSearch(importsSearch),
  component: lazyPage(() => import('@/features/imports/ImportsPage'), 'ImportsPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  beforeLoad: () => {
    // Where the pages are listed in a column, the list page alone is useless.
    if (!isNarrowNow()) throw redirect({ to: '/settings/single-sign-on', replace: true });
  },
  component: lazyPage(() => import('@/features/settings/ListPage'), 'ListPage'),
});
const signOn = createRoute({
  getParentRoute: () => root,
  path: '/settings/single-sign-on',
  validateSearch: knownSearch(signOnSearch),
  component: lazyPage(() => import('@/features/settings/sign-on/SignOnPage'), 'SignOnPage'),
});
const users = createRoute({
  getParentRoute: () => root,
  path: '/settings/users',
  validateSearch: knownSearch(usersSearch),
  component: lazyPage(() => import('@/features/settings/users/UsersPage'), 'UsersPage'),
});
const tokens = createRoute({
  getParentRoute: () => root,
  path: '/settings/api-tokens',
  component: lazyPage(() => import('@/features/settings/tokens/TokensPage'), 'TokensPage'),
});
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/settings/sessions',
  component: lazyPage(() => import('@/features/settings/browsers/SessionsPage'), 'SessionsPage'),
});
const backup = createRoute({
  getParentRoute: () => root,
  path: '/settings/backup',
  component: lazyPage(() => import('@/features/settings/backup/BackupPage'), 'BackupPage'),
});
const modelProviders = createRoute({
  getParentRoute: () => root,
  path: '/settings/model-providers',
  validateSearch: knownSearch(providersSearch),
  component: lazyPage(() => import('@/features/settings/providers/ProvidersPage'), 'ProvidersPage'),
});
const modelDownloads = createRoute({
  getParentRoute: () => root,
  path: '/settings/model-downloads',
  component: lazyPage(() => import('@/features/settings/models/DownloadsPage'), 'DownloadsPage'),
});
const privacy = createRoute({
  getParentRoute: () => root,
  path: '/settings/privacy',
  validateSearch: knownSearch(privacySearch),
  component: lazyPage(() => import('@/features/settings/privacy/PrivacyPage'), 'PrivacyPage'),
});
const instances = createRoute({
  getParentRoute: () => root,
  path: '/settings/instances',
  component: lazyPage(() => import('@/features/settings/instances/InstancesPage'), 'InstancesPage'),
});
const compareInstances = createRoute({
  getParentRoute: () => root,
  path: '/settings/instances/compare',
  validateSearch: knownSearch(compareSearch),
  component: lazyPage(() => import('@/features/settings/compare/ComparePage'), 'ComparePage'),
});
const ownWindow = createRoute({
  getParentRoute: () => root,
  path: '/settings/window',
  component: lazyPage(() => import('@/features/settings/window/WindowPage'), 'WindowPage'),
});
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/settings/notifications',
  component: lazyPage(() => import('@/features/settings/notifications/NotificationsPage'), 'NotificationsPage'),
});
const trackers = createRoute({
  getParentRoute: () => root,
  path: '/settings/trackers',
  component: lazyPage(() => import('@/features/settings/trackers/TrackersPage'), 'TrackersPage'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/settings/webhooks',
  component: lazyPage(() => import('@/features/settings/webhooks/WebhooksPage'), 'WebhooksPage'),
});
const workflowSecrets = createRoute({
  getParentRoute: () => root,
  path: '/settings/workflow-secrets',
  component: lazyPage(() => import('@/features/settings/secrets/SecretsPage'), 'SecretsPage'),
});
const health = createRoute({
  getParentRoute: () => root,
  path: '/settings/health',
  component: lazyPage(() => import('@/features/settings/health/HealthPage'), 'HealthPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    costs,
    signIn,
    device,
    overview,
    explorer,
    anomalies,
    budgets,
    commitments,
    allocation,
    unitCosts,
    reports,
    recommendations,
    savings,
    inventory,
    accounts,
    resources,
    kubernetes,
    events,
    triageRules,
    logs,
    automation,
    autopilot,
    workflows,
    approvals,
    assistantHome,
    assistant,
    knowledge,
    knowledgeGraph,
    memory,
    causes,
    apiExplorer,
    imports,
    settings,
    signOn,
    users,
    tokens,
    sessions,
    backup,
    instances,
    compareInstances,
    modelProviders,
    modelDownloads,
    privacy,
    ownWindow,
    notifications,
    trackers,
    webhooks,
    workflowSecrets,
    health,
  ]),
  basepath: pagesBase || '/',
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailure,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // In a low window it scrolls instead of the page in it, and keeps its position when the page changes (low.css).
  scrollToTopSelectors: ['.main'],
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
