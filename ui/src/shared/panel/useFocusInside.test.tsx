import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFocusInside } from './useFocusInside';

let open: () => void;

function Panel({ isRead }: { isRead: boolean }) {
  const [opened, focusInside] = useFocusInside();
  open = focusInside;
  return (
    <>
      <button type="button">Row</button>
      {isRead && (
        <div role="tabpanel" tabIndex={-1} ref={opened}>
          Tickets
        </div>
      )}
    </>
  );
}

test('the focus goes into what a command opened, each time', () => {
  render(<Panel isRead />);
  const row = screen.getByRole('button');
  row.focus();
  expect(document.activeElement).toBe(row);
  act(open);
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
  row.focus();
  act(open);
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
});

test('where that is not read yet, it goes there when it is, and once', () => {
  const { rerender } = render(<Panel isRead={false} />);
  const row = screen.getByRole('button');
  row.focus();
  act(open);
  expect(document.activeElement).toBe(row);
  rerender(<Panel isRead />);
  expect(document.activeElement).toBe(screen.getByRole('tabpanel'));
  row.focus();
  rerender(<Panel isRead />);
  expect(document.activeElement).toBe(row);
});
