import { request } from './client';
import { graphql } from './graphql';
import type { Json } from './graphql';
import type { StoredView } from './views';

/** Mutations of views, loaded when a view is changed. */

const Add = graphql(`
  mutation SaveView($view: saved_view_insert_input!) {
    insert_saved_view_one(object: $view) {
      id
    }
  }
`);

const AddMine = graphql(`
  mutation SaveMyView($view: private_view_insert_input!) {
    insert_private_view_one(object: $view) {
      id
    }
  }
`);

const Rename = graphql(`
  mutation RenameView($id: uuid!, $name: String!) {
    update_saved_view_by_pk(pk_columns: { id: $id }, _set: { name: $name }) {
      id
    }
  }
`);

const RenameMine = graphql(`
  mutation RenameMyView($id: uuid!, $name: String!) {
    update_private_view_by_pk(pk_columns: { id: $id }, _set: { name: $name }) {
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

const RemoveMine = graphql(`
  mutation RemoveMyView($id: uuid!) {
    delete_private_view_by_pk(id: $id) {
      id
    }
  }
`);

/** One request for both changes: a view is never stored twice and never lost. */
const MakePrivate = graphql(`
  mutation MakeViewPrivate($id: uuid!, $view: private_view_insert_input!) {
    delete_saved_view_by_pk(id: $id) {
      id
    }
    insert_private_view_one(object: $view) {
      id
    }
  }
`);

const Share = graphql(`
  mutation ShareView($id: uuid!, $view: saved_view_insert_input!) {
    delete_private_view_by_pk(id: $id) {
      id
    }
    insert_saved_view_one(object: $view) {
      id
    }
  }
`);

const SetDefault = graphql(`
  mutation SetDefaultView($page: String!, $view: uuid!) {
    delete_default_view(where: { page: { _eq: $page } }) {
      affected_rows
    }
    insert_default_view_one(object: { page: $page, view_id: $view }) {
      id
    }
  }
`);

const ClearDefault = graphql(`
  mutation ClearDefaultView($page: String!) {
    delete_default_view(where: { page: { _eq: $page } }) {
      affected_rows
    }
  }
`);

type ViewName = Omit<StoredView, 'search'>;

function stored(page: string, { id, name, search }: Omit<StoredView, 'id'> & { id?: string }) {
  return { ...(id === undefined ? {} : { id }), name, search: search as Json, page };
}

/** Saves a view under a name, also one that was removed. */
export function save(page: string, view: Omit<StoredView, 'id'> & { id?: string }): Promise<unknown> {
  const row = { view: stored(page, view) };
  return view.isPrivate ? request(AddMine, row) : request(Add, row);
}

export function rename({ id, name, isPrivate }: ViewName): Promise<unknown> {
  return isPrivate ? request(RenameMine, { id, name }) : request(Rename, { id, name });
}

export function remove({ id, isPrivate }: ViewName): Promise<unknown> {
  return isPrivate ? request(RemoveMine, { id }) : request(Remove, { id });
}

/** Makes a shared view private, or shares a private one. */
export function move(page: string, view: StoredView): Promise<unknown> {
  const row = { id: view.id, view: stored(page, view) };
  return view.isPrivate ? request(Share, row) : request(MakePrivate, row);
}

/** Sets the default view of the page for this user; without a view, clears it. */
export function setUsual(page: string, view: string | undefined): Promise<unknown> {
  return view === undefined ? request(ClearDefault, { page }) : request(SetDefault, { page, view });
}
