import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Bookmark,
  BookOpen,
  Boxes,
  Cloud,
  FileText,
  Layers,
  PiggyBank,
  Ship,
  Siren,
  Target as TargetIcon,
  Workflow,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { graphql, graphqlOptions, request, ruleTitle, useLack } from '@/api';
import type { ResultOf, VariablesOf } from '@/api';
import { toast } from '@/shared';
import type { Entry } from './Palette';
import { stringifySearch } from './address';
import { places } from './pages';

/** Rows of one kind that are listed at most. */
const most = 5;
/** Letters from which on rows are looked for. */
const least = 2;
/** Maximum number of characters the service accepts. */
const longest = 200;
/** Typing is over after so many ms without another letter. */
const pause = 200;

export const Find = graphql(`
  query Find($text: String!, $kinds: [SearchKind!]!, $most: Int!) {
    search_everything(request: { text: $text, kinds: $kinds, limit: $most }) {
      rows {
        kind
        id
        title
        note
        account_id
      }
    }
  }
`);

/** The page settings stored in a view. */
const View = graphql(`
  query FoundView($id: uuid!) {
    saved_view_by_pk(id: $id) {
      page
      search
    }
  }
`);

const MyView = graphql(`
  query FoundMyView($id: uuid!) {
    private_view_by_pk(id: $id) {
      page
      search
    }
  }
`);

/** A shared or private view. Users without a role for the tenant do not get shared ones. */
async function viewOf(id: string) {
  const shared = await request(View, { id }).then(
    ({ saved_view_by_pk: view }) => view,
    () => null,
  );
  return shared ?? (await request(MyView, { id })).private_view_by_pk;
}

type Row = NonNullable<ResultOf<typeof Find>['search_everything']>['rows'][number];
type Kind = VariablesOf<typeof Find>['kinds'][number];

/** Where a row that was found leads to. */
interface Target {
  to:
    | '/costs/explorer'
    | '/inventory/resources'
    | '/inventory/kubernetes'
    | '/events'
    | '/recommendations'
    | '/assistant/knowledge-bases'
    | '/costs/budgets'
    | '/automation/workflows'
    | '/imports';
  search: Record<string, unknown>;
}

/** The page of a view with the settings of the view. */
interface ToView {
  view: string;
}

/** How a kind is shown, and the page of one of its rows. */
interface ResultKind {
  kind: Kind;
  group: string;
  icon: LucideIcon;
  target: (row: Row) => Target | ToView;
}

const charges = (field: string) => (row: Row) => ({
  to: '/costs/explorer' as const,
  search: { filters: [{ field, values: [row.id] }] },
});
const byId = (to: Target['to']) => (row: Row) => ({ to, search: { id: row.id } });
const ofAccount = (to: Target['to']) => (row: Row) => ({ to, search: { account: row.account_id } });

/** The list of its cluster, filtered by its name: the note starts with its kind, unless it is a workload. */
const inCluster = (row: Row) => {
  const tab = /^(Namespace|Pod|Node)\b/.exec(row.note ?? '')?.[1];
  return {
    to: '/inventory/kubernetes' as const,
    search: {
      cluster: row.account_id,
      ...(tab === undefined ? {} : { tab: `${tab.toLowerCase()}s` }),
      q: row.title,
    },
  };
};

/** The kinds with a page, in display order. Kinds not listed here are not requested. */
export const resultKinds: readonly ResultKind[] = [
  { kind: 'ACCOUNT', group: 'Accounts', icon: Cloud, target: charges('account') },
  { kind: 'SERVICE', group: 'Services', icon: Layers, target: charges('service') },
  { kind: 'RESOURCE', group: 'Resources', icon: Boxes, target: byId('/inventory/resources') },
  { kind: 'WORKLOAD', group: 'Kubernetes', icon: Ship, target: inCluster },
  { kind: 'EVENT', group: 'Events', icon: Siren, target: byId('/events') },
  { kind: 'RECOMMENDATION', group: 'Recommendations', icon: PiggyBank, target: byId('/recommendations') },
  { kind: 'DOCUMENT', group: 'Documents', icon: BookOpen, target: ofAccount('/assistant/knowledge-bases') },
  { kind: 'BUDGET', group: 'Budgets', icon: TargetIcon, target: byId('/costs/budgets') },
  {
    kind: 'WORKFLOW',
    group: 'Workflows',
    icon: Workflow,
    target: (row) => ({ to: '/automation/workflows', search: { account: row.account_id, id: row.id } }),
  },
  { kind: 'IMPORT', group: 'Imports', icon: FileText, target: (row) => ({ to: '/imports', search: { open: row.id } }) },
  { kind: 'VIEW', group: 'Saved views', icon: Bookmark, target: (row) => ({ view: row.id }) },
];

/**
 * The rows as lines of the palette, grouped by kind. A pod or node that is also a resource is listed under Kubernetes, where the page shows why it
 * does not run.
 */
export function entries(rows: readonly Row[], go: (target: Target | ToView) => void): Entry[] {
  const ofClusters = new Set(rows.flatMap(({ kind, id }) => (kind === 'WORKLOAD' ? [id] : [])));
  return resultKinds.flatMap(({ kind, group, icon, target }) =>
    rows
      .filter((row) => row.kind === kind && !(kind === 'RESOURCE' && ofClusters.has(row.id)))
      .map((row) => ({ row, to: target(row) }))
      .map(({ row, to }) => ({
        id: `${group} ${row.id}`,
        group,
        icon,
        title: kind === 'RECOMMENDATION' ? (ruleTitle(row.title) ?? row.title) : row.title,
        ...(row.note === null ? {} : { note: kind === 'VIEW' ? pageName(row.note) : row.note }),
        // The target of a view is loaded when it is opened.
        ...('view' in to ? {} : { address: `${to.to}${stringifySearch(to.search)}` }),
        run: () => {
          go(to);
        },
      })),
  );
}

/** The name of a page in the rail: `events/logs` is Logs. */
function pageName(page: string): string {
  return places.find(({ address }) => address === `/${page}`)?.title ?? page;
}

/** Search results of the service for a text, a moment after the last keystroke. */
export function useSearchResults(text: string): { found: Entry[]; trouble: string | null; isBusy: boolean } {
  const navigate = useNavigate();
  const lack = useLack();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(text.trim().slice(0, longest));
    }, pause);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  const isAsked = asked.length >= least && lack({ fields: ['search_everything'] }) === undefined;
  const kinds = resultKinds.map(({ kind }) => kind);
  const answer = useQuery(graphqlOptions(Find, { text: asked, kinds, most }, { enabled: isAsked }));
  if (!isAsked || text.trim().length < least) return { found: [], trouble: null, isBusy: false };
  const trouble = answer.error ? `The search failed: ${answer.error.message}` : null;
  const open = async (id: string) => {
    const view = await viewOf(id);
    const place = places.find(({ address }) => address === `/${view?.page ?? ''}`);
    // It may have been removed meanwhile.
    if (!view || !place) throw new Error('This view no longer exists');
    await navigate({ to: place.address, search: view.search as Record<string, unknown> });
  };
  const go = (target: Target | ToView) => {
    if (!('view' in target)) {
      void navigate(target);
      return;
    }
    open(target.view).catch((error: unknown) => {
      toast({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
    });
  };
  return {
    found: entries(answer.data?.search_everything?.rows ?? [], go),
    trouble,
    isBusy: answer.isFetching || asked !== text.trim().slice(0, longest),
  };
}
