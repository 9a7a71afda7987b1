import type { Json, ResultOf } from '@/api';
import type { Digest } from './queries';

type Row = ResultOf<typeof Digest>['insight'][number];

/** A sentence of the digest. */
export interface Sentence {
  id: string;
  title: string;
  /** What everything cost. */
  isTotal: boolean;
  /** Whether it is about charges that the Explorer shows. */
  hasCosts: boolean;
  service: string | null;
  currency: string | null;
}

/** A week in sentences, beside the one before. */
export interface WeekDigest {
  from: string;
  to: string;
  comparedFrom: string;
  comparedTo: string;
  sentences: Sentence[];
}

type Facts = Record<string, Json>;

function facts(row: Row): Facts {
  return typeof row.rule === 'object' && row.rule !== null && !Array.isArray(row.rule) ? row.rule : {};
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The digest of all accounts; for whoever sees only some of them, what is told of these, in order. */
export function digestOf(rows: readonly Row[]): WeekDigest | null {
  const all = rows.map((row) => ({ row, of: facts(row) }));
  const totals = all.filter(({ of }) => of['scope'] === 'total');
  const told = totals.length > 0 ? totals : all;
  const [first] = told;
  const [from, to, comparedFrom, comparedTo] = ['from', 'to', 'compared_from', 'compared_to'].map((name) =>
    text(first?.of[name]),
  );
  if (!from || !to || !comparedFrom || !comparedTo) return null;
  const place = (of: Facts) => Number(of['place'] ?? 0);
  const sentences = told
    .filter(({ of }) => of['from'] === from)
    .sort((a, b) => a.row.account_id.localeCompare(b.row.account_id) || place(a.of) - place(b.of))
    .map(({ row, of }) => ({
      id: row.id,
      title: row.title,
      isTotal: of['cost'] !== undefined && text(of['service']) === null,
      hasCosts: of['cost'] !== undefined,
      service: text(of['service']),
      currency: text(of['currency']),
    }));
  return { from, to, comparedFrom, comparedTo, sentences };
}
