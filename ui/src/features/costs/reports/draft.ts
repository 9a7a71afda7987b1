import type { Json } from '@/api';
import type { Filter } from '@/shared';
import { filtersOf, scopeOf } from '../scope';
import type { Report } from './queries';
import { words } from './words';

export const kinds = ['costs', 'budgets', 'savings', 'anomalies'] as const;
export type Kind = (typeof kinds)[number];

/** A report in the form: the texts of its fields. */
export interface Draft {
  name: string;
  kind: Kind;
  months: string;
  days: string;
  group: string;
  metric: string;
  scope: Filter[];
  /** A saved view of the Explorer; empty for the settings chosen here. */
  view: string;
  schedule: string;
  zone: string;
  channel: string;
  /** One address a line. */
  recipients: string;
  pdf: boolean;
  xlsx: boolean;
  csv: boolean;
  isActive: boolean;
}

export function newDraft(zone: string): Draft {
  return {
    name: '',
    kind: 'costs',
    months: '6',
    days: '31',
    group: 'service_name',
    metric: 'billed',
    scope: [],
    view: '',
    schedule: '0 7 1 * *',
    zone,
    channel: '',
    recipients: '',
    pdf: true,
    xlsx: false,
    csv: true,
    isActive: true,
  };
}

function objectOf(value: Json): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

function textsOf(value: Json): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function draftOf(report: Report): Draft {
  const usual = newDraft(report.timezone);
  const settings = objectOf(report.settings);
  const text = (name: string, otherwise: string) => {
    const value = settings[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
  };
  const formats = textsOf(report.formats);
  return {
    name: report.name,
    kind: kinds.find((kind) => kind === report.kind) ?? 'costs',
    months: text('months', usual.months),
    days: text('days', usual.days),
    group: text('group_by', usual.group),
    metric: text('metric', usual.metric),
    scope: filtersOf((settings['scope'] ?? {}) as Json),
    view: text('view_id', ''),
    schedule: report.schedule,
    zone: report.timezone,
    channel: report.channel_id ?? '',
    recipients: textsOf(report.recipients).join('\n'),
    pdf: formats.includes('pdf'),
    xlsx: formats.includes('xlsx'),
    csv: formats.includes('csv'),
    isActive: report.is_active,
  };
}

export type Problems = Partial<Record<'name' | 'months' | 'days' | 'schedule', string>>;

/** Validation problems of a draft, by field; the service validates it again. */
export function problemsOf(draft: Draft): Problems {
  const isWhole = (text: string, most: number) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most;
  return {
    ...(draft.name.trim() === '' ? { name: words.panel.nameMissing } : {}),
    ...(draft.kind === 'costs' && !isWhole(draft.months, 24) ? { months: words.panel.monthsWrong } : {}),
    ...(draft.kind === 'anomalies' && !isWhole(draft.days, 400) ? { days: words.panel.daysWrong } : {}),
    ...(draft.schedule.trim() === '' ? { schedule: words.panel.cronMissing } : {}),
  };
}

/** The settings of a report of this kind. */
export function settingsOf(draft: Draft): Json {
  if (draft.kind === 'costs' && draft.view !== '') return { months: Number(draft.months), view_id: draft.view };
  if (draft.kind === 'costs') {
    return {
      months: Number(draft.months),
      group_by: draft.group,
      metric: draft.metric,
      scope: scopeOf(draft.scope),
    };
  }
  return draft.kind === 'anomalies' ? { days: Number(draft.days) } : {};
}

/** The row in the format of the service. */
export function rowOf(draft: Draft) {
  const recipients = draft.recipients
    .split(/[\n,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    settings: settingsOf(draft),
    schedule: draft.schedule.trim(),
    timezone: draft.zone.trim() || 'UTC',
    channel_id: draft.channel === '' ? null : draft.channel,
    recipients,
    formats: [...(draft.pdf ? ['pdf'] : []), ...(draft.xlsx ? ['xlsx'] : []), ...(draft.csv ? ['csv'] : [])],
    is_active: draft.isActive,
  };
}
