import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { UndoPreview } from '@/api';
import { Toasts } from '@/shared/toast';
import { drawForTest, serviceForTest } from './drawForTest';
import { UndoDialog } from './UndoDialog';

afterEach(() => {
  vi.unstubAllGlobals();
});

const own = { id: '1', file_name: 'october.csv', created_at: '2026-11-03T09:11:00Z' };
const later = { id: '2', file_name: 'october-2.csv', created_at: '2026-11-04T09:11:00Z' };
const preview: UndoPreview = {
  imports: [own],
  rows: 12,
  totals: [{ period: '2026-10', account: '1', account_name: 'Shop', currency: 'USD', before: '3532', after: '1738' }],
  accounts: 1,
  resources: 3,
  tag_keys: 0,
};

async function open(answers: Parameters<typeof serviceForTest>[0]) {
  const sent = serviceForTest(answers);
  const closed = vi.fn();
  await drawForTest(
    <>
      <UndoDialog id="1" name="october.csv" onClose={closed} />
      <Toasts />
    </>,
  );
  return { sent, closed };
}

test('what an undo changes is shown before it is done, and told after', async () => {
  const { sent, closed } = await open({
    'GET /api/imports/1/undo': () => Response.json(preview),
    'POST /api/imports/1/undo': () => Response.json({ undone: ['1'] }),
  });
  expect(await screen.findByText('$3,532.00')).toBeTruthy();
  expect(screen.getByText('$1,738.00')).toBeTruthy();
  expect(
    screen.getByText('12 rows are removed, and with them 1 account and 3 resources that only this import contains.'),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Undo import' }));
  await vi.waitFor(() => {
    expect(closed).toHaveBeenCalled();
  });
  expect(sent.find(({ to }) => to.startsWith('POST'))?.body).toEqual({ with: [] });
  expect(await screen.findByText('Undone: october.csv')).toBeTruthy();
});

test('later imports that rest on it are named, and undone only when the person agrees', async () => {
  const { sent } = await open({
    'GET /api/imports/1/undo': () => Response.json({ ...preview, imports: [later, own] }),
    'POST /api/imports/1/undo': () => Response.json({ undone: ['2', '1'] }),
  });
  expect(await screen.findByText('october-2.csv')).toBeTruthy();
  const button = screen.getByRole('button', { name: 'Undo 2 imports' });
  expect(button.hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Undo it too' }));
  await userEvent.click(button);
  await vi.waitFor(() => {
    expect(sent.find(({ to }) => to.startsWith('POST'))?.body).toEqual({ with: ['2'] });
  });
  expect(await screen.findByText('Undone: october.csv and 1 later import')).toBeTruthy();
});

test('when another import has come to rest on it, the person is asked again', async () => {
  let known: UndoPreview = preview;
  const message = 'Later imports rest on this one: october-2.csv';
  const { closed } = await open({
    'GET /api/imports/1/undo': () => Response.json(known),
    'POST /api/imports/1/undo': () => {
      known = { ...preview, imports: [later, own] };
      return Response.json({ error: 'later_imports', message }, { status: 409 });
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Undo import' }));
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(await screen.findByRole('button', { name: 'Undo 2 imports' })).toBeTruthy();
  expect(closed).not.toHaveBeenCalled();
});
