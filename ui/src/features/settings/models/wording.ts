import { bytes, plural, timeLeft } from '@/shared';
import type { Tone } from '@/shared';
import type { Download, Here } from './types';

/** The state in a word, with its tone. */
export function stateOf(download: Download): { word: string; tone: Tone } {
  switch (download.state) {
    case 'queued':
    case 'preflight':
    case 'space_check':
      return { word: 'Starting', tone: 'info' };
    case 'downloading':
      return { word: 'Downloading', tone: 'info' };
    case 'stalled':
      return { word: 'Stalled, trying again', tone: 'warn' };
    case 'waiting_network':
      return { word: 'Waiting for the network', tone: 'warn' };
    case 'verifying':
      return { word: 'Verifying', tone: 'info' };
    case 'installing':
      return { word: 'Finishing', tone: 'info' };
    case 'paused':
      return { word: 'Paused', tone: 'off' };
    case 'failed':
      return download.can_resume && download.kept_bytes > 0
        ? { word: 'Interrupted', tone: 'warn' }
        : { word: 'Failed', tone: 'bad' };
    case 'quarantined':
      return { word: 'Wrong file', tone: 'bad' };
  }
}

const twoDecimals = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** "26.9 of 43.4 GB": both in the unit of the whole. */
export function ofWhole(part: number, whole: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unit = Math.min(Math.max(Math.floor(Math.log10(Math.max(whole, 1)) / 3), 0), units.length - 1);
  const scale = 1000 ** unit;
  const text = (value: number) => (unit < 3 ? twoDecimals(value / scale) : (value / scale).toFixed(1));
  return `${text(Math.min(part, whole))} of ${text(whole)} ${units[unit] ?? 'B'}`;
}

/** "31.4 MB/s, about 9 min left". */
export function pace(download: Download): string {
  const rate = `${bytes(download.rate)}/s`;
  return download.seconds_left === null ? rate : `${rate}, ${timeLeft(download.seconds_left)}`;
}

/** Whole percent, never more than is there. */
export function percent(part: number, whole: number | null): number {
  return whole ? Math.min(100, Math.floor((part / whole) * 100)) : 0;
}

/** "9b41 d07e 52c8 6fa3 … 17ae 03f5" */
export function shortHash(hex: string): string {
  const groups = hex.match(/.{4}/g) ?? [hex];
  return [...groups.slice(0, 4), '…', ...groups.slice(-2)].join(' ');
}

/** Why the text is not a SHA-256; undefined if it is valid or empty. */
export function problemOfHash(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '' || /^[0-9a-f]{64}$/i.test(text)) return undefined;
  const other = /[^0-9a-f]/i.exec(text)?.[0];
  return other
    ? `A SHA-256 has 64 digits from 0 to 9 and a to f; found “${other}”`
    : `This has ${plural(text.length, 'digit')}. A SHA-256 has 64`;
}

/** How the file was verified, in words. */
export function vouched(here: Here): string {
  switch (here.trust) {
    case 'registry':
      return `SHA-256 matches the registry's ${here.told_by}`;
    case 'file':
      return 'SHA-256 matches its .sha256 file';
    case 'person':
      return 'SHA-256 matches the one you gave';
    case 'first_use':
      return 'Trusted on first use: no expected SHA-256 was given';
  }
}

/** The model of a file, by the service's naming rule. */
export function modelOfFile(file: string): string {
  return file.replace(/\.(gguf|safetensors|bin)$/, '');
}
