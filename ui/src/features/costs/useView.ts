import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiError } from '@/api';
import type { Numeric } from '@/shared';
import { levels } from './dimension';
import type { Group } from './group';
import { loadCells, loadCharges, loadGroups, loadView } from './load';
import type { Ask, Charge, View } from './load';
import { chargeNodes, childNodes, failedNode, filtersOf, groupNodes, pathId } from './node';
import type { Node } from './node';

/** The view of a question; the last one stays on screen, with its own question, while the next is read. */
export function useView(ask: Ask) {
  return useQuery<View, ApiError>({
    queryKey: ['graphql', 'costs', 'view', ask],
    queryFn: ({ signal }) => loadView(ask, signal),
    placeholderData: keepPreviousData,
  });
}

/** The sums of every group that is drawn: those of the view, and of smaller groups that were selected. */
export function useCells(view: View, only: readonly string[] | undefined): View['cells'] {
  const missing = (only ?? []).filter((key) => !view.cells.has(key));
  const more = useQuery<Map<string, (Numeric | null)[]>, ApiError>({
    queryKey: ['graphql', 'costs', 'cells', view.ask, view.currency, missing],
    queryFn: ({ signal }) => loadCells(view.ask, view.currency, missing, signal),
    enabled: missing.length > 0,
  }).data;
  return useMemo(() => (more ? new Map([...view.cells, ...more]) : view.cells), [view.cells, more]);
}

/** The content of an expanded row. */
type Below = { kind: 'groups'; groups: Group[] } | { kind: 'charges'; charges: Charge[] };

/** Defined outside, so that equal results keep their identity between renders. */
function settled(answers: { data: Below | undefined; error: Error | null }[]) {
  return answers.map(({ data, error }) => ({ data, error }));
}

/** The rows of the table and of every open row below them, by the id of their parent. */
export function useNodes(view: View, open: readonly string[][]) {
  const { ask, currency } = view;
  const chain = levels(ask.by);
  const answers = useQueries({
    queries: open.map((path) => ({
      queryKey: ['graphql', 'costs', 'below', ask, currency, path],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Below> => {
        const within = filtersOf(ask.by, path);
        const by = chain[path.length];
        return by
          ? { kind: 'groups', groups: await loadGroups(ask, currency, by, within, signal) }
          : { kind: 'charges', charges: await loadCharges(ask, currency, within, signal) };
      },
    })),
    combine: settled,
  });
  const top = useMemo(() => groupNodes(view.groups, view.rest, []), [view]);
  const below = useMemo(() => placed(view, top, open, answers), [view, top, open, answers]);
  return { top, below };
}

/** Attaches loaded rows to their parents. */
function placed(
  { ask }: View,
  top: readonly Node[],
  open: readonly string[][],
  answers: readonly { data: Below | undefined; error: Error | null }[],
): Map<string, Node[]> {
  const below = new Map<string, Node[]>();
  const known = new Map(top.map((node) => [node.id, node]));
  // Shorter paths first: a row must exist before its children.
  const order = open.map((path, index) => ({ path, index })).sort((a, b) => a.path.length - b.path.length);
  for (const { path, index } of order) {
    const parent = known.get(pathId(path));
    const answer = answers[index];
    if (!parent || !answer) continue;
    const { data, error } = answer;
    const nodes = data
      ? data.kind === 'groups'
        ? childNodes(parent, data.groups)
        : chargeNodes(parent, data.charges, ask.metric)
      : error
        ? [failedNode(parent, error)]
        : [];
    below.set(parent.id, nodes);
    for (const node of nodes) known.set(node.id, node);
  }
  return below;
}
