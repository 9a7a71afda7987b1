/** Roles as people call them; the exact name stands beside. */
const names: Record<string, string> = {
  tenant_admin: 'Administrator',
  tenant_admin_readonly: 'Read-only',
  account_admin: 'Account administrator',
  account_admin_readonly: 'Account, read-only',
  k8s_namespace_admin: 'Namespace administrator',
  k8s_namespace_admin_readonly: 'Namespace, read-only',
  super_admin: 'Super administrator',
  super_admin_readonly: 'Super administrator, read-only',
  tenant_usage: 'No role',
};

export function roleName(role: string): string {
  return names[role] ?? role;
}

/** Roles over the whole tenant: those a mapping, a new user and Users & roles can give. */
export const tenantRoles = ['tenant_admin', 'tenant_admin_readonly'] as const;
