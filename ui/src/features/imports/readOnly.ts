import { useSession, useWhyNot } from '@/api';

/** Why this person cannot import files; undefined when they can. */
export function useReadOnly(): string | undefined {
  const session = useSession().data;
  const whyNot = useWhyNot()();
  if (whyNot !== undefined) return whyNot;
  if (!session || session.roles.includes('tenant_admin')) return undefined;
  return `Importing needs the role tenant_admin; an administrator of ${session.tenant.name} can give it to you`;
}
