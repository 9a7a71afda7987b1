import type { Json } from '@/api';
import { count, money } from '@/shared';
import type { Numeric } from '@/shared';

/** The evidence of a recommendation as stored by an import: the current resource, every option, and other facts of the file. */
export interface Evidence {
  source: string | null;
  resourceType: string | null;
  /** The Kubernetes kind of the subject: Deployment. */
  kind: string | null;
  resourceId: string | null;
  region: string | null;
  /** The account that owns the resource, by its name at AWS. */
  owner: string | null;
  /** As the source spells it. */
  finding: string | null;
  currency: string | null;
  current: Facts;
  options: Facts[];
  facts: Facts;
}

/** Names to values of any shape. */
export type Facts = Record<string, Json>;

function isFacts(value: Json | undefined): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Parses the document of a recommendation. Rules use different shapes; missing parts stay empty. */
export function evidenceOf(document: Json): Evidence {
  const all = isFacts(document) ? document : {};
  // arn:aws:ec2:eu-central-1:1234567890:instance/i-0c80d1b0f3a0c5c69
  const [, , , region, owner, resource] = (text(all['resource_arn']) ?? '').split(':');
  const options = Array.isArray(all['options']) ? all['options'].filter(isFacts) : [];
  return {
    source: text(all['source']),
    resourceType: text(all['resource_type']),
    kind: text(all['kind']),
    resourceId: resource?.split('/')[1] ?? null,
    region: text(region),
    owner: text(owner),
    finding: text(all['finding']),
    currency: text(all['currency']),
    current: isFacts(all['current']) ? all['current'] : {},
    options,
    facts: isFacts(all['evidence']) ? all['evidence'] : {},
  };
}

const names: Record<string, string> = {
  estimated_monthly_savings: 'Saving per month',
  instance_type: 'Instance type',
  monthly_price: 'Price per month',
  performance_risk: 'Performance risk',
  vcpus: 'vCPU',
  volume_baseline_iops: 'Baseline IOPS',
  volume_baseline_throughput: 'Baseline throughput',
  volume_burst_iops: 'Burst IOPS',
  volume_burst_throughput: 'Burst throughput',
  volume_size: 'Volume size',
  volume_type: 'Volume type',
};

/** "look_back_period_in_days" as "Look back period in days". */
export function nameOf(key: string): string {
  const words = key.replaceAll('_', ' ');
  return names[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const risks = ['very low', 'low', 'medium', 'high', 'very high'];

/** AWS rates risk from 0, always enough capacity, to 4. */
export function riskName(value: Json | undefined): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const step = Number(value);
  const word = risks[Math.round(step)];
  return Number.isFinite(step) && word !== undefined && step >= 0 ? `${word} (${String(step)} of 4)` : null;
}

/** A value as it is shown in the table of options. */
export function valueOf(key: string, value: Json | undefined, currency: string | null): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'object') return JSON.stringify(value);
  if (key === 'performance_risk') return riskName(value) ?? String(value);
  const number = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  if (number && /savings$|price$|cost$/.test(key)) return money(value as Numeric, currency);
  if (number && key === 'volume_size') return `${count(value as Numeric)} GiB`;
  return String(value);
}

/** Keys of the options table: identifiers first, money and risk last, each key once. */
export function rowsOf({ current, options }: Evidence): string[] {
  const found = [...new Set([...options.flatMap((option) => Object.keys(option)), ...Object.keys(current)])];
  const last = ['monthly_price', 'estimated_monthly_savings', 'performance_risk'];
  const keys = found.filter((key) => key !== 'rank' && !last.includes(key));
  return [...keys, ...last.filter((key) => found.includes(key))];
}
