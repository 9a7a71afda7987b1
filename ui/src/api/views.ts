import { useQueryClient } from '@tanstack/react-query';
import { graphql } from './graphql';
import type { ResultOf } from './graphql';
import { useGraphQL } from './query';
import { useWhyNot } from './capabilities';
import { useSeesTenant, useSession } from './session';
import type * as changes from './viewChanges';

/** The views of a page that people of the tenant have saved for everyone. */
const Views = graphql(`
  query SavedViews($page: String!) {
    saved_view(where: { page: { _eq: $page } }, order_by: { name: asc }) {
      id
      name
      search
    }
  }
`);

/** Private views and defaults: an older instance has none. */
const Mine = graphql(`
  query MyViews($page: String!) {
    private_view(where: { page: { _eq: $page } }, order_by: { name: asc }) {
      id
      name
      search
    }
    default_view(where: { page: { _eq: $page } }) {
      view_id
    }
  }
`);

/** A stored view of a page. */
export interface StoredView {
  id: string;
  name: string;
  search: Record<string, unknown>;
  /** Whether only this user sees it. */
  isPrivate: boolean;
}

type Changes = typeof changes;

/** The saved views of a page, called as in its address: `costs/explorer`. */
export function useSavedViews(page: string) {
  const client = useQueryClient();
  const whyNot = useWhyNot();
  const roles = useSession().data?.roles ?? [];
  const shared = useGraphQL(Views, { page }, { enabled: useSeesTenant() });
  const mine = useGraphQL(Mine, { page });
  const change = async (made: (changes: Changes) => Promise<unknown>) => {
    await made(await import('./viewChanges'));
    await Promise.all([Views, Mine].map((document) => client.invalidateQueries({ queryKey: ['graphql', document] })));
  };
  return {
    views: viewsOf(shared, mine),
    mayNot: whyNot(),
    mayNotShare: roles.includes('tenant_admin') ? undefined : 'Only an administrator of the tenant can share views',
    mayNotKeep: mine.error ? 'This instance does not support private views or defaults' : undefined,
    save: (view: Omit<StoredView, 'id'> & { id?: string }) => change(({ save }) => save(page, view)),
    rename: (view: Omit<StoredView, 'search'>) => change(({ rename }) => rename(view)),
    remove: (view: StoredView) => change(({ remove }) => remove(view)),
    move: (view: StoredView) => change(({ move }) => move(page, view)),
    usual: mine.data?.default_view[0]?.view_id,
    setUsual: (view: string | undefined) => change(({ setUsual }) => setUsual(page, view)),
  };
}

type Rows = ResultOf<typeof Views>['saved_view'];
interface QueryState<Data> {
  data: Data | undefined;
  error: unknown;
}

/** Shared and private views by name, once both are loaded; undefined if neither is supported. */
function viewsOf(
  shared: QueryState<ResultOf<typeof Views>>,
  mine: QueryState<ResultOf<typeof Mine>>,
): StoredView[] | undefined {
  const isAsked = ({ data, error }: QueryState<unknown>) => data !== undefined || error !== null;
  if (!isAsked(shared) || !isAsked(mine) || (!shared.data && !mine.data)) return undefined;
  const of = (rows: Rows | undefined, isPrivate: boolean) => (rows ?? []).map((row) => viewOf(row, isPrivate));
  const all = [...of(shared.data?.saved_view, false), ...of(mine.data?.private_view, true)];
  return all.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

function viewOf({ id, name, search }: Rows[number], isPrivate: boolean): StoredView {
  const isObject = search !== null && typeof search === 'object' && !Array.isArray(search);
  return { id, name, search: isObject ? search : {}, isPrivate };
}
