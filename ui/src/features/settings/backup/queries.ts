import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, post, send, useServiceAdmin } from '@/api';
import type { ApiError, OfAnyVersion, Rest } from '@/api';

/** One backup as `/api/backups` lists it. Sizes in bytes, times ISO 8601, UTC. */
export type Backup = Rest.Backup;

export type Schedule = Rest.BackupSchedule;

/** All data that a restore replaced and put aside. */
export type Aside = Rest.ReplacedData;

/** The source of the passphrase of automatic backups: the file of a setting, or one stored by a user at a time. */
export type ClosedBy = Rest.ClosedBy;

export type Backups = OfAnyVersion<Rest.BackupList, 'database' | 'closed_by' | 'troubles'>;

type PreviewHead = Omit<Rest.RestorePreview, 'damage' | 'rows' | 'since' | 'left_out'>;

/** A comparison of a backup with the current data. An older instance does not report damage and then has no preview. */
export type ComparedPreview = PreviewHead & {
  damage?: null;
  rows: Rest.ComparedRows[];
  since: Rest.SinceBackup;
};

/** The same; of a database that is damaged, why it cannot be compared. */
export type Preview = ComparedPreview | (PreviewHead & { damage: string; rows: null; since: null });

const key = ['backups'];

export function useBackups() {
  const { enabled, ask } = useServiceAdmin();
  return useQuery<Backups, ApiError>({
    queryKey: key,
    enabled,
    queryFn: ({ signal }) => ask<Backups>('/api/backups', signal),
  });
}

/** Takes a backup and returns when it is verified. Without a passphrase it is not encrypted. */
export function useTake() {
  const client = useQueryClient();
  return useMutation<Backup, ApiError, string>({
    mutationFn: (passphrase) => post<Backup>('/api/backups', passphrase ? { passphrase } : {}),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
    gcTime: 0,
  });
}

export function useSaveSchedule() {
  const client = useQueryClient();
  return useMutation<Backups, ApiError, Schedule>({
    mutationFn: (schedule) => send<Backups>('PUT', '/api/backups/schedule', schedule),
    onSuccess: (saved) => {
      client.setQueryData(key, saved);
    },
  });
}

/** Encrypts automatic backups from now on. */
export function useGivePassphrase() {
  const client = useQueryClient();
  return useMutation<Backups, ApiError, string>({
    mutationFn: (passphrase) => send<Backups>('PUT', '/api/backups/passphrase', { passphrase }),
    onSuccess: (saved) => {
      client.setQueryData(key, saved);
    },
    gcTime: 0,
  });
}

/** Stops encrypting automatic backups. */
export function useForgetPassphrase() {
  const client = useQueryClient();
  return useMutation<Backups, ApiError>({
    mutationFn: () => call<Backups>('/api/backups/passphrase', { method: 'DELETE' }),
    onSuccess: (saved) => {
      client.setQueryData(key, saved);
    },
  });
}

export function useBring() {
  const client = useQueryClient();
  return useMutation<Backup, ApiError, File>({
    mutationFn: (file) => call<Backup>('/api/backups/upload', { method: 'POST', body: file }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}

export function useRemove() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (name) => call(`/api/backups/${name}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** Deletes data put aside by a restore. */
export function useForgetAside() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (name) => call(`/api/backups/aside/${name}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** Reads the contents of a backup; changes nothing. */
export function usePreview(name: string, passphrase: string, ready: boolean) {
  return useQuery<Preview, ApiError>({
    queryKey: ['backup preview', name, passphrase],
    enabled: ready,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => post<Preview>(`/api/backups/${name}/preview`, passphrase ? { passphrase } : {}, signal),
  });
}

/** Puts one back; the service then starts again. */
export function useRestore(name: string) {
  return useMutation<unknown, ApiError, { confirm: string; passphrase: string }>({
    mutationFn: ({ confirm, passphrase }) =>
      post(`/api/backups/${name}/restore`, passphrase ? { confirm, passphrase } : { confirm }),
    gcTime: 0,
  });
}

/** Fewest characters of a passphrase, as the service has it. */
export const leastPassphrase = 12;

/** The preview of moving the data to a PostgreSQL database. Nothing is changed. */
export type MovePreview = Rest.MovePreview;

/** Inspects a PostgreSQL database; its address is not stored. */
export function usePreviewMove() {
  return useMutation<MovePreview, ApiError, string>({
    mutationFn: (address) => post<MovePreview>('/api/database/preview-move', { address }),
    gcTime: 0,
  });
}
