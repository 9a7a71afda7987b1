import { count } from '@/shared';
import type { FilterField } from '@/shared';
import { counted, labelsOf } from './thing';
import type { Graph } from './thing';

/** The filter fields of nodes: accounts and labels of the loaded nodes, with counts. */
export function filterFields(graph: Graph, accounts: ReadonlyMap<string, string>): FilterField[] {
  const field = (id: string, label: string, values: FilterValues): FilterField => ({
    id,
    label,
    useValues: () => ({ values, error: null }),
  });
  const many = new Map(counted(graph.things.map(({ account }) => ({ kind: account }))));
  return [
    field(
      'account',
      'Account',
      [...accounts].map(([value, label]) => ({ value, label, hint: count(many.get(value) ?? 0) })),
    ),
    field(
      'label',
      'Label',
      labelsOf(graph).map(([label, found]) => ({ value: label, label, hint: count(found) })),
    ),
  ];
}

type FilterValues = { value: string; label: string; hint?: string }[];
