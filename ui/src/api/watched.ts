import { call, post } from './http';

export type BucketKind = 's3' | 'azure' | 'google';

/** A folder whose new files are imported by themselves: of a computer, or of a bucket. */
export interface WatchedFolder {
  id: string;
  path: string;
  /** Missing where the service is older. */
  bucket?: {
    kind: BucketKind;
    endpoint: string | null;
    region: string | null;
    /** Whether the environment of the service has the credentials. */
    has_credentials_of_service: boolean;
  } | null;
  asked_by: 'setting' | 'person' | 'command';
  every_seconds: number;
  last_run_at: string | null;
  next_run_at: string | null;
  /** Why the last look failed. */
  error: string | null;
  files_taken: number;
}

export interface WatchedFolders {
  folders: WatchedFolder[];
  /** Whether folders of this computer can be chosen here. */
  may_choose: boolean;
  may_add_buckets?: boolean;
}

/** A bucket to be watched, as it is typed. */
export interface NewBucket {
  address: string;
  endpoint: string;
  region: string;
  identity: string;
  secret: string;
  every_seconds: number;
}

/** The place of the watched folders in the cache. */
export const watchedKey = ['import', 'watched'];

/** What is watched; nothing where the service is older and knows of none. */
export async function readWatched(signal?: AbortSignal): Promise<WatchedFolders> {
  return call<WatchedFolders>('/api/imports/watched', signal ? { signal } : {});
}

export function watchFolder(path: string): Promise<unknown> {
  return post('/api/imports/watched', { path });
}

/** Has the next look at a folder come at once. */
export function lookAtFolder(id: string): Promise<unknown> {
  return post(`/api/imports/watched/${id}/look`, {});
}

/** Watches a folder no more; what was imported from it stays. */
export function forgetFolder(id: string): Promise<null> {
  return call<null>(`/api/imports/watched/${id}`, { method: 'DELETE' });
}

/** Watches a folder of a bucket, once its objects could be listed. */
export function watchBucket(bucket: NewBucket): Promise<{ id: string; files: number }> {
  return post<{ id: string; files: number }>('/api/imports/watched/buckets', bucket);
}
