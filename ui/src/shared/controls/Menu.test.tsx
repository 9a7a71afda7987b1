import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { Menu } from './Menu';

const runs = { copy: vi.fn(), cut: vi.fn(), paste: vi.fn(), share: vi.fn() };
beforeEach(() => {
  for (const run of Object.values(runs)) run.mockClear();
});

const show = (trigger = <Button>Edit</Button>) =>
  render(
    <>
      <Menu
        label="Edit"
        trigger={trigger}
        entries={[
          { label: 'Off', disabled: 'There is nothing to take off', run: vi.fn() },
          { label: 'Copy', run: runs.copy },
          { label: 'Cut', run: runs.cut },
          { label: 'Share', disabled: 'Your role is read-only', run: runs.share },
          { label: 'Paste', apart: true, run: runs.paste },
        ]}
      />
      <button type="button">Elsewhere</button>
    </>,
  );
const button = () => screen.getByRole('button', { name: 'Edit' });
const inFocus = () => document.activeElement?.firstChild?.textContent;
const press = async (keys: string) => {
  if (document.activeElement === document.body) button().focus();
  await userEvent.keyboard(keys);
};

test('a press opens the list, which has the focus, and another one closes it', async () => {
  show();
  expect(button().getAttribute('aria-haspopup')).toBe('menu');
  expect(button().getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(button());
  expect(document.activeElement).toBe(screen.getByRole('menu', { name: 'Edit' }));
  expect(button().getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(button());
  expect(screen.queryByRole('menu')).toBeNull();
});

test.each(['{Enter}', ' ', '{ArrowDown}'])(
  'the key "%s" opens it at the first entry that can be chosen',
  async (key) => {
    show();
    await press(key);
    expect(inFocus()).toBe('Copy');
    expect(screen.getAllByRole('menu')).toHaveLength(1);
  },
);

test('a press without pointer and key, as screen readers make it, opens it at the first entry', () => {
  show();
  fireEvent.click(button());
  expect(inFocus()).toBe('Copy');
});

test('arrows go along what can be chosen and stop at both ends', async () => {
  show();
  await press('{Enter}{ArrowUp}');
  expect(inFocus()).toBe('Copy');
  await press('{ArrowDown}{ArrowDown}');
  expect(inFocus()).toBe('Paste');
  await press('{ArrowDown}');
  expect(inFocus()).toBe('Paste');
  await press('{Home}');
  expect(inFocus()).toBe('Copy');
  await press('{End}');
  expect(inFocus()).toBe('Paste');
});

test('from the list itself, the arrow up goes to the last entry', async () => {
  show();
  await userEvent.click(button());
  await press('{ArrowUp}');
  expect(inFocus()).toBe('Paste');
});

test('letters go to the entry that begins with them, the same one to the next', async () => {
  show();
  await press('{Enter}p');
  expect(inFocus()).toBe('Paste');
  await press('{Escape}{Enter}cu');
  expect(inFocus()).toBe('Cut');
  await press('{Escape}{Enter}c');
  expect(inFocus()).toBe('Cut');
  await press('c');
  expect(inFocus()).toBe('Copy');
});

test.each(['{Enter}', ' '])('the key "%s" chooses once, closes the list and gives the focus back', async (key) => {
  show();
  await press(`{Enter}{ArrowDown}${key}`);
  expect(runs.cut).toHaveBeenCalledOnce();
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button());
});

test('a click chooses; what is off says why and stays', async () => {
  show();
  await userEvent.click(button());
  await userEvent.click(screen.getByText('Your role is read-only'));
  expect(runs.share).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('menuitem', { name: 'Paste' }));
  expect(runs.paste).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(button());
});

test('a pointer that is pressed on the button and let go on an entry chooses it', () => {
  show();
  fireEvent.pointerDown(button(), { button: 0 });
  const paste = screen.getByRole('menuitem', { name: 'Paste' });
  fireEvent.pointerMove(paste, { pointerType: 'mouse' });
  fireEvent.pointerUp(paste);
  expect(runs.paste).toHaveBeenCalledOnce();
});

test('the pointer takes the focus along, and leaves it to the list', async () => {
  show();
  await userEvent.click(button());
  await userEvent.hover(screen.getByRole('menuitem', { name: 'Cut' }));
  expect(inFocus()).toBe('Cut');
  await userEvent.unhover(screen.getByRole('menuitem', { name: 'Cut' }));
  expect(document.activeElement).toBe(screen.getByRole('menu'));
});

test('a press elsewhere closes it and keeps the focus there', async () => {
  show();
  await userEvent.click(button());
  await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Elsewhere' }));
});

test('Esc closes it alone, also where no entry has the focus; Tab does nothing', async () => {
  const seen = vi.fn();
  const listen = (event: KeyboardEvent) => {
    if (!event.defaultPrevented) seen(event.key);
  };
  window.addEventListener('keydown', listen);
  show();
  await press('{Enter}{Tab}');
  expect(inFocus()).toBe('Copy');
  await press('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button());
  expect(seen).not.toHaveBeenCalled();
  window.removeEventListener('keydown', listen);
});

test('a button that is busy opens nothing', async () => {
  show(<Button busy="Edit">Edit</Button>);
  await userEvent.click(button());
  await press('{Enter}');
  fireEvent.click(button());
  expect(screen.queryByRole('menu')).toBeNull();
});

test('a dialog that an entry opens gives the focus back to the button', async () => {
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <Menu
          label="More"
          trigger={<Button>More</Button>}
          entries={[
            {
              label: 'Remove…',
              run: () => {
                setOpen(true);
              },
            },
          ]}
        />
        <Dialog
          title="Remove it?"
          open={isOpen}
          onClose={() => {
            setOpen(false);
          }}
        />
      </>
    );
  }
  render(<Page />);
  screen.getByRole('button', { name: 'More' }).focus();
  await userEvent.keyboard('{Enter}{Enter}');
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' }));
  });
});

test('what an entry will do is asked for while the list is open', async () => {
  const detail = vi.fn(() => '47 rows');
  render(<Menu label="Export" trigger={<Button>Export</Button>} entries={[{ label: 'CSV', detail, run: vi.fn() }]} />);
  expect(detail).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(screen.getByText('47 rows')).toBeTruthy();
});
