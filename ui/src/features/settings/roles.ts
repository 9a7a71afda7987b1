/** Display names of roles; the exact name is shown next to it. */
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

/** Tenant-wide roles: those that a mapping, a new user and Users & roles can assign. */
export const tenantRoles = ['tenant_admin', 'tenant_admin_readonly'] as const;
