import { call, post } from './http';
import type { ImportReport } from './imports';
import type { Rest } from './rest';

/** The column assignments of a cost CSV; fields have the names of the service. */
export type MappingContent = Rest.MappingContent;

/** A file whose columns must be mapped. */
export type UnmappedTable = Rest.UnmappedTable;

/** A saved mapping; `header` has the columns of its files, in lower case. */
export type KeptMapping = Rest.KeptMapping;

export const mappingsKey = ['import', 'mappings'];

export function readUnmapped(id: string, signal?: AbortSignal): Promise<UnmappedTable> {
  return call<UnmappedTable>(`/api/imports/${id}/mapping`, signal ? { signal } : {});
}

/** The report that an import by this mapping would have; nothing is written. */
export function tryMapping(id: string, content: MappingContent, signal?: AbortSignal): Promise<ImportReport> {
  return post<ImportReport>(`/api/imports/${id}/mapping/preview`, content, signal);
}

/** Saves a mapping for files with the same columns, and imports this file with it. */
export function keepMapping(id: string, name: string, content: MappingContent): Promise<ImportReport> {
  return post<ImportReport>(`/api/imports/${id}/mapping`, { name, content });
}

export function readMappings(signal?: AbortSignal): Promise<KeptMapping[]> {
  return call<KeptMapping[]>('/api/imports/mappings', signal ? { signal } : {});
}

/** Deletes a mapping; imported data stays. */
export function forgetMapping(name: string): Promise<null> {
  return call<null>(`/api/imports/mappings/${encodeURIComponent(name)}`, { method: 'DELETE' });
}
