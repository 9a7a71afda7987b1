import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request } from '@/api';
import type { ApiError, ResultOf, VariablesOf } from '@/api';
import { placeOf } from './accountRoles';
import type { AccountRoles, RoleChange } from './accountRoles';

/** The users of the tenant with their roles; a role was given by another user, a sign-in, or is built in. */
export const People = graphql(`
  query SettingsPeople {
    users(order_by: [{ display_name: asc }]) {
      id
      display_name
      username
      status
      created_at
      user_roles(order_by: [{ role: asc }]) {
        id
        role
        entity_type
        entity_id
        created_at
        created_by
      }
    }
    user_role_reasons {
      user_role_id
      by_group
      granted_at
    }
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
    }
  }
`);

/** The namespaces that a role can be over. */
export const Namespaces = graphql(`
  query SettingsNamespaces {
    k8s_namespaces(where: { is_active: { _eq: true } }, order_by: [{ name: asc }]) {
      cloud_account_id
      name
    }
  }
`);

export type Person = ResultOf<typeof People>['users'][number];
export type Reason = ResultOf<typeof People>['user_role_reasons'][number];
/** All users, and why a sign-in gave a role; a role without a reason was given by hand. */
export type Everybody = ResultOf<typeof People>;

const Add = graphql(`
  mutation SettingsAddUser($user: users_insert_one_input!) {
    users_insert_one(user: $user) {
      id
      message
      status
    }
  }
`);

const SetStatus = graphql(`
  mutation SettingsSetStatus($id: String!, $status: String!) {
    users_update_status(object: { id: $id, status: $status }) {
      id
    }
  }
`);

/** All roles at once; an empty list would be refused. */
const SetRoles = graphql(`
  mutation SettingsSetRoles(
    $id: String!
    $role: String!
    $accounts: [auth_account_role_input]!
    $namespaces: [k8saccount_namespace_role_input]!
    $ofTenant: Boolean!
    $ofAccounts: Boolean!
    $ofNamespaces: Boolean!
  ) {
    auth_tenant_user_roles_upsert_one(role: { user_id: $id, role: $role }) @include(if: $ofTenant) {
      status
    }
    auth_account_user_roles_upsert_one(role: { user_id: $id, account_roles: $accounts }) @include(if: $ofAccounts) {
      status
    }
    auth_k8saccount_namespace_user_roles_upsert_one(role: { user_id: $id, k8saccount_namespace_roles: $namespaces })
      @include(if: $ofNamespaces) {
      status
    }
  }
`);

const Remove = graphql(`
  mutation SettingsRemoveUser($id: String!) {
    users_delete_one(user: { id: $id }) {
      id
    }
  }
`);

/** An administrator's change to a user of the tenant. */
export type Change =
  | { add: { username: string; firstname: string; lastname: string; role?: string }; accounts: AccountRoles }
  | { id: string; status: 'active' | 'suspended' }
  | { id: string; roles: RoleChange }
  | { remove: string };

async function setRoles(id: string, { tenant: role, accounts: wanted }: RoleChange): Promise<void> {
  const places = [...wanted].map(([place, role]) => ({ ...placeOf(place), role }));
  const accounts = places.flatMap(({ account, namespace, role }) =>
    namespace === undefined ? [{ account_id: account, role }] : [],
  );
  const namespaces = places.flatMap(({ account, namespace, role }) =>
    namespace === undefined ? [] : [{ account_id: account, namespace, role }],
  );
  const [ofTenant, ofAccounts, ofNamespaces] = [role !== undefined, accounts.length > 0, namespaces.length > 0];
  if (!ofTenant && !ofAccounts && !ofNamespaces) return;
  await request(SetRoles, { id, role: role ?? '', accounts, namespaces, ofTenant, ofAccounts, ofNamespaces });
}

async function add(user: VariablesOf<typeof Add>['user'], accounts: AccountRoles): Promise<void> {
  const { users_insert_one: added } = await request(Add, { user });
  if (added?.id) await setRoles(added.id, { accounts });
}

export function useChangePeople() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, Change>({
    mutationFn: (change) => {
      if ('add' in change) return add(change.add, change.accounts);
      if ('status' in change) return request(SetStatus, change);
      if ('roles' in change) return setRoles(change.id, change.roles);
      return request(Remove, { id: change.remove });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['graphql', People] });
      void client.invalidateQueries({ queryKey: ['security log'] });
      void client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}
