import { ruleTitle } from '@/api';
import type { Json } from '@/api';
import type { Tone } from '@/shared';
import { cronWords, lineAndZone, triggerWords } from '../trigger';
import { categories, runStates, taskStates } from './words';

function member(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The change made by a category, in words. */
export function categoryWords(category: string): string {
  return categories[category] ?? category;
}

/** Why it does not run although it is switched on, as a sentence; undefined when it does. */
export function notRunning(attributes: Json): string | undefined {
  const reason = text(member(attributes, 'not_running'));
  return reason === undefined ? undefined : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}

/** The scope of an auto-pilot: "shop / Deployment / web", with * for all. */
export function coversWords(identifiers: readonly Json[]): string[] {
  return identifiers.map((identifier) =>
    ['namespace', 'type', 'name'].map((part) => text(member(identifier, part)) ?? '*').join(' / '),
  );
}

/** The schedule of an auto-pilot, from a cron line that may start with its time zone. */
export function scheduleWords(line: string | null): string {
  const schedule = line === null ? undefined : lineAndZone({ cron: line });
  if (schedule === undefined) return 'By hand';
  const words = cronWords(schedule.line);
  return schedule.zone === undefined ? words : `${words} (${schedule.zone})`;
}

/** How an auto-pilot applies recommendations. */
export function wayWords(attributes: Json): string {
  if (member(member(attributes, 'git_ops_config') ?? null, 'enabled') === true) return 'By pull request';
  if (member(member(attributes, 'ticket_config') ?? null, 'enabled') === true) return 'By ticket';
  return 'By command, after approval';
}

/** The trigger of a playbook. */
export function playbookTrigger(trigger: Json): string {
  const type = text(member(trigger, 'type'))?.toLowerCase() ?? 'manual';
  const given = member(trigger, 'params') ?? trigger;
  const line = ['cron', 'frequency', 'schedule']
    .map((name) => text(member(given, name)))
    .find((one) => one !== undefined);
  const params = type === 'schedule' && line !== undefined ? { cron: line } : given;
  return triggerWords({ type, params });
}

/** The state of a recommendation, or of a run or step of a playbook: icon and word. */
export function outcome(status: string, of: 'task' | 'run'): { name: string; tone: Tone } {
  return (of === 'task' ? taskStates : runStates)[status] ?? { name: status, tone: 'off' };
}

/** The task of an auto-pilot: its rule in words, and the resource. */
export function taskWords(name: string): string {
  const at = name.indexOf(' of ');
  return at < 0 ? name : `${ruleTitle(name.slice(0, at)) ?? ''}${name.slice(at)}`;
}
