import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button } from './Button';

/** A form with one field, sent by a button that is busy or not. */
function Sender({ busy, onSend }: { busy: boolean; onSend: () => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <input aria-label="Name" />
      <Button type="submit" busy={busy && 'Saving'} disabled={busy}>
        Save
      </Button>
    </form>
  );
}

test('a button keeps the focus while it is busy, and neither a press nor Enter in a field sends the form again', async () => {
  const send = vi.fn();
  const { rerender } = render(<Sender busy={false} onSend={send} />);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await userEvent.click(button);
  rerender(<Sender busy onSend={send} />);
  // One that is disabled loses the focus in a browser.
  expect([document.activeElement, button.disabled]).toEqual([button, false]);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}');
  expect(send).toHaveBeenCalledTimes(1);
  rerender(<Sender busy={false} onSend={send} />);
  await userEvent.click(button);
  expect(send).toHaveBeenCalledTimes(2);
});

test('a button that may not be used is disabled, busy or not', () => {
  render(
    <Button busy="Saving" reason="Only an administrator can do this">
      Save
    </Button>,
  );
  expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true);
});
