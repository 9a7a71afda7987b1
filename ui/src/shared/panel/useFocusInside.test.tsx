import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFocusInside } from './useFocusInside';

function Panel({ isRead }: { isRead: boolean }) {
  const [opened, focusInside] = useFocusInside();
  return (
    <>
      <button type="button">Row</button>
      <button type="button" onClick={focusInside}>
        Open
      </button>
      {isRead && (
        <div role="tabpanel" tabIndex={-1} ref={opened}>
          Tickets
        </div>
      )}
    </>
  );
}

// A click without a pointer moves no focus by itself.
const open = () => fireEvent.click(screen.getByRole('button', { name: 'Open' }));

test('the focus goes into what a command opened, each time', () => {
  render(<Panel isRead />);
  const row = screen.getByRole('button', { name: 'Row' });
  row.focus();
  expect(document.activeElement).toBe(row);
  open();
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
  row.focus();
  open();
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
});

test('where that is not read yet, it goes there when it is, and once', () => {
  const { rerender } = render(<Panel isRead={false} />);
  const row = screen.getByRole('button', { name: 'Row' });
  row.focus();
  open();
  expect(document.activeElement).toBe(row);
  rerender(<Panel isRead />);
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
  row.focus();
  rerender(<Panel isRead />);
  expect(document.activeElement).toBe(row);
});
