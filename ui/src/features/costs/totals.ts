import { plural, sum } from '@/shared';
import type { Numeric } from '@/shared';
import { namesOf } from './dimension';
import type { View } from './load';
import type { Node } from './node';

/** The rows whose name or identifier contains the text. */
export function matching(nodes: readonly Node[], text: string): readonly Node[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return nodes;
  return nodes.filter((node) => `${node.label} ${node.exact ?? ''}`.toLowerCase().includes(wanted));
}

export interface Totals {
  label: string;
  value: Numeric | null;
  before: Numeric | null;
}

/** The last row: the total, or the sum of the rows that match the text. */
export function totalsOf(view: View, nodes: readonly Node[], all: number): Totals {
  const { one, many } = namesOf(view.ask.by);
  if (nodes.length === all) {
    const beyond = view.rest ? 'more than ' : '';
    return {
      label: `Total of ${beyond}${plural(view.groups.length, one, many)}`,
      value: view.now.total,
      before: view.before?.total ?? null,
    };
  }
  const add = (values: (Numeric | null)[]) => (values.some((value) => value !== null) ? sum(values) : null);
  return {
    label: `Total of ${String(nodes.length)} of ${plural(all, one, many)}`,
    value: add(nodes.map((node) => node.value)),
    before: view.before ? add(nodes.map((node) => node.before)) : null,
  };
}
