import type { Json, ResultOf } from '@/api';
import type { Digest } from './queries';

type Row = ResultOf<typeof Digest>['insight'][number];

/** A sentence of the digest. */
export interface Sentence {
  id: string;
  title: string;
  /** Whether it is the total of all costs. */
  isTotal: boolean;
  /** Whether it is about charges that the Explorer shows. */
  hasCosts: boolean;
  service: string | null;
  currency: string | null;
}

/** A weekly digest in sentences, compared with the previous week. */
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

/** The digest of all accounts; users with account roles get the digests of their accounts, in order. */
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
