import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { useHeldFocus } from './useHeldFocus';

function App({ children }: { children: ReactNode }) {
  useHeldFocus();
  return (
    <main id="main" tabIndex={-1}>
      <section>
        <h2>Tokens</h2>
        {children}
      </section>
    </main>
  );
}

const at = () => document.activeElement?.textContent;

function Rows() {
  const [names, setNames] = useState(['one', 'two', 'three']);
  return names.length === 0 ? (
    <p>None</p>
  ) : (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <button type="button">Open {name}</button>
          <button
            type="button"
            onClick={() => {
              setNames(names.filter((one) => one !== name));
            }}
          >
            Remove {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

test('the focus goes to the same button of the row that follows, of the last one, and at the end to the heading', async () => {
  render(<Rows />, { wrapper: App });
  await userEvent.click(screen.getByText('Remove two'));
  await waitFor(() => {
    expect(at()).toBe('Remove three');
  });
  await userEvent.keyboard('{Enter}');
  await waitFor(() => {
    expect(at()).toBe('Remove one');
  });
  await userEvent.keyboard('{Enter}');
  await waitFor(() => {
    expect(at()).toBe('Tokens');
  });
});

function Add() {
  const [times, setTimes] = useState(0);
  const [name, setName] = useState('');
  return (
    <form
      key={times}
      onSubmit={(event) => {
        event.preventDefault();
        setName('');
        setTimes(times + 1);
      }}
    >
      <input
        aria-label="Name"
        value={name}
        onChange={(event) => {
          setName(event.target.value);
        }}
      />
      <button disabled={name === ''}>Add</button>
    </form>
  );
}

test('a form that begins anew has the focus in its first field', async () => {
  render(<Add />, { wrapper: App });
  await userEvent.type(screen.getByLabelText('Name'), 'a');
  await userEvent.click(screen.getByText('Add'));
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  });
});

function Switches() {
  const [isDone, setDone] = useState(false);
  return (
    <div>
      <Button
        disabled={isDone}
        onClick={() => {
          setDone(true);
        }}
      >
        Resolve
      </Button>
      <Button disabled={!isDone}>Reopen</Button>
    </div>
  );
}

test('a button that is switched off gives the focus to the one beside it', async () => {
  render(<Switches />, { wrapper: App });
  await userEvent.click(screen.getByText('Resolve'));
  await waitFor(() => {
    expect(at()).toBe('Reopen');
  });
});

function Asked() {
  const [names, setNames] = useState(['one', 'two']);
  const [asked, setAsked] = useState<string>();
  return (
    <>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => {
                setAsked(name);
              }}
            >
              Remove {name}
            </button>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <Dialog
          title="Remove?"
          open
          onClose={() => {
            setAsked(undefined);
          }}
          actions={
            <Button
              onClick={() => {
                setNames(names.filter((one) => one !== asked));
                setAsked(undefined);
              }}
            >
              Yes
            </Button>
          }
        />
      )}
    </>
  );
}

test('a dialog that removed the row it was asked from gives the focus to the next row', async () => {
  render(<Asked />, { wrapper: App });
  await userEvent.click(screen.getByText('Remove one'));
  await userEvent.click(await screen.findByText('Yes'));
  await waitFor(() => {
    expect(at()).toBe('Remove two');
  });
});

test('who presses beside everything takes the focus away', async () => {
  const { rerender } = render(<button type="button">Here</button>, { wrapper: App });
  await userEvent.click(screen.getByText('Here'));
  act(() => {
    screen.getByText('Here').blur();
  });
  await Promise.resolve();
  vi.useFakeTimers();
  rerender(<p>Gone</p>);
  // What was removed is told before any time passes; then the focus would go on.
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(document.activeElement).toBe(document.body);
});
