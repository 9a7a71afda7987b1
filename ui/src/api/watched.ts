import { call, post } from './http';

/** A folder whose new files are imported by themselves. */
export interface WatchedFolder {
  id: string;
  path: string;
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
