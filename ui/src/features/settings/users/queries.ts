import { useMutation, useQueryClient } from '@tanstack/react-query';
import { graphql, request } from '@/api';
import type { ApiError, ResultOf, VariablesOf } from '@/api';
import type { AccountRoles, RoleChange } from './accountRoles';

/** The people of the tenant with their roles; who gave a role is another of them, a sign-in, or none. */
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

export type Person = ResultOf<typeof People>['users'][number];
export type Reason = ResultOf<typeof People>['user_role_reasons'][number];
/** Everybody, and why a sign-in gave a role; a role without a reason was given by hand. */
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

const SetRole = graphql(`
  mutation SettingsSetRole($id: String!, $role: String!) {
    auth_tenant_user_roles_upsert_one(role: { user_id: $id, role: $role }) {
      status
    }
  }
`);

const SetAccountRoles = graphql(`
  mutation SettingsSetAccountRoles($id: String!, $accounts: [auth_account_role_input]!) {
    auth_account_user_roles_upsert_one(role: { user_id: $id, account_roles: $accounts }) {
      status
    }
  }
`);

/** Both of them: all of it or nothing. */
const SetRoles = graphql(`
  mutation SettingsSetRoles($id: String!, $role: String!, $accounts: [auth_account_role_input]!) {
    auth_tenant_user_roles_upsert_one(role: { user_id: $id, role: $role }) {
      status
    }
    auth_account_user_roles_upsert_one(role: { user_id: $id, account_roles: $accounts }) {
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

/** What an administrator can do to a person of the tenant. */
export type Change =
  | { add: { username: string; firstname: string; lastname: string; role?: string }; accounts: AccountRoles }
  | { id: string; status: 'active' | 'suspended' }
  | { id: string; roles: RoleChange }
  | { remove: string };

async function setRoles(id: string, { tenant: role, accounts: wanted }: RoleChange): Promise<void> {
  const accounts = [...wanted].map(([account, role]) => ({ account_id: account, role }));
  if (accounts.length === 0) {
    if (role !== undefined) await request(SetRole, { id, role });
  } else if (role === undefined) await request(SetAccountRoles, { id, accounts });
  else await request(SetRoles, { id, role, accounts });
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
