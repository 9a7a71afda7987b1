import type { Tone } from '@/shared';
import type { Level } from './queries';

export type Replaces = 'outside' | 'always' | 'never';

/** An explanation of each choice. */
export const replacing: Record<Replaces, { label: string; meaning: string }> = {
  outside: {
    label: 'For models elsewhere',
    meaning: 'A model on this machine gets names unchanged; requests to other models have tokens instead.',
  },
  always: { label: 'Always', meaning: 'Models on this machine get tokens, too.' },
  never: {
    label: 'Never',
    meaning: 'Names of accounts, people and resources are sent unchanged to every provider.',
  },
};

/** The setting as the tenant has it. */
export function replacesOf(value: string | null | undefined): Replaces {
  return value === 'always' || value === 'never' ? value : 'outside';
}

/** Words of a text, one a line, each once. */
export function wordsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  ];
}

/** Why the service would reject these words. */
export function problemOfWords(words: readonly string[]): string | undefined {
  const wrong = words.find((word) => word.length < 3 || word.length > 100);
  if (wrong) return `“${wrong}” has ${String(wrong.length)} characters: a word has 3 to 100`;
  return words.length > 500 ? `${String(words.length)} words: at most 500` : undefined;
}

/** A text in pieces, tokens apart. */
export function tokensIn(text: string, tokens: readonly string[]): { text: string; isToken: boolean }[] {
  if (tokens.length === 0) return [{ text, isToken: false }];
  const longest = [...tokens].sort((one, other) => other.length - one.length);
  const any = new RegExp(`(\\b(?:${longest.map((token) => token.replace(/[^\w-]/g, '')).join('|')})\\b)`);
  return text
    .split(any)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isToken: tokens.includes(piece) }));
}

/** The state of a limit, in words. */
export function stateOf(level: Level): { word: string; tone: Tone } {
  if (level.budget_disabled) return { word: 'Not limited', tone: 'off' };
  if (level.rate_limit) return { word: `Reached: ${level.reached ?? 'a limit'}`, tone: 'bad' };
  const share = level.budget_enabled ? shareOf(level.current_usage, level.budget_limit) : 0;
  return share >= 0.8 ? { word: 'Nearly spent', tone: 'warn' } : { word: 'In budget', tone: 'ok' };
}

/** Part of a limit that is used, 1 at most. */
export function shareOf(used: string | number, limit: string | number | null): number {
  const whole = Number(limit ?? 0);
  if (whole <= 0) return Number(used) > 0 || limit !== null ? 1 : 0;
  return Math.min(1, Number(used) / whole);
}
