import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { JudgeDialog } from './Judge';
import type { Row } from './row';

const stored = (id: string, title: string, start: string, subject = 'cart') => ({
  id,
  title,
  subject_name: subject,
  nb_status: 'OPEN',
  starts_at: start,
  created_at: start,
  cloud_account: { id: 'a1', account_name: 'plant-4' },
  fingerprint: id,
});
const failing = stored('e1', 'Requests to cart fail', '2026-11-19T06:00:00');
const slow = stored('e2', 'cart answers slowly', '2026-11-19T06:02:00');
const rowOf = (one: typeof slow) => ({ id: one.id, stored: one }) as unknown as Row;

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The question about these events, where that began near them. */
function ask(rows: Row[], near: { before: unknown[]; after: unknown[] }) {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: near })));
  const onAct = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <JudgeDialog rows={rows} onAct={onAct} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  return onAct;
}
const choose = (field: string, value: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: field }), value);

test('a duplicate names the event that it is one of: one that began near it, those of its subject first', async () => {
  const other = stored('e3', 'Disk is full', '2026-11-19T06:01:00', 'db');
  const already = { ...stored('e4', 'cart fails again', '2026-11-19T06:01:30'), nb_status: 'DUPLICATE' };
  const onAct = ask([rowOf(slow)], { before: [slow, already, other, failing], after: [] });
  await choose('It was', 'Duplicate');
  await screen.findByRole('option', { name: /Requests to cart fail/ });
  const groups = screen.getAllByRole('group').filter((one) => one.tagName === 'OPTGROUP');
  expect(groups.map((group) => [group.getAttribute('label'), group.textContent])).toEqual([
    ['Same subject', expect.stringContaining('Requests to cart fail')],
    ['Started around the same time', expect.stringContaining('Disk is full')],
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Classify' }));
  expect(screen.getByText('Choose the event it is a duplicate of')).toBeTruthy();
  expect(onAct).not.toHaveBeenCalled();
  await choose('Duplicate of', 'e1');
  await userEvent.click(screen.getByRole('button', { name: 'Classify' }));
  expect(onAct).toHaveBeenCalledWith({
    kind: 'judge',
    name: 'duplicate',
    reason: 'duplicate_incident',
    text: '',
    scope: 'this_event',
    of: 'e1',
  });
});

test('of several selected events one can stay, and the others become its duplicates', async () => {
  ask([rowOf(failing), rowOf(slow)], { before: [slow, failing], after: [] });
  await choose('It was', 'Duplicate');
  await screen.findByRole('option', { name: 'Choose an event' });
  const selected = screen.getByRole('group', { name: 'Selected' });
  expect(selected.textContent).toContain('Requests to cart fail');
  expect(selected.textContent).toContain('cart answers slowly');
});
