import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PassphraseDialog } from './backup/PassphraseDialog';
import type { Backups } from './backup/queries';
import { ScheduleForm } from './backup/ScheduleForm';
import { LimitsDialog } from './privacy/LimitsDialog';
import type { Level } from './privacy/queries';
import { Overrides } from './providers/Overrides';
import type { Provider, Providers } from './providers/types';
import { TrackerForm } from './trackers/TrackerForm';
import { AddUser } from './users/AddUser';

const nothing = () => undefined;
let sent: string[] = [];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    // Asking for what the pages show is not a form that is sent.
    if (init?.method === 'PUT' || String(init?.body).includes('mutation')) sent.push(path);
    return new Promise(nothing);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function draw(form: ReactNode) {
  render(<QueryClientProvider client={new QueryClient()}>{form}</QueryClientProvider>);
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const type = async (label: string, text: string) => {
  await userEvent.clear(screen.getByLabelText(label));
  if (text) await userEvent.type(screen.getByLabelText(label), text);
};

const level = {
  budget_disabled: false,
  budget_enabled: false,
  budget_limit: null,
  daily_limit: null,
  session_limit: null,
  daily_session_limit: null,
} as unknown as Level;
const backups = {
  schedule: { every: 'day', at: 120, keep_days: 30, keep_copies: 60 },
  saved_at: null,
  folder: '/srv/backups',
  closes: false,
  closed_by: null,
} as unknown as Backups;
const provider = { id: '1', name: 'bedrock', kind: 'bedrock' } as unknown as Provider;
const providers = { overrides: [], given_overrides: [] } as unknown as Providers;

/** A form, what is done to it, the button that sends it, its problems, and the field of the first. */
type Case = [string, ReactNode, () => Promise<unknown>, string, string[], string];
const cases: Case[] = [
  [
    'a new user',
    <AddUser key="" taken={[]} accounts={[]} onClose={nothing} />,
    () => Promise.resolve(),
    'Add user',
    ['Enter an e-mail, for example mei@example.com', 'Enter a name'],
    'E-mail',
  ],
  [
    'the passphrase of backups',
    <PassphraseDialog key="" isAnother={false} onClose={nothing} />,
    () => type('Repeat passphrase', 'another'),
    'Encrypt from now on',
    ['It has 0 characters; at least 12 are required.', 'The passphrases differ.'],
    'Passphrase',
  ],
  [
    'the schedule of backups',
    <ScheduleForm key="" data={backups} />,
    async () => {
      await type('Keep, days', 'x');
      await type('Keep, copies at most', '0');
    },
    'Save schedule',
    ['A number from 1', 'A number from 1'],
    'Keep, days',
  ],
  [
    'limits',
    <LimitsDialog key="" title="Home" level={level} whose={{ level: 'tenant' } as never} onClose={nothing} />,
    async () => {
      await type('Cost of a day', 'much');
      await type('Conversations of a month', '1.5');
    },
    'Save',
    ['“much” is not an amount. Enter one such as 400 or 12.50', '“1.5” is not a whole number. Enter one such as 50'],
    'Cost of a day',
  ],
  [
    'a tracker that is tried out',
    <TrackerForm key="" tracker={null} onDone={nothing} />,
    () => Promise.resolve(),
    'Test',
    ['Enter a name, for example Service desk', 'Enter the secret'],
    'Name',
  ],
  [
    'another model for an agent',
    <Overrides key="" provider={provider} all={providers} />,
    async () => {
      await press('Add');
      await userEvent.click(screen.getByLabelText('For'));
      await userEvent.selectOptions(screen.getByLabelText('For'), 'agent');
    },
    'Save',
    ['Enter the name of an agent', 'Enter the name of a model'],
    'Name of the agent',
  ],
];

test.each(cases)(
  '%s with two problems shows both and goes to the first',
  async (_, form, fill, send, problems, first) => {
    draw(form);
    await fill();
    await press(send);
    for (const words of new Set(problems))
      expect(screen.getAllByText(words)).toHaveLength(problems.filter((one) => one === words).length);
    expect(document.activeElement).toBe(screen.getByLabelText(first));
    expect(sent).toEqual([]);
  },
);
