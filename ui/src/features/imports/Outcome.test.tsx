import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChoiceName, Decision, ImportReport } from '@/api';
import { drawForTest, reportForTest, serviceForTest } from './drawForTest';
import { Outcome } from './Outcome';
import { works } from './works';

beforeEach(() => {
  serviceForTest({});
});
afterEach(() => {
  works.reset();
  vi.unstubAllGlobals();
});

const draw = (report: Partial<ImportReport>) => drawForTest(<Outcome id="7" report={reportForTest(report)} />);
const text = (container: HTMLElement) => container.textContent.replace(/\s+/g, ' ');

const choice = (name: ChoiceName, after: string) => ({
  choice: name,
  label: name,
  totals: [{ period: '2026-10', currency: 'USD', before: '1738', after }],
});
const decision: Decision = {
  reason: 'partly_known',
  question: 'Does october.csv add to October 2026 or replace it?',
  choices: [choice('add', '3532'), choice('replace', '1794'), choice('replace_accounts', '2100')],
  decided: null,
};

test('what a file did is said without being asked: its sum, what it added and replaced, what is stored now', async () => {
  const { container } = await draw({
    sums: {
      file: [{ currency: 'USD', period: null, billed_cost: '100.129' }],
      added: [{ currency: 'USD', period: '2026-11', billed_cost: '40' }],
      replaced: [
        { period: '2026-10', account: '111', account_name: 'Shop', currency: 'USD', before: '50', after: '60.129' },
      ],
      stored: [{ currency: 'USD', period: '2026-10', billed_cost: '260.129' }],
    },
  });
  const said = text(container);
  expect(said).toContain('In the file$100.13');
  expect(said).toContain('Added$40.00 November 2026');
  expect(said).toContain('Stored now$260.13 October 2026');
  const account = screen.getByText('111').closest('tr');
  expect(account?.textContent).toBe('Shop 111$50.00$60.13+$10.13');
});

test('an import that replaced nothing says so', async () => {
  const stored = [{ currency: 'USD', period: '2026-10', billed_cost: '1' }];
  const { container } = await draw({ sums: { file: stored, added: stored, replaced: [], stored } });
  expect(text(container)).toContain('ReplacedNothing');
});

test('of a file that waits for a decision only its own sum is told: for its months much may be stored', async () => {
  const file = [{ currency: 'USD', period: null, billed_cost: '600' }];
  const { container } = await draw({
    state: 'needs_decision',
    sums: { file, added: [], replaced: [], stored: [] },
  });
  expect(text(container)).toContain('In the file$600.00');
  expect(text(container)).not.toMatch(/Stored now|Added|Replaced/);
});

/** A delivery of these parts, the first of which may be there. */
const drawParts = (parts: { file_name: string; is_present: boolean }[]) =>
  draw({
    state: 'waiting_for_parts',
    delivery: {
      id: 'd',
      manifest: {
        kind: 'azure',
        file_name: 'manifest.json',
        run_id: 'r',
        submitted_at: null,
        period: '2026-10',
        export: '',
      },
      parts,
      part: null,
    },
  });

test('missing parts are named', async () => {
  await drawParts([
    { file_name: 'part_0_0001.csv', is_present: true },
    { file_name: 'part_1_0001.csv', is_present: false },
  ]);
  expect(screen.getByText('1 of 2 parts of this delivery is missing')).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Missing parts' }).textContent).toBe('part_1_0001.csv');
});

test('a delivery of one part has no number of them', async () => {
  await drawParts([{ file_name: 'part_0_0001.csv', is_present: false }]);
  expect(screen.getByText('The only part of this delivery is missing')).toBeTruthy();
});

test('no row read, and undone, are said plainly', async () => {
  const { unmount } = await draw({ state: 'nothing_read', rows_read: 12, rows_skipped: 12 });
  expect(screen.getByText('No row of this file could be read')).toBeTruthy();
  unmount();
  await draw({ state: 'undone' });
  expect(screen.getByText('This import was undone')).toBeTruthy();
});

test('a decision shows what is stored now and after each choice, side by side', async () => {
  await draw({ state: 'needs_decision', decision });
  expect(screen.getByText('Does october.csv add to October 2026 or replace it?')).toBeTruthy();
  const totals = screen.getAllByRole('region').flatMap((region) => {
    const button = within(region).queryAllByRole('button');
    return button.length === 1
      ? [`${button[0]?.textContent ?? ''}: ${region.querySelector('tbody')?.textContent ?? ''}`]
      : [];
  });
  expect(totals).toEqual([
    'Add: October 2026$1,738.00$3,532.00+$1,794.00',
    'Replace: October 2026$1,738.00$1,794.00+$56.00',
    'Replace only these accounts: October 2026$1,738.00$2,100.00+$362.00',
  ]);
});

test('a question shows what is stored now, not when it was asked', async () => {
  const now = {
    ...choice('add', '3632'),
    totals: [{ period: '2026-10', currency: 'USD', before: '1838', after: '3632' }],
  };
  serviceForTest({
    'GET /api/imports/7': () =>
      Response.json({
        id: '7',
        file_name: 'october.csv',
        size_bytes: 9,
        state: 'needs_decision',
        progress: null,
        report: reportForTest({ state: 'needs_decision', decision: { ...decision, choices: [now] } }),
      }),
  });
  await draw({ state: 'needs_decision', decision });
  const add = await screen.findByText('$1,838.00');
  expect(add.closest('tr')?.textContent).toBe('October 2026$1,838.00$3,632.00+$1,794.00');
  expect(screen.queryByText('$1,738.00')).toBeNull();
});

test('a choice is made with the keyboard, and the import is followed again', async () => {
  const sent = serviceForTest({
    'POST /api/imports/7/decision': () => Response.json({ id: '7', state: 'waiting' }),
    'GET /api/imports/7': () =>
      Response.json({
        id: '7',
        file_name: 'october.csv',
        size_bytes: 9,
        state: 'waiting',
        progress: null,
        report: null,
      }),
  });
  await draw({ state: 'needs_decision', decision });
  screen.getByRole('button', { name: 'Replace: october.csv' }).focus();
  await userEvent.keyboard('{Enter}');
  await vi.waitFor(() => {
    expect(works.store.get().map(({ id, phase }) => [id, phase])).toEqual([['7', 'waiting']]);
  });
  expect(sent.filter(({ to }) => to.startsWith('POST'))).toEqual([
    { to: 'POST /api/imports/7/decision', body: { choice: 'replace' } },
  ]);
});

test('a decision that somebody else has taken already says so', async () => {
  const message = 'There is nothing to decide about this import';
  serviceForTest({
    'POST /api/imports/7/decision': () => Response.json({ error: 'nothing_to_decide', message }, { status: 409 }),
  });
  await draw({ state: 'needs_decision', decision });
  await userEvent.click(screen.getByRole('button', { name: 'Add: october.csv' }));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
});

test('a form of numbers or dates is a choice, too', async () => {
  await draw({
    state: 'needs_decision',
    decision: {
      reason: 'number_format',
      question: 'BilledCost: is 1.234 one thousand or one and a bit?',
      choices: [choice('decimal_comma', '1234'), choice('decimal_point', '1.234')],
      decided: null,
    },
  });
  expect(screen.getByText('The numbers can be read in two ways')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Decimal comma: october.csv' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Decimal point: october.csv' })).toBeTruthy();
});

test('what was decided stays with the report', async () => {
  const { container } = await draw({
    decision: { ...decision, decided: { choice: 'add', by: 'Ada', at: '2026-11-03T09:11:00Z' } },
  });
  expect(text(container)).toContain('Ada chose “Add”');
  expect(screen.queryByRole('button')).toBeNull();
});

test('all answers stand with the report, and the next question below them', async () => {
  const answered = (reason: Decision['reason'], name: ChoiceName, by: string): Decision => ({
    ...decision,
    reason,
    decided: { choice: name, by, at: '2026-11-03T09:11:00Z' },
  });
  const answers = [answered('currency', 'add', 'Ada'), answered('partly_known', 'replace', 'Grace')];
  const asked = await draw({ state: 'needs_decision', answers: answers.slice(0, 1), decision });
  expect(text(asked.container)).toContain('Ada chose “Add”');
  expect(screen.getByText(decision.question)).toBeTruthy();
  asked.unmount();
  const { container } = await draw({ answers, decision: answers[1] ?? null });
  expect(text(container)).toMatch(/Ada chose “Add”.*Grace chose “Replace”/);
  expect(text(container).match(/Grace chose/g)?.length).toBe(1);
});
