import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog } from './Dialog';

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <main id="main" tabIndex={-1}>
      <button
        type="button"
        onClick={() => {
          setOpen(true);
        }}
      >
        Rename
      </button>
      {open && (
        <Dialog
          open
          title="Rename it"
          onClose={() => {
            setOpen(false);
          }}
        >
          <input aria-label="Name" autoFocus />
        </Dialog>
      )}
    </main>
  );
}

test('the focus returns to what opened the dialog, also where the dialog takes it at once', async () => {
  render(<Page />);
  const button = screen.getByRole('button', { name: 'Rename' });
  button.focus();
  fireEvent.click(button);
  const field = screen.getByLabelText('Name');
  expect(document.activeElement).toBe(field);
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => {
    expect(document.activeElement).toBe(button);
  });
});

test('where that is gone, the focus goes to the page', async () => {
  render(<Page />);
  const button = screen.getByRole('button', { name: 'Rename' });
  button.focus();
  fireEvent.click(button);
  button.remove();
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Escape' });
  await waitFor(() => {
    expect(document.activeElement).toBe(document.querySelector('#main'));
  });
});
