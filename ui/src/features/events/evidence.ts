import type { Json } from '@/api';

/** One piece of evidence of an event, with a known shape. */
export type Finding =
  | { kind: 'logs'; title: string; lines: LogLine[] }
  | { kind: 'metric'; title: string; series: { name: string; points: [string, number][] }[] }
  | { kind: 'change'; title: string; at: string | null; facts: Fact[] }
  | { kind: 'object'; title: string; facts: Fact[] };

export interface LogLine {
  time: string;
  level: string;
  text: string;
}

interface Fact {
  name: string;
  value: string;
}

type Fields = Record<string, Json>;

/** The kinds in display order, with their names. */
export const kinds = {
  object: 'Kubernetes objects and facts',
  change: 'Changes',
  metric: 'Metrics',
  logs: 'Logs',
} as const;

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** "2026-11-20 06:40:51 WARN gc pause": a time and a level before the text, where they are there. */
export function lineOf(line: string): LogLine {
  const time = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)\s+/.exec(line);
  const rest = time ? line.slice(time[0].length) : line;
  const level = /^\[?(TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|PANIC|CRITICAL)\]?:?\s+/i.exec(rest);
  return {
    time: time?.[1] ?? '',
    level: (level?.[1] ?? '').toUpperCase().slice(0, 5),
    text: level ? rest.slice(level[0].length) : rest,
  };
}

function linesOf(value: Json | undefined): LogLine[] {
  const texts = Array.isArray(value) ? value.map(textOf) : textOf(value).split('\n');
  return texts.filter((line) => line.trim() !== '').map(lineOf);
}

function seriesOf(value: Json | undefined): { name: string; points: [string, number][] }[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isFields).flatMap((one) => {
    const all = one['points'] ?? one['values'];
    const points = (Array.isArray(all) ? all : []).flatMap((point): [string, number][] =>
      Array.isArray(point) && point.length === 2 ? [[textOf(point[0]), Number(point[1])]] : [],
    );
    return points.length > 0 ? [{ name: textOf(one['name'] ?? one['metric']), points }] : [];
  });
}

const named = ['type', 'title', 'name', 'data', 'at', 'time', 'timestamp', 'lines', 'series'];

function factsOf(fields: Fields): Fact[] {
  return Object.entries(fields)
    .filter(([name, value]) => !named.includes(name) && value !== null)
    .map(([name, value]) => ({ name: name.replaceAll('_', ' '), value: textOf(value) }));
}

/** The changes, "before → after" for each. */
function difference(before: Json | undefined, after: Json | undefined): Fact[] {
  if (!isFields(before) && !isFields(after)) return [];
  const [old, now] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].map((name) => ({
    name: name.replaceAll('_', ' '),
    value: `${textOf(old[name]) || '–'} → ${textOf(now[name]) || '–'}`,
  }));
}

function findingOf(fields: Fields): Finding {
  const type = textOf(fields['type']).toLowerCase();
  const title = textOf(fields['title'] ?? fields['name']) || textOf(fields['type']) || 'Fact';
  const data = fields['lines'] ?? fields['data'];
  const series = seriesOf(fields['series']);
  if (series.length > 0) return { kind: 'metric', title, series };
  if (/log/.test(type) && data !== undefined) return { kind: 'logs', title, lines: linesOf(data) };
  if (fields['before'] !== undefined || fields['after'] !== undefined || /change|deploy|release/.test(type)) {
    const { before, after, ...rest } = fields;
    const at = textOf(fields['at'] ?? fields['time'] ?? fields['timestamp']) || null;
    return { kind: 'change', title, at, facts: [...difference(before, after), ...factsOf(rest)] };
  }
  const inner = isFields(fields['data']) ? factsOf(fields['data']) : [];
  const plain = typeof fields['data'] === 'string' ? [{ name: 'text', value: fields['data'] }] : [];
  return { kind: 'object', title, facts: [...factsOf(fields), ...inner, ...plain] };
}

/** The evidence of an event: a list of objects, or one object. Unknown shapes are shown as names and values. */
export function findingsOf(evidences: Json): Finding[] {
  const all = Array.isArray(evidences) ? evidences : isFields(evidences) ? [evidences] : [];
  return all.flatMap((one) =>
    isFields(one)
      ? Object.keys(one).length > 0
        ? [findingOf(one)]
        : []
      : textOf(one) === ''
        ? []
        : [{ kind: 'object' as const, title: 'Fact', facts: [{ name: 'text', value: textOf(one) }] }],
  );
}
