import type { Person } from './queries';

/** A role by what it is over, `<account id>` or `<account id>:<namespace>`; an empty one takes away what is held there. */
export type AccountRoles = ReadonlyMap<string, string>;

/** What changes of the roles of a person. */
export interface RoleChange {
  /** The role over the whole tenant, empty for none; undefined when it stays. */
  tenant?: string | undefined;
  accounts: AccountRoles;
}

/** The roles that can be given over an account. */
export const accountRoles = ['account_admin_readonly', 'account_admin'] as const;

/** The roles that can be given over a namespace. */
export const namespaceRoles = ['k8s_namespace_admin_readonly', 'k8s_namespace_admin'] as const;

/** The account a role is over, and the namespace of it if it is over that alone. */
export function placeOf(id: string): { account: string; namespace: string | undefined } {
  const [account = id, namespace] = id.split(':');
  return { account, namespace };
}

/** The roles that can be given over an account or a namespace. */
export function rolesOver(id: string): readonly [string, string] {
  return placeOf(id).namespace === undefined ? accountRoles : namespaceRoles;
}

/** The role over the whole tenant that somebody holds; empty for none. */
export function tenantRoleOf(person: Pick<Person, 'user_roles'>): string {
  return person.user_roles.find((role) => role.entity_type === 'tenant')?.role ?? '';
}

/** The roles over single accounts and namespaces that somebody holds. */
export function accountRolesOf(person: Pick<Person, 'user_roles'>): AccountRoles {
  return new Map(
    person.user_roles.flatMap(({ entity_type: type, entity_id: id, role }) =>
      type === 'tenant' ? [] : [[id, role] as const],
    ),
  );
}

/** What has to be asked for so that somebody holds these roles instead of those. */
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

/** Whether a change is none. */
export function isNothing({ tenant, accounts }: RoleChange): boolean {
  return tenant === undefined && accounts.size === 0;
}
