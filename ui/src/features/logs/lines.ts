import type { Json } from '@/api';
import { parseTime } from '@/shared';

/** A line as the service answers it. */
export interface Stored {
  timestamp: string;
  severity: string;
  message: string;
  labels: Json;
}

export interface Line {
  id: string;
  time: string;
  level: Level;
  text: string;
  labels: [string, string][];
}

export const levels = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof levels)[number];

/** Programs spell levels in many ways. */
export function levelOf(severity: string): Level {
  const word = severity.toLowerCase();
  if (/^(err|error|fatal|panic|crit|critical|alert|emerg|kill)/.test(word)) return 'error';
  if (/^warn/.test(word)) return 'warn';
  return /^(debug|trace|verbose)/.test(word) ? 'debug' : 'info';
}

export function lineOf({ timestamp, severity, message, labels }: Stored, at: number): Line {
  return {
    id: `${timestamp}.${String(at)}`,
    time: timestamp,
    level: levelOf(severity),
    text: message,
    labels: Object.entries((labels ?? {}) as Record<string, Json>).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  };
}

/** Where a line comes from: its pod, else its app, else its container. */
export function sourceOf({ labels }: Line): string {
  const known = new Map(labels);
  return ['pod', 'pod_name', 'app', 'container', 'host', 'file'].map((name) => known.get(name)).find(Boolean) ?? '';
}

/** What is typed as the service takes it: a selector as it stands, words as text that a line must hold. */
export function selectorOf(q: string): string {
  const text = q.trim();
  if (text === '' || text.startsWith('{') || /^[\w./-]+\s*(=|!=|in\s*\(|notin\s*\()/.test(text)) return text;
  return `{} ${text
    .split(/\s+/)
    .map((word) => `|= "${word.replace(/["\\]/g, (one) => `\\${one}`)}"`)
    .join(' ')}`;
}

/** How many lines fall into each of `parts` equal stretches of time, by level. */
export function histogram(
  lines: readonly Pick<Line, 'time' | 'level'>[],
  from: number,
  until: number,
  parts: number,
): Record<Level, number>[] {
  const bars = Array.from({ length: parts }, () => ({ error: 0, warn: 0, info: 0, debug: 0 }));
  for (const { time, level } of lines) {
    const at = Math.floor(((parseTime(time).getTime() - from) / (until - from)) * parts);
    const bar = bars[at];
    if (bar) bar[level] += 1;
  }
  return bars;
}

/** The minute a time is in, as fields of a form have it. */
export function minute(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
