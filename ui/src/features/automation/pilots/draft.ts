import { Cron } from 'croner';
import { lineAndZone } from '../trigger';
import type { PilotsSearch } from './search';
import { categories } from './words';

/** A new auto-pilot as it is typed. */
export interface PilotDraft {
  account: string;
  category: string;
  namespace: string;
  type: string;
  name: string;
  /** A cron line, which may start with its time zone; empty for the default schedule of the category. */
  line: string;
  isDry: boolean;
}

/** A new draft with the values in the address. */
export function newPilot({ add, account = '', type = '', name = '' }: PilotsSearch = {}): PilotDraft {
  return {
    account,
    category: add !== undefined && add in categories ? add : 'vertical_rightsize',
    namespace: '',
    type,
    name,
    line: '0 5 * * *',
    isDry: true,
  };
}

/** Validation problems, by field. */
export function problemsOf({ account, category, line }: PilotDraft): { account?: string; line?: string } {
  const problems: { account?: string; line?: string } = {};
  if (account === '') problems.account = 'Import a cluster or a bill first: it creates the account';
  if (line.trim() === '') {
    if (category === 'vertical_rightsize')
      problems.line = 'It has no default schedule: enter a cron line such as 0 5 * * *';
    return problems;
  }
  const schedule = lineAndZone({ cron: line });
  try {
    if (schedule) new Cron(schedule.line, { timezone: schedule.zone ?? 'UTC', paused: true });
  } catch {
    problems.line = 'Enter a cron line such as 0 5 * * *';
  }
  return problems;
}
