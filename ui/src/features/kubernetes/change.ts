import type { Json } from '@/api';

/** A field that differs between two dumps; undefined if one of them lacks it. */
export interface Field {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** Reads the fields of a comparison. */
export function fieldsOf(stored: Json): Field[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Json[]).flatMap((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return [];
    const { path, before, after } = one as Record<string, Json | undefined>;
    return typeof path === 'string' ? [{ path, before: shown(before), after: shown(after) }] : [];
  });
}

function shown(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Which comparisons are meant: of a cluster, at one dump or at all, in one namespace or in all. */
export function changesWhere(cluster: string, dump: string, namespace: string): object {
  return {
    cloud_account_id: { _eq: cluster },
    ...(dump === 'all' ? {} : { observed_at: { _eq: dump } }),
    ...(namespace === '' ? {} : { namespace: { _eq: namespace } }),
  };
}
