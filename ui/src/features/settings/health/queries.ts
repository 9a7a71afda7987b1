import { useQuery } from '@tanstack/react-query';
import { call, keepingUp, useServiceAdmin } from '@/api';
import type { ApiError, OfAnyVersion, Rest } from '@/api';

/** `/api/health/report` of the service. Sizes in bytes, times ISO 8601, UTC. */
export type HealthReport = OfAnyVersion<Rest.HealthReport, 'backup_troubles'>;

export function useHealthReport() {
  return useQuery<HealthReport, ApiError>({
    queryKey: ['health report'],
    queryFn: ({ signal }) => call<HealthReport>('/api/health/report', { signal }),
    ...keepingUp,
  });
}

/** The fields of a backup that health needs. */
export type BackupTaken = Pick<Rest.Backup, 'taken_at'> & { check: Pick<Rest.BackupCheck, 'state'> };

/** The backups there are; the same answer as the page of backups reads. */
export function useBackupsTaken() {
  const { enabled, ask } = useServiceAdmin();
  return useQuery<Pick<Rest.BackupList, 'backups'>, ApiError>({
    queryKey: ['backups'],
    enabled,
    queryFn: ({ signal }) => ask<Rest.BackupList>('/api/backups', signal),
  });
}
