import { of, plain, printExact } from './json';
import type { Exact } from './json';

/** An answer as a table: the first list of objects in it, or its one object. Nested objects become columns `sum.amount`. */
export interface Table {
  columns: readonly { name: string; title: string; isNumber: boolean }[];
  rows: readonly Record<string, string | null>[];
}

/** Undefined if the response has no rows. */
export function tableOf(answer: Exact | undefined): Table | undefined {
  const data = of(answer, 'data');
  const list = data && rowsIn(data);
  if (!list) return undefined;
  const kinds = new Map<string, Set<string>>();
  const rows = list.map((item) => {
    const row: Record<string, string | null> = {};
    flatten(item, '', (name, value) => {
      const of = kinds.get(name) ?? new Set();
      kinds.set(name, of);
      const isNull = value.text === 'null' && value.kind === 'word';
      if (!isNull) of.add(value.kind);
      row[name] = isNull ? null : plain(value.text);
    });
    return row;
  });
  const columns = [...kinds].map(([name, of]) => ({
    name,
    title: short(name, kinds),
    isNumber: of.size === 1 && of.has('number'),
  }));
  return { columns, rows };
}

/** `sum.amount` for `spends_aggregate.sum.amount`, unless another column has the same short name. */
function short(name: string, names: ReadonlyMap<string, unknown>): string {
  const rest = /^\w+_aggregate\.(.+)$/.exec(name)?.[1];
  const isClear =
    rest !== undefined && [...names.keys()].filter((n) => n === rest || n.endsWith(`.${rest}`)).length === 1;
  return isClear ? rest : name;
}

/** Breadth first: the list of a root field counts, not one inside its first row. */
function rowsIn(data: Exact): readonly Exact[] | undefined {
  let level: Exact[] = [data];
  while (level.length > 0) {
    const list = level.find((value) => value.kind === 'list' && value.items.some((item) => item.kind === 'object'));
    if (list?.kind === 'list') return list.items;
    level = level.flatMap((value) => (value.kind === 'object' ? value.entries.map(([, inner]) => inner) : []));
  }
  const holdsEmptyList = data.kind === 'object' && data.entries.some(([, value]) => value.kind === 'list');
  const fields = data.kind === 'object' ? data.entries.filter(([, value]) => value.kind === 'object') : [];
  return holdsEmptyList || fields.length === 0 ? undefined : fields.map(([, value]) => value);
}

type Scalar = { kind: string; text: string };

function flatten(value: Exact, name: string, found: (name: string, value: Scalar) => void): void {
  if (value.kind === 'object' && (value.entries.length > 0 || name === '')) {
    // "aggregate" is in every aggregate and adds no information.
    for (const [own, inner] of value.entries) {
      const part = plain(own) === 'aggregate' && inner.kind === 'object' ? '' : plain(own);
      flatten(inner, [name, part].filter(Boolean).join('.'), found);
    }
  } else if (value.kind === 'list' || value.kind === 'object') {
    found(name, { kind: 'text', text: printExact(value, ' ').replace(/\s*\n\s*/g, ' ') });
  } else {
    found(name, value);
  }
}
