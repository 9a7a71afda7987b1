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
/** Letters the service takes at most. */
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

/** What a view sets its page to. */
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

/** A view of everyone, or of the person alone. Whoever has no role over the tenant meets none of the former. */
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

/** A view leads to the page it is of, set as it says. */
interface ToView {
  view: string;
}

/** How a kind is shown, and the page of a row of it. */
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

/** The list of its cluster with what has its name: the note begins with what it is, unless it is a workload. */
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

/** The kinds that have a page, in the order they are listed in. A kind without a line here is not asked for. */
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

/** The rows as lines of the palette, kind by kind. A pod or node that is a resource, too, stands under Kubernetes, where the page says why it does not run. */
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
        // Where a view leads is asked when it is opened.
        ...('view' in to ? {} : { address: `${to.to}${stringifySearch(to.search)}` }),
        run: () => {
          go(to);
        },
      })),
  );
}

/** What the rail calls a page: `events/logs` is Logs. */
function pageName(page: string): string {
  return places.find(({ address }) => address === `/${page}`)?.title ?? page;
}

/** What the service has by a text, a moment after the last letter. */
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
    // Somebody may have removed it meanwhile.
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
