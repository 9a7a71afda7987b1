import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from './error';
import { request } from './client';
import { graphql } from './graphql';
import type { Json, ResultOf } from './graphql';
import { useGraphQL } from './query';
import { useWhyNot } from './offers';

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
  const onSuccess = () => client.invalidateQueries({ queryKey: ['graphql', Views] });
  const add = useMutation<unknown, ApiError, { id?: string; name: string; search: Record<string, unknown> }>({
    mutationFn: ({ search, ...view }) => request(Add, { view: { ...view, search: search as Json, page } }),
    onSuccess,
  });
  const remove = useMutation<unknown, ApiError, string>({ mutationFn: (id) => request(Remove, { id }), onSuccess });
  return {
    views: useGraphQL(Views, { page }).data?.saved_view.map(viewOf),
    mayNot: whyNot({ fields: ['insert_saved_view_one', 'delete_saved_view_by_pk'] }),
    save: add.mutateAsync,
    remove: remove.mutateAsync,
  };
}

function viewOf({ id, name, search }: Stored): { id: string; name: string; search: Record<string, unknown> } {
  return { id, name, search: search !== null && typeof search === 'object' && !Array.isArray(search) ? search : {} };
}
