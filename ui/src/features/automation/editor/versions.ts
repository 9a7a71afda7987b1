import type { Json, ResultOf } from '@/api';
import type { Saves } from './queries';
import { yamlOf } from './yamlOf';

type AuditRow = NonNullable<NonNullable<ResultOf<typeof Saves>['audits_v2']>['rows']>[number];

/** A saved version of a definition. */
export interface Version {
  id: string;
  at: string;
  by: string | null;
  yaml: string;
}

/** The versions of a workflow in the audit trail, newest first; saves that did not change the definition are skipped. */
export function versionsOf(rows: readonly (AuditRow | null)[]): Version[] {
  return rows.flatMap((row): Version[] => {
    const definition = definitionIn(row?.event_state);
    if (!row || definition === undefined) return [];
    return [{ id: row.id ?? '', at: row.event_time ?? '', by: row.event_actor, yaml: yamlOf(definition) }];
  });
}

/** The trail stores JSON columns as JSON, or as text. */
function definitionIn(state: string | null | undefined): Json | undefined {
  const value = parsed(state);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const definition = value['definition'];
  const read = typeof definition === 'string' ? parsed(definition) : definition;
  return typeof read === 'object' && read !== null ? read : undefined;
}

function parsed(text: string | null | undefined): Json {
  try {
    return JSON.parse(text ?? 'null') as Json;
  } catch {
    return null;
  }
}
