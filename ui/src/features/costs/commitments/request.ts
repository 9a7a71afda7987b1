import type { Numeric } from '@/shared';
import type { Proposal, ProposalRow } from './queries';
import type { CommitmentsSearch } from './search';

/** The terms that providers sell, in months. */
export const terms = ['12', '36'] as const;
/** How much of a term is paid on its first day. */
export const payments = ['none', 'half', 'all'] as const;

const shares = { none: 0, half: 0.5, all: 1 };

/** Above 0 and below 100, with two digits after the point at most. */
export function isPercent(text: string): boolean {
  return /^\d{1,2}(\.\d{1,2})?$/.test(text.trim()) && Number(text) > 0;
}

/** An amount above 0. */
export function isAmount(text: string): boolean {
  return /^\d{1,12}(\.\d{1,8})?$/.test(text.trim()) && Number(text) > 0;
}

/** The term of an address. */
export function termIn({ term }: CommitmentsSearch) {
  return terms.find((one) => one === term) ?? '12';
}

/** The upfront payment in the address. */
export function paymentIn({ upfront }: CommitmentsSearch) {
  return payments.find((one) => one === upfront) ?? 'none';
}

/** The request for every service or for the selected one. Invalid values in the address are dropped. */
export function requestOf(search: CommitmentsSearch, one: boolean) {
  const { discount = '', service, currency, hourly = '' } = search;
  const isOne = one && service !== undefined && currency !== undefined;
  return {
    // A percentage with two decimals is a fraction with four; the division alone would leave rounding noise.
    discount: isPercent(discount) ? Number((Number(discount) / 100).toFixed(4)) : null,
    term: Number(termIn(search)),
    upfront: shares[paymentIn(search)],
    service: isOne ? service : null,
    currency: isOne ? currency : null,
    hourly: isOne && isAmount(hourly) ? hourly : null,
  };
}

/** A line of the table: the proposal for one service or family over one period. */
export interface Line {
  id: string;
  row: ProposalRow;
  proposal: Proposal | null;
  /** Of the amount that the person named. */
  isOwn: boolean;
}

/** A service, or family of one, of which neither the bill nor the person names a discount. */
export interface UnpricedService {
  id: string;
  service: string;
  currency: string;
  family: string | null;
  /** The cost without a commitment, by number of days. */
  costs: ReadonlyMap<number, Numeric>;
}

/** Those services in the order of the answer, each once. */
export function unpricedOf(rows: readonly ProposalRow[]): UnpricedService[] {
  const services = new Map<string, UnpricedService & { costs: Map<number, Numeric> }>();
  for (const { currency, service_name: service, family, days, discount, eligible_cost: cost } of rows) {
    if (discount !== null || service === null || currency === null) continue;
    const id = `${currency} ${service} ${family ?? ''}`;
    const one = services.get(id) ?? { id, service, currency, family, costs: new Map<number, Numeric>() };
    if (cost !== null) one.costs.set(Number(days), cost);
    services.set(id, one);
  }
  return [...services.values()];
}

/** Lines in the order of the response; the user's own amount is above the recommended one. */
export function linesOf(rows: readonly ProposalRow[]): Line[] {
  return rows.flatMap((row) => {
    const id = `${row.currency ?? ''} ${row.service_name ?? ''} ${row.family ?? ''} ${String(row.days)}`;
    const own = row.asked ? [{ id: `${id} own`, row, proposal: row.asked, isOwn: true }] : [];
    return [...own, { id, row, proposal: row.recommended, isOwn: false }];
  });
}
