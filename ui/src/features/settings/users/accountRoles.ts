import type { Person } from './queries';

/** A role by its scope, `<account id>` or `<account id>:<namespace>`; an empty one removes the role there. */
export type AccountRoles = ReadonlyMap<string, string>;

/** The role changes of a user. */
export interface RoleChange {
  /** The role for the whole tenant, empty for none; undefined if unchanged. */
  tenant?: string | undefined;
  accounts: AccountRoles;
}

/** The roles that can be assigned for an account. */
export const accountRoles = ['account_admin_readonly', 'account_admin'] as const;

/** The roles that can be assigned for a namespace. */
export const namespaceRoles = ['k8s_namespace_admin_readonly', 'k8s_namespace_admin'] as const;

/** The account of a role, and its namespace if it is limited to one. */
export function placeOf(id: string): { account: string; namespace: string | undefined } {
  const [account = id, namespace] = id.split(':');
  return { account, namespace };
}

/** The roles that can be assigned for an account or a namespace. */
export function rolesOver(id: string): readonly [string, string] {
  return placeOf(id).namespace === undefined ? accountRoles : namespaceRoles;
}

/** The user's role for the whole tenant; empty for none. */
export function tenantRoleOf(person: Pick<Person, 'user_roles'>): string {
  return person.user_roles.find((role) => role.entity_type === 'tenant')?.role ?? '';
}

/** The user's roles for single accounts and namespaces. */
export function accountRolesOf(person: Pick<Person, 'user_roles'>): AccountRoles {
  return new Map(
    person.user_roles.flatMap(({ entity_type: type, entity_id: id, role }) =>
      type === 'tenant' ? [] : [[id, role] as const],
    ),
  );
}

/** The changes that turn one set of roles into another. */
export function changeOf(before: RoleChange, after: RoleChange): RoleChange {
  const places = new Set([...before.accounts.keys(), ...after.accounts.keys()]);
  const changed = [...places].flatMap((id) => {
    const role = after.accounts.get(id) ?? '';
    return role === (before.accounts.get(id) ?? '') ? [] : [[id, role] as const];
  });
  return {
    ...(after.tenant === before.tenant ? {} : { tenant: after.tenant }),
    accounts: new Map(changed),
  };
}

/** Whether a change is empty. */
export function isNothing({ tenant, accounts }: RoleChange): boolean {
  return tenant === undefined && accounts.size === 0;
}
