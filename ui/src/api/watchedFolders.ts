import { call, post } from './http';
import type { OfAnyVersion, Rest } from './rest';

export type BucketKind = Rest.BucketKind;

/** A folder of a computer or of a bucket whose new files are imported automatically. */
export type WatchedFolder = OfAnyVersion<Rest.WatchedFolder, 'bucket'>;

export type WatchedFolders = OfAnyVersion<Omit<Rest.WatchedFolders, 'folders'>, 'may_add_buckets'> & {
  folders: WatchedFolder[];
};

/** A bucket to be watched, as it is typed. */
export type NewBucket = Required<Omit<Rest.NewBucket, 'every_seconds'>> & { every_seconds: number };

/** The place of the watched folders in the cache. */
export const watchedKey = ['import', 'watched'];

/** The watched folders and buckets; nothing for an older service that does not support them. */
export async function readWatched(signal?: AbortSignal): Promise<WatchedFolders> {
  return call<WatchedFolders>('/api/imports/watched', signal ? { signal } : {});
}

export function watchFolder(path: string): Promise<unknown> {
  return post('/api/imports/watched', { path });
}

/** Checks a folder now. */
export function lookAtFolder(id: string): Promise<unknown> {
  return post(`/api/imports/watched/${id}/look`, {});
}

/** Stops watching a folder; imported data stays. */
export function forgetFolder(id: string): Promise<null> {
  return call<null>(`/api/imports/watched/${id}`, { method: 'DELETE' });
}

/** Watches a folder of a bucket, once its objects could be listed. */
export function watchBucket(bucket: NewBucket): Promise<Rest.AddedBucket> {
  return post<Rest.AddedBucket>('/api/imports/watched/buckets', bucket);
}
