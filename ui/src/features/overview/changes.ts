import { compare, ratio, subtract, sum } from '@/shared';
import type { Numeric } from '@/shared';

export interface ServiceRow {
  resource_service_name: string | null;
  billed_cost: Numeric | null;
}

/** One service in both periods. */
export interface Change {
  /** Null for charges that name no service. */
  service: string | null;
  spend: Numeric;
  before: Numeric;
  change: Numeric;
  /** Relative to the earlier spend; null if there was none. */
  fraction: number | null;
}

/** All services of both periods, the largest change first, up or down. */
export function changes(now: readonly ServiceRow[], before: readonly ServiceRow[]): Change[] {
  const services = [...new Set([...now, ...before].map((row) => row.resource_service_name))];
  const of = (rows: readonly ServiceRow[], service: string | null) =>
    sum(rows.filter((row) => row.resource_service_name === service).map((row) => row.billed_cost));
  return services
    .map((service) => {
      const [spend, past] = [of(now, service), of(before, service)];
      const change = subtract(spend, past);
      return { service, spend, before: past, change, fraction: compare(past, 0) > 0 ? ratio(change, past) : null };
    })
    .sort((a, b) => compare(size(b.change), size(a.change)));
}

function size(amount: Numeric): Numeric {
  return compare(amount, 0) < 0 ? subtract(0, amount) : amount;
}
