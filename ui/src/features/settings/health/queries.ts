import { useQuery } from '@tanstack/react-query';
import { call, keepingUp } from '@/api';
import type { ApiError } from '@/api';

/** `/api/health/report` of the service. Sizes in bytes, times ISO 8601, UTC. */
export interface HealthReport {
  checked_at: string;
  started_at: string;
  version: string;
  system: string;
  pages: boolean;
  /** Not told to administrators of another tenant than the first, like the disk. */
  database: { bytes: number; tables: number } | null;
  disk: { free_bytes: number; total_bytes: number } | null;
  last_import: {
    file_name: string;
    state: string;
    format: string | null;
    rows_written: number;
    rows_skipped: number;
    created_at: string;
    finished_at: string | null;
  } | null;
  unfinished_imports: number;
  /** What is wrong with backups that are to be taken, in words; not told by an instance of an older version. */
  backup_troubles?: string[];
}

export function useHealthReport() {
  return useQuery<HealthReport, ApiError>({
    queryKey: ['health report'],
    queryFn: ({ signal }) => call<HealthReport>('/api/health/report', { signal }),
    ...keepingUp,
  });
}

/** One backup, as far as health goes. */
export interface BackupTaken {
  taken_at: string;
  check: { state: 'verified' | 'unverified' | 'failed' };
}

/** The backups there are; the same answer as the page of backups reads. */
export function useBackupsTaken() {
  return useQuery<{ backups: BackupTaken[] }, ApiError>({
    queryKey: ['backups'],
    queryFn: ({ signal }) => call<{ backups: BackupTaken[] }>('/api/backups', { signal }),
  });
}
