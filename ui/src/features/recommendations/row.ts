import { categoryName, ruleTitle, standing } from '@/api';
import type { ResultOf, Standing } from '@/api';
import { sum } from '@/shared';
import type { Filter, Numeric, SeverityName } from '@/shared';
import { cardOf } from './card';
import type { Card } from './card';
import { evidenceOf } from './evidence';
import type { Evidence } from './evidence';
import type { Recommendations } from './queries';
import type { RecommendationsSearch } from './search';
import { reasonOf, titleOf } from './title';

export type RecommendationRecord = ResultOf<typeof Recommendations>['recommendation'][number];

/** A recommendation as the page shows it. */
export interface Row {
  id: string;
  stored: RecommendationRecord;
  evidence: Evidence;
  /** The details stored by a built-in rule. */
  card: Card;
  title: string;
  reason: string;
  category: string;
  severity: SeverityName | null;
  standing: Standing;
  status: string;
  resource: string;
  account: string;
  currency: string;
  savings: Numeric | null;
  /** The owner: user id, and the name if this user may see it. */
  owner: string | null;
  ownerName: string | null;
}

/** The owner of a recommendation. */
export interface Owner {
  id: string;
  name: string;
}

const statuses: Record<string, string> = { InProgress: 'In progress', Closed: 'Done', Archive: 'Gone' };

export function statusName(status: string): string {
  return statuses[status] ?? status;
}

export function rowOf(stored: RecommendationRecord, owner: Owner | null = null): Row {
  const evidence = evidenceOf(stored.recommendation);
  const card = cardOf(stored.recommendation);
  return {
    id: stored.id,
    stored,
    evidence,
    card,
    title: card.title ?? titleOf(evidence, stored.rule_name),
    reason: card.about ?? reasonOf(evidence, stored.rule_name),
    category: categoryName(stored.category),
    severity: stored.severity,
    standing: standing(stored),
    status: stored.is_dismissed ? 'Dismissed' : (stored.status ?? 'Open'),
    resource: stored.cloud_resourse?.name ?? evidence.resourceId ?? stored.account_object_id ?? '',
    account: stored.cloud_account.account_name,
    currency: evidence.currency ?? '',
    // Cluster rules have a saving only if a bill contains the machine.
    savings: card.seenAt !== null && card.monthlyCost === null ? null : stored.estimated_savings,
    owner: owner?.id ?? null,
    ownerName: owner?.name ?? null,
  };
}

/** The fields of the filter bar: their value in a row, and that value in words. */
export const fields = {
  category: { label: 'Category', value: (row: Row) => row.stored.category ?? '', name: (row: Row) => row.category },
  severity: { label: 'Severity', value: (row: Row) => row.severity ?? '', name: (row: Row) => row.severity ?? 'None' },
  status: { label: 'Status', value: (row: Row) => row.status, name: (row: Row) => statusName(row.status) },
  owner: {
    label: 'Assigned to',
    value: (row: Row) => row.owner ?? 'nobody',
    name: (row: Row) => row.ownerName ?? 'Nobody',
  },
  account: { label: 'Account', value: (row: Row) => row.stored.cloud_account.id, name: (row: Row) => row.account },
  rule: {
    label: 'Rule',
    value: (row: Row) => row.stored.rule_name ?? '',
    name: (row: Row) => ruleTitle(row.stored.rule_name) ?? 'None',
  },
  change: { label: 'Change', value: (row: Row) => changeKey(row), name: (row: Row) => changeOf(row) },
} as const;

/** The change that resolves it: rows with the same text are resolved together. */
export function changeOf(row: Row): string {
  return ruleTitle(row.card.change ?? row.stored.rule_name) ?? row.title;
}

/** The same for an address, where a comma parts values. */
function changeKey(row: Row): string {
  return changeOf(row)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

export type FieldName = keyof typeof fields;
export const fieldNames = Object.keys(fields) as FieldName[];

/** The filters in an address: "RightSizing,Cost", or "!Cost" for none of. */
export function filtersOf(search: RecommendationsSearch): Filter[] {
  return fieldNames.flatMap((field) => {
    const text = search[field];
    if (!text) return [];
    const not = text.startsWith('!');
    return [{ field, values: (not ? text.slice(1) : text).split(','), ...(not ? { not } : {}) }];
  });
}

/** Filters in the format of the address. */
export function filtersToSearch(filters: readonly Filter[]): Partial<Record<FieldName, string>> {
  return Object.fromEntries(filters.map(({ field, values, not }) => [field, `${not ? '!' : ''}${values.join(',')}`]));
}

/** Whether a row belongs to one of the three views. */
export function isIn(row: Row, show: RecommendationsSearch['show']): boolean {
  if (show === 'done') return row.standing === 'done' || row.standing === 'gone';
  return row.standing === (show ?? 'open');
}

/** The rows a search leaves; every word must be found somewhere in the row. */
export function filtered(rows: readonly Row[], search: RecommendationsSearch): Row[] {
  const filters = filtersOf(search);
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (!isIn(row, search.show)) return false;
    const passes = filters.every(({ field, values, not }) => {
      const found = values.includes(fields[field as FieldName].value(row));
      return not ? !found : found;
    });
    if (!passes) return false;
    const { account_object_id: arn, rule_name: rule } = row.stored;
    const { title, reason, resource, account, category, ownerName } = row;
    const text = [title, reason, resource, account, category, ownerName, arn, rule, ruleTitle(rule)]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Savings of rows, per currency. */
export function savingsOf(rows: readonly Row[]): [string, Numeric][] {
  const found = new Map<string, Numeric>();
  for (const { savings, currency } of rows) {
    if (savings !== null) found.set(currency, sum([found.get(currency), savings]));
  }
  return [...found];
}
