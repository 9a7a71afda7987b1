import { ruleTitle } from '@/api';
import type { Json } from '@/api';
import { money } from '@/shared';
import { riskName } from './evidence';
import type { Evidence, Facts } from './evidence';

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The changed property, "m4.xlarge" or "gp2, 80 GiB". */
export function shape(facts: Facts): string | null {
  const size = facts['volume_size'];
  const volume = text(facts['volume_type']);
  if (volume) return size === undefined ? volume : `${volume}, ${String(size)} GiB`;
  const [memory, cpu] = [facts['memory_size'], facts['cpu']];
  if (memory !== undefined) return `${String(memory)} MB`;
  if (cpu !== undefined) return `${String(cpu)} CPU units, ${String(facts['memory'] ?? '?')} MiB`;
  return text(facts['instance_type']) ?? text(facts['db_instance_class']);
}

const things: Partial<Record<string, string>> = {
  volume: 'volume',
  autoScalingGroup: 'Auto Scaling group',
  function: 'function',
  service: 'service',
  db: 'database',
};

/** "Resize m4.xlarge to t3.xlarge": the action in the imperative; the title of the rule if the evidence does not state it. */
export function titleOf(evidence: Evidence, rule: string | null): string {
  const [from, to] = [shape(evidence.current), evidence.options[0] && shape(evidence.options[0])];
  if (from && to) return evidence.resourceType === 'volume' ? `Change ${from} to ${to}` : `Resize ${from} to ${to}`;
  return ruleTitle(rule) ?? 'Recommendation without a rule';
}

function plain(finding: string | null): string {
  return (finding ?? '').replace(/[^a-z]/gi, '').toLowerCase();
}

/** The finding in a few words, for the list. */
export function reasonOf(evidence: Evidence, rule: string | null): string {
  switch (plain(evidence.finding)) {
    case 'overprovisioned':
      return 'Over-provisioned';
    case 'underprovisioned':
      return 'Under-provisioned';
    case 'notoptimized':
      return 'Cheaper equivalent';
    default:
      return evidence.finding ?? ruleTitle(rule) ?? '–';
  }
}

/** Why, in whole sentences, of nothing but the evidence. */
export function whyOf(evidence: Evidence): string[] {
  if (evidence.source !== 'aws_compute_optimizer') return [];
  const [first, ...others] = evidence.options;
  const thing = things[evidence.resourceType ?? ''] ?? 'instance';
  const from = shape(evidence.current);
  const finding = {
    overprovisioned: `finds this ${thing} over-provisioned`,
    underprovisioned: `finds this ${thing} under-provisioned`,
    notoptimized: `finds a cheaper equivalent of this ${thing}`,
  }[plain(evidence.finding)];
  const sentences = [
    `AWS Compute Optimizer ${finding ?? `reports ${evidence.finding ?? 'a finding'} for this ${thing}`}${from ? `: it is ${from} now` : ''}.`,
  ];
  const to = first && shape(first);
  if (first && to) sentences.push(`Its first option is ${to}${terms(first, evidence.currency)}.`);
  const safer = others.find((option) => Number(option['performance_risk']) < Number(first?.['performance_risk']));
  const saferShape = safer && shape(safer);
  if (safer && saferShape) sentences.push(`${saferShape} carries less risk${terms(safer, evidence.currency)}.`);
  return sentences;
}

function terms(option: Facts, currency: string | null): string {
  const saving = option['estimated_monthly_savings'];
  const risk = riskName(option['performance_risk']);
  const amount =
    typeof saving === 'number' || typeof saving === 'string' ? `about ${money(saving, currency)} less a month` : null;
  const parts = [amount, risk && `performance risk ${risk}`].filter((part) => part !== null);
  return parts.length > 0 ? `: ${parts.join(', ')}` : '';
}
