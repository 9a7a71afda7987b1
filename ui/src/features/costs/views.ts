import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request, useGraphQL } from '@/api';
import type { ApiError, Json, ResultOf } from '@/api';

/** The views of the Explorer that people of the tenant have saved. */
const Views = graphql(`
  query ExplorerViews {
    saved_view(where: { page: { _eq: "costs/explorer" } }, order_by: { name: asc }) {
      id
      name
      search
    }
  }
`);

const Add = graphql(`
  mutation ExplorerSaveView($view: saved_view_insert_input!) {
    insert_saved_view_one(object: $view) {
      id
    }
  }
`);

const Remove = graphql(`
  mutation ExplorerRemoveView($id: uuid!) {
    delete_saved_view_by_pk(id: $id) {
      id
    }
  }
`);

export type SavedView = ResultOf<typeof Views>['saved_view'][number];

/** None on an instance that keeps no views. */
export function useViews(): readonly SavedView[] | undefined {
  return useGraphQL(Views, {}).data?.saved_view;
}

/** Saves a view under a name, also one that was removed. */
export function useSaveView() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, { id?: string; name: string; search: Json }>({
    mutationFn: (view) => request(Add, { view: { ...view, page: 'costs/explorer' } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Views] }),
  });
}

export function useRemoveView() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (id) => request(Remove, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['graphql', Views] }),
  });
}
