import type { Json } from '@/api';

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/** A cron line of five or six fields in words where they are plain, else as it is: "Every day, 05:00". */
export function cronWords(cron: string): string {
  const fields = cron.trim().split(/\s+/);
  if (fields.length === 6 && fields[0] === '0') fields.shift();
  const [minute = '', hour = '', day, month, weekday = ''] = fields;
  if (fields.length !== 5 || month !== '*') return cron;
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  const isAnyDay = day === '*' && weekday === '*';
  if (isAnyDay && hour === '*' && every !== undefined) return `Every ${every} minutes`;
  if (isAnyDay && hour === '*' && minute === '*') return 'Every minute';
  if (isAnyDay && hour === '*' && isNumber(minute))
    return minute === '0' ? 'Every hour' : `Every hour at :${minute.padStart(2, '0')}`;
  if (!isNumber(minute) || !isNumber(hour)) return cron;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (isAnyDay) return `Every day, ${time}`;
  if (day === '*' && weekday === '1-5') return `Weekdays, ${time}`;
  if (day === '*' && /^[0-7]$/.test(weekday)) return `${weekdays[Number(weekday)] ?? ''}, ${time}`;
  if (weekday === '*' && day !== undefined && isNumber(day)) return `Day ${day} of each month, ${time}`;
  return cron;
}

interface Trigger {
  type: string;
  params: Json;
}

function member(params: Json, name: string): Json | undefined {
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? params[name] : undefined;
}

/** Texts of a parameter that is one text or a list of them. */
function list(value: Json | undefined): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => (typeof one === 'string' && one !== '' ? [one] : []));
}

/** The cron line of a schedule and its time zone, UTC by default. A line may start with its zone: CRON_TZ=Europe/Berlin. */
export function lineAndZone(params: Json): { line: string; zone: string | undefined } | undefined {
  const [cron] = list(member(params, 'cron'));
  if (cron === undefined) return undefined;
  const own = /^(?:CRON_TZ|TZ)=(\S+)\s+(.*)$/.exec(cron.trim());
  const zone = list(member(params, 'timezone'))[0] ?? own?.[1];
  return { line: own?.[2] ?? cron, zone: zone === 'UTC' ? undefined : zone };
}

/** The trigger of a workflow, in words. */
export function triggerWords({ type, params }: Trigger): string {
  switch (type) {
    case 'schedule': {
      const schedule = lineAndZone(params);
      if (schedule === undefined) return 'Schedule';
      const words = cronWords(schedule.line);
      return schedule.zone === undefined ? words : `${words} (${schedule.zone})`;
    }
    case 'event': {
      const kinds = list(member(params, 'event_type'));
      return kinds.length > 0 ? `Event: ${kinds.join(', ')}` : 'Event that matches its filter';
    }
    case 'optimization': {
      const of = [...list(member(params, 'categories')), ...list(member(params, 'rule_names'))];
      return of.length > 0 ? `Recommendation: ${of.join(', ')}` : 'Recommendation that matches its filter';
    }
    case 'import': {
      const formats = list(member(params, 'formats'));
      return formats.length > 0 ? `Import: ${formats.join(', ')}` : 'Import finished';
    }
    case 'budget': {
      const budgets = list(member(params, 'budgets'));
      const percent = member(params, 'percent');
      const from = typeof percent === 'number' || typeof percent === 'string' ? ` from ${percent}%` : '';
      return `${budgets.length > 0 ? `Budget: ${budgets.join(', ')}` : 'Budget threshold reached'}${from}`;
    }
    case 'anomaly': {
      const names = list(member(params, 'names'));
      return names.length > 0 ? `Anomaly: ${names.join(', ')}` : 'Anomaly';
    }
    case 'webhook':
      return 'Webhook';
    case 'manual':
      return 'By hand';
    default:
      return type;
  }
}

/** All triggers of a workflow in one line; by hand if it has none. */
export function triggersWords(triggers: readonly (Trigger | null)[] | null): string {
  const words = (triggers ?? []).flatMap((one) => (one === null ? [] : [triggerWords(one)]));
  return words.length === 0 ? 'By hand' : words.join(' · ');
}
