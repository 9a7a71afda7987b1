import { compare, subtract, sum } from '@/shared';
import type { Numeric } from '@/shared';
import type { Share } from './queries';

export interface RuleSum {
  currency: string;
  source: Numeric;
  allocated: Numeric;
  unallocated: Numeric;
}

/** The amounts a rule split and allocated, by currency. The parts of a day add up to its source exactly. */
export function sumsOf(shares: readonly Share[], ruleId: string): RuleSum[] {
  const own = shares.filter((share) => share.rule_id === ruleId);
  return [...new Set(own.map((share) => share.currency))].sort().map((currency) => {
    const of = own.filter((share) => share.currency === currency);
    const source = sum(of.map((share) => share.amount));
    const allocated = sum(of.filter((share) => share.target !== '').map((share) => share.amount));
    return { currency, source, allocated, unallocated: subtract(source, allocated) };
  });
}

export interface TargetSum {
  currency: string;
  target: string;
  amount: Numeric;
}

/** The amounts allocated to each target by all rules, the largest first. */
export function targetsOf(shares: readonly Share[]): TargetSum[] {
  const groups = new Map<string, Share[]>();
  for (const share of shares) {
    const key = JSON.stringify([share.currency, share.target]);
    groups.set(key, [...(groups.get(key) ?? []), share]);
  }
  return [...groups.values()]
    .map(([first, ...rest]) => ({
      currency: first?.currency ?? '',
      target: first?.target ?? '',
      amount: sum([first, ...rest].map((share) => share?.amount)),
    }))
    .sort((one, other) => compare(other.amount, one.amount));
}
