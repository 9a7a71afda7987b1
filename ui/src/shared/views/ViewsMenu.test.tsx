import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ViewsMenu } from './ViewsMenu';
import type { SavedViews } from './ViewsMenu';

const views = [
  { id: '1', name: 'Not acknowledged', search: { filters: [{ field: 'triage', values: ['OPEN'] }] } },
  { id: '2', name: 'This week', search: { since: 'week' } },
];

function savedViews(over: Partial<SavedViews> = {}): SavedViews {
  return {
    views,
    mayNot: undefined,
    save: vi.fn(() => Promise.resolve()),
    rename: vi.fn(() => Promise.resolve()),
    remove: vi.fn(() => Promise.resolve()),
    usual: undefined,
    setUsual: vi.fn(),
    ...over,
  };
}

function menu(saved: SavedViews, search: object, onOpen = vi.fn()) {
  const of = (now: object, by: SavedViews = saved) => (
    <ViewsMenu saved={by} search={now} passing={['id']} holds="Filters" example="Mine" onOpen={onOpen} />
  );
  return { ...render(of(search)), of, onOpen };
}

/** Opens the menu as somebody without a mouse does, and presses an entry of it. */
async function choose(trigger: string, entry: string) {
  fireEvent.keyDown(screen.getByRole('button', { name: trigger }), { key: 'Enter' });
  fireEvent.click(await screen.findByText(entry));
}

test('a page that is opened bare begins with the default, and only then', () => {
  const saved = savedViews({ views: undefined, usual: '2' });
  const { rerender, of, onOpen } = menu(saved, {});
  expect(onOpen).not.toHaveBeenCalled();
  rerender(of({}, savedViews({ usual: '2' })));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ since: 'week' });
  // Whoever takes the filter away wants to see all.
  rerender(of({ since: 'week' }, savedViews({ usual: '2' })));
  rerender(of({}, savedViews({ usual: '2' })));
  expect(onOpen).toHaveBeenCalledOnce();
});

test('a link to one row or to filters of its own is not overruled by the default', () => {
  const { onOpen, rerender, of } = menu(savedViews({ usual: '2' }), { id: 'an-event' });
  rerender(of({}));
  expect(onOpen).not.toHaveBeenCalled();
});

test('the button is called as the view that is shown, also with a row open beside it', () => {
  menu(savedViews(), { id: 'an-event', since: 'week' });
  expect(screen.getByRole('button', { name: 'This week' })).toBeDefined();
});

test('what is saved is what is set, without the row that is open', async () => {
  const saved = savedViews();
  menu(saved, { id: 'an-event', since: 'month' });
  await choose('Views', 'Save this view…');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'This week' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }));
  expect(await screen.findByText('Another view is called that')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: ' Since a month ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }));
  await waitFor(() => {
    expect(saved.save).toHaveBeenCalledWith({ name: 'Since a month', search: { since: 'month' } });
  });
});

test('views are renamed, made the default and removed', async () => {
  const saved = savedViews();
  menu(saved, {});
  await choose('Views', 'Change views…');
  fireEvent.click(await screen.findByRole('button', { name: 'Open this page with This week' }));
  expect(saved.setUsual).toHaveBeenCalledWith('2');
  fireEvent.click(screen.getByRole('button', { name: 'Rename This week' }));
  const name = screen.getByLabelText('New name of This week');
  fireEvent.change(name, { target: { value: 'Not acknowledged' } });
  expect(screen.getByRole('button', { name: 'Rename' })).toHaveProperty('disabled', true);
  fireEvent.change(name, { target: { value: 'Last seven days' } });
  fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
  await waitFor(() => {
    expect(saved.rename).toHaveBeenCalledWith({ id: '2', name: 'Last seven days' });
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove This week' }));
  await waitFor(() => {
    expect(saved.remove).toHaveBeenCalledWith('2');
  });
});
