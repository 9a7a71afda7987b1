import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, post, send, useServiceAdmin } from '@/api';
import type { ApiError, OfAnyVersion, Rest } from '@/api';

/** One backup as `/api/backups` lists it. Sizes in bytes, times ISO 8601, UTC. */
export type Backup = Rest.Backup;

export type Schedule = Rest.BackupSchedule;

/** What a restore put aside: everything that was there before. */
export type Aside = Rest.ReplacedData;

/** Whose passphrase encrypts the backups that the service takes by itself: of a setting's file, or the one stored then by an e-mail address. */
export type ClosedBy = Rest.ClosedBy;

export type Backups = OfAnyVersion<Rest.BackupList, 'database' | 'closed_by' | 'troubles'>;

type PreviewHead = Omit<Rest.RestorePreview, 'damage' | 'rows' | 'since' | 'left_out'>;

/** What a backup holds beside what there is now. An instance of an older version tells of no damage, and previews nothing then. */
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

/** Takes one and answers when it is checked. Without a passphrase it stays open. */
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

/** Encrypts backups that the service takes by itself from now on. */
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

/** Leaves backups that the service takes by itself open from now on. */
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

/** Takes away what a restore put aside. */
export function useForgetAside() {
  const client = useQueryClient();
  return useMutation<unknown, ApiError, string>({
    mutationFn: (name) => call(`/api/backups/aside/${name}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}

/** Reads what is in one; changes nothing. */
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

/** What moving the rows into a database of PostgreSQL would find. Nothing is changed. */
export type MovePreview = Rest.MovePreview;

/** Looks at a database of PostgreSQL; its address is kept nowhere. */
export function usePreviewMove() {
  return useMutation<MovePreview, ApiError, string>({
    mutationFn: (address) => post<MovePreview>('/api/database/preview-move', { address }),
    gcTime: 0,
  });
}
