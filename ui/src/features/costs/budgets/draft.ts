import { compare } from '@/shared';
import type { Filter } from '@/shared';
import { filtersOf, scopeOf } from '../scope';
import type { Budget } from './queries';
import { words } from './words';

export { filtersOf, scopeOf } from '../scope';

export interface Threshold {
  percent: string;
  on: 'actual' | 'forecast';
}

/** A budget in the form: the texts of its fields. */
export interface Draft {
  name: string;
  amount: string;
  currency: string;
  period: 'month' | 'quarter' | 'year';
  scope: Filter[];
  thresholds: Threshold[];
}

export function newDraft(currency: string): Draft {
  const at = (percent: string): Threshold => ({ percent, on: 'actual' });
  return {
    name: '',
    amount: '',
    currency,
    period: 'month',
    scope: [],
    thresholds: [at('50'), at('80'), at('100'), { percent: '100', on: 'forecast' }],
  };
}

export function draftOf(budget: Budget): Draft {
  return {
    name: budget.name,
    amount: String(budget.amount),
    currency: budget.currency ?? '',
    // Funding covers fixed days once; it is not edited here.
    period: budget.period ?? 'year',
    scope: filtersOf(budget.scope),
    thresholds: budget.thresholds.map(({ percent, on }) => ({
      percent: String(percent),
      on: on === 'forecast' ? 'forecast' : 'actual',
    })),
  };
}

export interface Problems {
  name?: string;
  amount?: string;
  currency?: string;
  thresholds?: string;
}

/** Validation problems of a draft, by field; the service validates it again. */
export function problemsOf(draft: Draft): Problems {
  const amount = draft.amount.trim();
  const isAmount = /^\d+(\.\d+)?$/.test(amount) && compare(amount, 0) > 0;
  const percents = draft.thresholds.map(({ percent, on }) => `${on} ${percent.trim()}`);
  const isPercent = ({ percent }: Threshold) =>
    /^\d+(\.\d+)?$/.test(percent.trim()) && compare(percent.trim(), 0) > 0 && compare(percent.trim(), 1000) <= 0;
  const areRight = draft.thresholds.every(isPercent) && new Set(percents).size === percents.length;
  return {
    ...(draft.name.trim() === '' ? { name: words.panel.nameMissing } : {}),
    ...(isAmount ? {} : { amount: words.panel.amountWrong }),
    ...(/^[A-Z]{3}$/.test(draft.currency.trim()) ? {} : { currency: words.panel.currencyWrong }),
    ...(areRight ? {} : { thresholds: words.panel.percentWrong }),
  };
}

/** The row in the format of the service: thresholds of each kind are ascending. */
export function rowOf(draft: Draft) {
  const ascending = [...draft.thresholds].sort((one, other) => compare(one.percent, other.percent));
  return {
    name: draft.name.trim(),
    amount: draft.amount.trim(),
    currency: draft.currency.trim(),
    period: draft.period,
    scope: scopeOf(draft.scope),
    thresholds: ascending.map(({ percent, on }) => {
      const number = Number(percent);
      return on === 'actual' ? number : { percent: number, on };
    }),
  };
}
