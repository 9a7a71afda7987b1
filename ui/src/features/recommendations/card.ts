import type { Json } from '@/api';
import type { Numeric } from '@/shared';

/** A number a verdict rests on. */
export interface Figure {
  name: string;
  value: Numeric;
  unit: string;
}

/** Another source with the same advice. */
export interface Witness {
  source: string;
  rule: string;
  savings: Numeric | null;
}

/** The saving of a month after closing. */
export interface MonthSaved {
  month: string;
  before: Numeric;
  after: Numeric;
  saved: Numeric;
}

/** The proof of a saving in later bills. */
export interface Proof extends MonthSaved {
  currency: string;
  verdict: 'verified' | 'partial' | 'none';
  months: MonthSaved[];
}

/** The details that a built-in rule stored: the basis of the saving. */
export interface Card {
  title: string | null;
  why: string | null;
  /** The change that resolves the recommendation. */
  change: string | null;
  confidence: string | null;
  effort: string | null;
  limits: string | null;
  monthlyCost: Numeric | null;
  /** The fraction that is saved, or that remains. */
  share: Numeric | null;
  targetCost: Numeric | null;
  period: { from: string; to: string } | null;
  /** The time of the cluster snapshot it is about. */
  seenAt: string | null;
  about: string | null;
  source: string | null;
  version: string | null;
  figures: Figure[];
  usage: string[];
  members: string[];
  witnesses: Witness[];
  proof: Proof | null;
  notVerified: string | null;
}

type Members = Record<string, Json>;

function members(value: Json | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function number(value: Json | undefined): Numeric | null {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ? value : null;
}

/** Parses the card of a recommendation; missing parts stay empty. */
export function cardOf(document: Json): Card {
  // Some listings read a list of one.
  const all = members(Array.isArray(document) ? document[0] : document);
  const rule = members(all['rule']);
  const [from, to] = ['from', 'to'].map((name) => text(members(all['period'])[name]));
  const version = number(rule['version']);
  return {
    title: text(all['title']),
    why: text(all['why']),
    change: text(all['change']),
    confidence: text(all['confidence']),
    effort: text(all['effort']),
    limits: text(all['limits']),
    monthlyCost: number(all['monthly_cost']),
    share: number(all['share']),
    targetCost: number(all['target_cost']),
    period: from && to ? { from, to } : null,
    seenAt: text(all['seen_at']),
    about: text(rule['about']),
    source: text(rule['source']),
    version: version === null ? null : String(version),
    figures: list(all['figures']).flatMap(figureOf),
    usage: list(all['usage_types']).filter((one) => typeof one === 'string'),
    members: list(all['members']).filter((one) => typeof one === 'string'),
    witnesses: list(all['witnesses']).map((one) => ({
      source: text(members(one)['source']) ?? '',
      rule: text(members(one)['rule']) ?? '',
      savings: number(members(one)['estimated_savings']),
    })),
    proof: proofOf(members(all['verified_saving'])),
    notVerified: text(all['not_verified']),
  };
}

function figureOf(document: Json): Figure[] {
  const all = members(document);
  const [name, value] = [text(all['name']), number(all['value'])];
  return name !== null && value !== null ? [{ name, value, unit: text(all['unit']) ?? '' }] : [];
}

function monthOf(all: Members): MonthSaved[] {
  const [month, before, after, saved] = [
    text(all['month']),
    number(all['before']),
    number(all['after']),
    number(all['saved']),
  ];
  if (month === null || before === null || after === null || saved === null) return [];
  return [{ month, before, after, saved }];
}

const verdicts = ['verified', 'partial', 'none'] as const;

function proofOf(all: Members): Proof | null {
  const [last] = monthOf(all);
  const currency = text(all['currency']);
  const verdict = verdicts.find((one) => one === all['verdict']);
  if (!last || currency === null || verdict === undefined) return null;
  return { ...last, currency, verdict, months: list(all['months']).flatMap((one) => monthOf(members(one))) };
}

/** The saved fraction with all digits used in the calculation: "20.0%", "28.3715%". */
export function partOf(fraction: Numeric): string {
  const percent = Number((Number(fraction) * 100).toFixed(4));
  return `${percent.toFixed(Math.max(1, String(percent).split('.')[1]?.length ?? 0))}%`;
}
