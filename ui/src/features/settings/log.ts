import { useQuery } from '@tanstack/react-query';
import { keepingUp, useServiceAdmin } from '@/api';
import type { ApiError, Rest } from '@/api';

/** A line of the audit trail of sign-ins and rights. */
export type LogLine = Omit<Rest.SecurityEvent, 'detail'>;

/** Newest first; for administrators. */
export function useSecurityLog(limit: number, enabled = true) {
  const service = useServiceAdmin();
  return useQuery<LogLine[], ApiError>({
    queryKey: ['security log', limit],
    enabled: enabled && service.enabled,
    queryFn: ({ signal }) => service.ask<LogLine[]>(`/api/auth/security-log?limit=${String(limit)}`, signal),
    ...keepingUp,
  });
}

/** The kinds as people call them, for filters. */
export const kindNames: Record<string, string> = {
  sign_in: 'Sign-in',
  refused: 'Refused sign-in',
  user_created: 'New user',
  account_linked: 'SAML account linked',
  roles_changed: 'Roles',
  settings_changed: 'Settings',
  password_set: 'Password',
  password_off: 'Password',
  password_on: 'Password',
  session_ended: 'Session ended',
  signed_out_everywhere: 'Signed out everywhere',
  tenant_switched: 'Tenant',
};

/** The lines that concern one person: done by them or to them. */
export function linesOf(lines: readonly LogLine[], email: string): LogLine[] {
  const wanted = email.toLowerCase();
  return lines.filter((line) => line.about?.toLowerCase() === wanted || line.who?.toLowerCase() === wanted);
}
