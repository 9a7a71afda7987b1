import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { SidePanel } from './SidePanel';

/** A list of two rows, of which one is open beside it. */
function List() {
  const [id, setId] = useState<number | null>(null);
  const step = (to: number) => () => {
    setId(to);
  };
  return (
    <main id="main" tabIndex={-1}>
      <button type="button" onClick={step(1)}>
        First
      </button>
      {id !== null && (
        <SidePanel
          key={id}
          label={`Row ${String(id)}`}
          head={id}
          onClose={() => {
            setId(null);
          }}
          onPrevious={id > 1 ? step(id - 1) : undefined}
          onNext={id < 3 ? step(id + 1) : undefined}
        >
          facts
        </SidePanel>
      )}
    </main>
  );
}

const press = (name: string) => {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
};

test('the focus goes from a panel that is closed back to what opened it', async () => {
  render(<List />);
  press('First');
  screen.getByRole('button', { name: 'Close' }).focus();
  fireEvent.keyDown(window, { key: 'Escape' });
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'First' }));
});

test('it stays on Next while one row after the other is opened', async () => {
  render(<List />);
  press('First');
  press('Next');
  await Promise.resolve();
  expect(screen.getByRole('complementary', { name: 'Row 2' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next' }));
  press('Next');
  await Promise.resolve();
  // The last row has no next one; the button stays and says so.
  const last = screen.getByRole('button', { name: 'Next' });
  expect(document.activeElement).toBe(last);
  expect(last.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'First' }));
});

test('a focus that is elsewhere stays there', async () => {
  render(<List />);
  press('First');
  fireEvent.keyDown(window, { key: 'Escape' });
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'First' }));
});
