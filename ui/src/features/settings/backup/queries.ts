import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, post, send } from '@/api';
import type { ApiError } from '@/api';

/** One backup as `/api/backups` lists it. Sizes in bytes, times ISO 8601, UTC. */
export interface Backup {
  name: string;
  /** 0 where it could not be taken. */
  bytes: number;
  /** Whether a passphrase closes it. */
  closed: boolean;
  taken_at: string;
  reason: 'by_hand' | 'schedule' | 'before_restore' | 'uploaded';
  check: { state: 'verified'; at: string } | { state: 'unverified' | 'failed'; why: string };
  /** What could not be put into it; a restore leaves it where it is. */
  left_out?: { path: string; why: string }[];
}

export interface Schedule {
  every: 'never' | 'day' | 'week';
  /** Minutes after midnight UTC. */
  at: number;
  keep_days: number;
  keep_copies: number;
}

/** What a restore put aside: everything that was there before. */
export interface Aside {
  name: string;
  bytes: number;
  replaced_at: string;
  /** A sound backup of the same; null where this is the only copy. */
  backup: string | null;
}

/** Whose passphrase encrypts the backups that the service takes by itself: of a setting's file, or the one stored then by an e-mail address. */
export type ClosedBy = { kind: 'file' } | { kind: 'stored'; at: string | null; by: string | null };

export interface Backups {
  backups: Backup[];
  schedule: Schedule;
  saved_at: string | null;
  saved_by: string | null;
  next_at: string | null;
  /** Where the rows are; not told by an instance of an older version. */
  database?: 'sqlite' | 'postgresql';
  folder: string;
  bytes: number;
  free_bytes: number | null;
  /** Whether the service closes those it takes by itself. */
  closes: boolean;
  /** Null where they are open; not told by an instance of an older version. */
  closed_by?: ClosedBy | null;
  /** What is wrong with backups that are to be taken, in words; not told by an instance of an older version. */
  troubles?: string[];
  aside: Aside[];
  /** The name to type before something is lost: of this instance. */
  confirm: string;
}

interface PreviewHead {
  backup: Backup;
  version: string;
  this_version: string;
  taken_at: string;
  bytes: number;
  /** The name to type: of this instance. */
  confirm: string;
}

/** What a backup holds beside what there is now. */
export interface ComparedPreview extends PreviewHead {
  /** Not told by an instance of an older version, which previews nothing then. */
  damage?: null;
  rows: { table: string; now: number; then: number }[];
  since: { imports: string[]; import_count: number; changes: number; security_events: number };
}

/** The same; of a database that is damaged, why it cannot be compared. */
export type Preview = ComparedPreview | (PreviewHead & { damage: string; rows: null; since: null });

const key = ['backups'];

export function useBackups() {
  return useQuery<Backups, ApiError>({
    queryKey: key,
    queryFn: ({ signal }) => call<Backups>('/api/backups', { signal }),
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
export interface MovePreview {
  /** The address without its password. */
  place: string;
  server_version: string;
  target: 'empty' | 'unfinished' | 'filled' | 'foreign';
  /** Why rows cannot be put there; empty where they can. */
  problems: string[];
  tables: { table: string; rows: number }[];
  /** Size of the file. */
  bytes: number;
  data_dir: string;
}

/** Looks at a database of PostgreSQL; its address is kept nowhere. */
export function usePreviewMove() {
  return useMutation<MovePreview, ApiError, string>({
    mutationFn: (address) => post<MovePreview>('/api/database/preview-move', { address }),
    gcTime: 0,
  });
}
