import { compare, money, range, subtract } from '@/shared';
import type { Numeric, Tone } from '@/shared';
import type { Budget } from './queries';
import type { ScopeKind } from './search';
import { accountOf } from './spread';
import { words } from './words';

/** The state of a budget, as tone and text. */
export function standOf(budget: Budget, several: boolean): { tone: Tone; text: string } {
  const over = (value: Numeric | null) =>
    value !== null && compare(value, budget.amount) > 0
      ? money(subtract(value, budget.amount), budget.currency, { whole: true, several })
      : null;
  switch (budget.state) {
    case 'crossed': {
      const amount = over(budget.spent);
      return { tone: 'bad', text: amount === null ? words.states.reached : words.states.crossed(amount) };
    }
    case 'forecast_crossed': {
      const amount = over(budget.forecast);
      // A threshold of the forecast: the period ended within its budget.
      if (amount === null && hasEnded(budget)) return { tone: 'ok', text: words.states.kept };
      return { tone: 'warn', text: amount === null ? words.states.forecastThreshold : words.states.forecast(amount) };
    }
    case 'near': {
      const reached = budget.thresholds.filter(({ on, reached_on }) => on === 'actual' && reached_on !== null);
      return { tone: 'warn', text: words.states.near(String(reached.at(-1)?.percent ?? '')) };
    }
    case 'ok':
      return { tone: 'ok', text: hasEnded(budget) ? words.states.kept : words.states.ok };
    default:
      return { tone: 'off', text: words.states.unknown };
  }
}

/** Whether its period is over: the bill covers its last day, and there is no forecast any more. */
export function hasEnded({ days, until }: Pick<Budget, 'days' | 'until'>): boolean {
  const last = days.at(-1);
  return last !== undefined && !last.is_forecast && last.date >= until;
}

/** The forecast for the end of its period; null once that is over. */
export function forecastOf(budget: Budget): Budget['forecast'] {
  return hasEnded(budget) ? null : budget.forecast;
}

/** Whether it is the funding of a business unit or project: for some days, once. */
export function isFunding(budget: Budget): boolean {
  return budget.business_unit_id !== null || budget.project_id !== null;
}

/** How long its amount is for: "per month", or "for" its days. */
export function forHowLong({ period, from, until }: Budget, now: Date): string {
  return period === null ? `for ${range(from, until, now)}` : words.per[period];
}

/** Whether the budget needs attention. */
export function needsAttention({ state }: Budget): boolean {
  return state !== 'ok';
}

/** The scope of a budget: all costs, one account, a business unit, a project, or filters. */
export function scopeKind(budget: Budget): ScopeKind {
  if (budget.business_unit_id !== null) return 'unit';
  if (budget.project_id !== null) return 'project';
  if (accountOf(budget) !== null) return 'account';
  return isEverything(budget) ? 'everything' : 'filters';
}

/** Whether its filters leave nothing out. */
export function isEverything({ scope }: Pick<Budget, 'scope'>): boolean {
  return scope !== null && typeof scope === 'object' && Object.keys(scope).length === 0;
}

/** The scope of a budget, in one line. */
export function scopeWords(budget: Budget, names: ReadonlyMap<string, string>): string {
  if (budget.account_id !== null) return words.account;
  if (budget.business_unit_id !== null) return words.unit;
  if (budget.project_id !== null) return words.project;
  const scope = budget.scope;
  if (scope === null || typeof scope !== 'object' || Array.isArray(scope)) return words.everything;
  const texts = Object.values(scope).flatMap((values) => (Array.isArray(values) ? values : [values]));
  if (texts.length === 0) return words.everything;
  return texts.map((text) => names.get(String(text)) ?? String(text)).join(', ');
}
