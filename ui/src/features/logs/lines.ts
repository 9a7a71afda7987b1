import type { Json } from '@/api';
import { parseTime } from '@/shared';

/** A line as the service answers it. */
export interface LogRecord {
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

export function lineOf({ timestamp, severity, message, labels }: LogRecord, at: number): Line {
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

/** The source of a line: its pod, else its app, else its container. */
export function sourceOf({ labels }: Line): string {
  const known = new Map(labels);
  return ['pod', 'pod_name', 'app', 'container', 'host', 'file'].map((name) => known.get(name)).find(Boolean) ?? '';
}

/** Escapes special characters of patterns. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A text as a selector quotes it. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (one) => `\\${one}`)}"`;
}

/** Words, and phrases in quotes. */
function phrases(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"|(\S+)/g)].map(([, phrase, word]) => phrase ?? word ?? '');
}

/**
 * What is typed as the service takes it: a selector as it stands, words and "phrases" as text that a line must hold in any case; of one level where
 * one is chosen.
 */
export function selectorOf(q: string, level?: string): string {
  const text = q.trim();
  const isOfLabels = /^[\w./-]+\s*(=|!=|in\s*\(|notin\s*\()/.test(text);
  const selector =
    text === '' || text.startsWith('{') || isOfLabels
      ? text
      : `{} ${phrases(text)
          .map((phrase) => `|~ ${quoted(`(?i)${escaped(phrase)}`)}`)
          .join(' ')}`;
  if (level === undefined) return selector;
  if (isOfLabels) return `${selector},detected_level=${level}`;
  return `{detected_level=${quoted(level)}, ${(selector || '{}').slice(1).trimStart()}`;
}

/** Words of a pattern that a line is looked for by; the service compares no more. */
const mostWords = 60;

/** The selector of the lines with a pattern, where `<*>` marks the differing parts. */
export function selectorOfPattern(q: string, template: string): string {
  const words = template.split(' ').map((word) => (word === '<*>' ? '\\S+' : escaped(word)));
  const end = words.length < mostWords ? '\\s*$' : '';
  const before = selectorOf(q);
  return `${before.startsWith('{') ? before : '{}'} |~ ${quoted(`^\\s*${words.join('\\s+')}${end}`)}`;
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

/** The minute a time is in, as addresses have it: in UTC. */
export function minute(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
