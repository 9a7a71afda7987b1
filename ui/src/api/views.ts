import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keptName } from '@/shared/place';
import { createStore, useStore } from '@/shared/store';
import type { ApiError } from './error';
import { request } from './client';
import { graphql } from './graphql';
import type { Json, ResultOf } from './graphql';
import { useGraphQL } from './query';
import { useWhyNot } from './offers';
import { useSession } from './session';

/** The views of a page that people of the tenant have saved. */
const Views = graphql(`
  query SavedViews($page: String!) {
    saved_view(where: { page: { _eq: $page } }, order_by: { name: asc }) {
      id
      name
      search
    }
  }
`);

const Add = graphql(`
  mutation SaveView($view: saved_view_insert_input!) {
    insert_saved_view_one(object: $view) {
      id
    }
  }
`);

const Change = graphql(`
  mutation RenameView($id: uuid!, $name: String!) {
    update_saved_view_by_pk(pk_columns: { id: $id }, _set: { name: $name }) {
      id
    }
  }
`);

const Remove = graphql(`
  mutation RemoveView($id: uuid!) {
    delete_saved_view_by_pk(id: $id) {
      id
    }
  }
`);

type Stored = ResultOf<typeof Views>['saved_view'][number];

/** The saved views of a page, called as in its address: `costs/explorer`. */
export function useSavedViews(page: string) {
  const client = useQueryClient();
  const whyNot = useWhyNot();
  const usual = useUsual(page);
  const onSuccess = () => client.invalidateQueries({ queryKey: ['graphql', Views] });
  const add = useMutation<unknown, ApiError, { id?: string; name: string; search: Record<string, unknown> }>({
    mutationFn: ({ search, ...view }) => request(Add, { view: { ...view, search: search as Json, page } }),
    onSuccess,
  });
  const rename = useMutation<unknown, ApiError, { id: string; name: string }>({
    mutationFn: (view) => request(Change, view),
    onSuccess,
  });
  const remove = useMutation<unknown, ApiError, string>({ mutationFn: (id) => request(Remove, { id }), onSuccess });
  return {
    views: useGraphQL(Views, { page }).data?.saved_view.map(viewOf),
    mayNot: whyNot({
      fields: ['insert_saved_view_one', 'update_saved_view_by_pk', 'delete_saved_view_by_pk'],
    }),
    save: add.mutateAsync,
    rename: rename.mutateAsync,
    remove: remove.mutateAsync,
    ...usual,
  };
}

function viewOf({ id, name, search }: Stored): { id: string; name: string; search: Record<string, unknown> } {
  return { id, name, search: search !== null && typeof search === 'object' && !Array.isArray(search) ? search : {} };
}

const kept = keptName('quarterdeck.views');

/** The id of the view a page opens with, by person, tenant and page. */
const store = createStore<Record<string, string>>(readUsual());

function readUsual(): Record<string, string> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(kept) ?? '{}');
    return Object.fromEntries(
      Object.entries(Object(found) as object).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  } catch {
    return {};
  }
}

/** The view a page opens with is a matter of one person, so their browser keeps it, as it keeps the theme. */
function useUsual(page: string) {
  const session = useSession().data;
  const key = `${session?.tenant.id ?? ''} ${session?.email ?? ''} ${page}`;
  return {
    usual: useStore(store)[key],
    setUsual: (id: string | undefined) => {
      store.set((before) => {
        const others = Object.fromEntries(Object.entries(before).filter(([of]) => of !== key));
        return id === undefined ? others : { ...others, [key]: id };
      });
      try {
        localStorage.setItem(kept, JSON.stringify(store.get()));
      } catch {
        // A browser that keeps nothing has it for this visit.
      }
    },
  };
}
