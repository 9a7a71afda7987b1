import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ViewsMenu } from './ViewsMenu';
import type { SavedViews } from './ViewsMenu';

const views = [
  { id: '1', name: 'Not acknowledged', search: { filters: [{ field: 'triage', values: ['OPEN'] }] }, isPrivate: false },
  { id: '2', name: 'This week', search: { since: 'week' }, isPrivate: false },
];

function savedViews(over: Partial<SavedViews> = {}): SavedViews {
  return {
    views,
    mayNot: undefined,
    mayNotShare: undefined,
    mayNotKeep: undefined,
    move: vi.fn(() => Promise.resolve()),
    save: vi.fn(() => Promise.resolve()),
    rename: vi.fn(() => Promise.resolve()),
    remove: vi.fn(() => Promise.resolve()),
    usual: undefined,
    setUsual: vi.fn(() => Promise.resolve()),
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
  expect(await screen.findByText('Another view has this name')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: ' Since a month ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }));
  await waitFor(() => {
    expect(saved.save).toHaveBeenCalledWith({
      name: 'Since a month',
      search: { since: 'month' },
      isPrivate: false,
    });
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
    expect(saved.rename).toHaveBeenCalledWith({ id: '2', name: 'Last seven days', isPrivate: false });
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove This week' }));
  await waitFor(() => {
    expect(saved.remove).toHaveBeenCalledWith(views[1]);
  });
});

test('a view is saved for the person alone', async () => {
  const saved = savedViews({ views: [] });
  menu(saved, { since: 'month' });
  await choose('Views', 'Save this view…');
  fireEvent.click(await screen.findByRole('button', { name: 'Only me' }));
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }));
  await waitFor(() => {
    expect(saved.save).toHaveBeenCalledWith({ name: 'Mine', search: { since: 'month' }, isPrivate: true });
  });
});

test('who may not share saves views for themselves', async () => {
  const reader = savedViews({ views: [], mayNotShare: 'Only an administrator of the tenant can share views' });
  menu(reader, { since: 'month' });
  await choose('Views', 'Save this view…');
  expect(await screen.findByText('Only an administrator of the tenant can share views')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save view' }));
  await waitFor(() => {
    expect(reader.save).toHaveBeenCalledWith({ name: 'Mine', search: { since: 'month' }, isPrivate: true });
  });
});

test('a view is made private and shared again, and both can be taken back', async () => {
  const [shared, other] = views;
  const mine = { id: '3', name: 'Mine', search: {}, isPrivate: true };
  const saved = savedViews({ views: [shared, other, mine].filter((one) => one !== undefined), usual: '3' });
  menu(saved, { since: 'year' });
  await choose('Views', 'Change views…');
  fireEvent.click(await screen.findByRole('button', { name: 'Make This week private' }));
  expect(saved.move).toHaveBeenCalledWith(other);
  fireEvent.click(screen.getByRole('button', { name: 'Share Mine' }));
  expect(saved.move).toHaveBeenCalledWith(mine);
  // What is no default any more can be one again.
  fireEvent.click(screen.getByRole('button', { name: 'Open this page with Mine' }));
  await waitFor(() => {
    expect(saved.setUsual).toHaveBeenCalledWith(undefined);
  });
});

test('who may not share changes their own views only', async () => {
  const [shared] = views;
  const mine = { id: '3', name: 'Mine', search: {}, isPrivate: true };
  const saved = savedViews({
    views: [shared, mine].filter((one) => one !== undefined),
    mayNotShare: 'Only an administrator of the tenant can share views',
  });
  menu(saved, { since: 'year' });
  await choose('Views', 'Change views…');
  const isOff = async (name: string) => (await screen.findByRole<HTMLButtonElement>('button', { name })).disabled;
  expect(await isOff('Rename Not acknowledged')).toBe(true);
  expect(await isOff('Share Mine')).toBe(true);
  expect(await isOff('Rename Mine')).toBe(false);
  expect(await isOff('Open this page with Not acknowledged')).toBe(false);
});
