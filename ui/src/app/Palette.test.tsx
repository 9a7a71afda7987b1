import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { host } from '@/host';
import { Dialog, useCommands } from '@/shared';
import type { Of } from '@/shared/keyboard/commands';
import { Palette } from './Palette';

function Part({
  title,
  of,
  disabled,
  run = () => undefined,
}: {
  title: string;
  of?: Of;
  disabled?: string;
  run?: () => void;
}) {
  useCommands([{ id: title, title, group: 'Do', disabled, run }], of);
  return null;
}

/** Radix gives the focus back in a turn of its own. */
const turn = () => new Promise((done) => setTimeout(done));

afterEach(async () => {
  cleanup();
  await turn();
});

const close = () => undefined;
const titles = () => screen.getAllByRole('option').map((option) => option.querySelector('span')?.textContent);
const frame = (disabled?: string) => (
  <Part key="frame" title="Sign out" of="frame" {...(disabled === undefined ? {} : { disabled })} />
);
const search = <Part key="search" title="Search costs" />;
const save = <Part key="save" title="Export the days of the month" />;
const palette = <Palette key="palette" onClose={close} />;
const wanted = ['Export the days of the month', 'Search costs', 'Sign out'];

test('what the page offers comes first, whichever part of it appeared first', () => {
  const { rerender } = render([frame(), search, save, palette]);
  expect(titles()).toEqual(wanted);
  rerender([frame(), palette]);
  rerender([frame(), save, palette]);
  rerender([frame(), search, save, palette]);
  expect(titles()).toEqual(wanted);
});

test('the frame stays behind the page when what it offers changes', () => {
  const { rerender } = render([search, save, frame(), palette]);
  rerender([search, save, frame('Nobody is signed in'), palette]);
  expect(titles()).toEqual(wanted);
});

const row = (run: () => void) => ({ id: 'r', group: 'Resources', title: 'search-index', run });
const type = (value: string) => {
  fireEvent.change(screen.getByRole('combobox'), { target: { value } });
};

test('a sign at the beginning leaves out the page’s actions, or what was found', () => {
  const onText = vi.fn();
  render([search, <Palette key="palette" onClose={close} onText={onText} rows={[row(() => undefined)]} />]);
  type('sea');
  expect(titles()).toEqual(['Search costs', 'search-index']);
  expect(onText).toHaveBeenLastCalledWith('sea');
  type('> sea');
  expect(titles()).toEqual(['Search costs']);
  expect(onText).toHaveBeenLastCalledWith('');
  type('@sea');
  expect(titles()).toEqual(['search-index']);
  expect(onText).toHaveBeenLastCalledWith('sea');
});

test('Tab asks the assistant, the arrows and Enter open what was found', () => {
  const [open, ask, onClose] = [vi.fn(), vi.fn(), vi.fn()];
  render(
    <Palette onClose={onClose} rows={[row(open)]} ask={{ id: 'ask', group: 'Ask', title: 'Ask about it', run: ask }} />,
  );
  type('search');
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  expect(open).toHaveBeenCalledOnce();
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Tab' });
  expect(ask).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('Ctrl Enter opens what leads to a page in another tab, and runs the rest', () => {
  const beside = vi.spyOn(host, 'openBeside').mockReturnValue();
  const [open, act] = [vi.fn(), vi.fn()];
  render([
    <Part key="search" title="Search costs" run={act} />,
    <Palette key="palette" onClose={close} rows={[{ ...row(open), address: '/inventory/resources?id=r' }]} />,
  ]);
  const press = () => fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter', ctrlKey: true });
  type('@search');
  press();
  expect(beside).toHaveBeenCalledExactlyOnceWith('/inventory/resources?id=r');
  expect(open).not.toHaveBeenCalled();
  type('>search');
  press();
  expect(act).toHaveBeenCalledOnce();
  expect(beside).toHaveBeenCalledOnce();
});

test('a page says the work that waits there, in place of its keys', () => {
  const page = { ...row(() => undefined), address: '/events', keys: 'g e' };
  render(<Palette onClose={close} rows={[page]} notes={new Map([['/events', '3 firing']])} />);
  expect(screen.getByRole('option').textContent).toBe('search-index3 firing');
});

/** A page with a field that is being filled in, and the palette over it. */
function Searched({ open }: { open: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <main id="main" tabIndex={-1}>
      <input aria-label="Name" />
      <button
        type="button"
        onClick={() => {
          setOpen(true);
        }}
      >
        Search
      </button>
      {isOpen && (
        <Palette
          rows={[row(open)]}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </main>
  );
}

/** Opens the palette while the field has the focus, as its keys do. */
function searchFrom(field: HTMLElement) {
  field.focus();
  fireEvent.click(screen.getByText('Search'));
  expect(document.activeElement).toBe(screen.getByRole('combobox'));
}

test('the focus returns to where it was when nothing is chosen', async () => {
  render(<Searched open={() => undefined} />);
  const field = screen.getByLabelText('Name');
  searchFrom(field);
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Escape' });
  await waitFor(() => {
    expect(document.activeElement).toBe(field);
  });
});

function Chosen() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Searched
        open={() => {
          setOpen(true);
        }}
      />
      {isOpen && (
        <Dialog open title="Rename it" onClose={() => undefined}>
          <input aria-label="New name" autoFocus />
        </Dialog>
      )}
    </>
  );
}

test('what was chosen keeps the focus where it takes it', async () => {
  render(<Chosen />);
  searchFrom(screen.getByLabelText('Name'));
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  await waitFor(() => {
    expect(screen.queryByRole('combobox')).toBeNull();
  });
  await turn();
  expect(document.activeElement).toBe(screen.getByLabelText('New name'));
});
