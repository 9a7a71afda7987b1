import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Toasts, toast } from './toast';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A panel with its actions at the foot of a window of 768 px, beside the toasts. */
function Shown({ foot }: { foot: 'df' | 'savebar' | null }) {
  return (
    <div className="app">
      {foot && <div key={foot} className={foot} />}
      <Toasts />
    </div>
  );
}

test('a toast stands above the actions at the foot of what is shown, however high they are', async () => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return new DOMRect(0, this.matches('.df') ? 640 : 700, 548, this.matches('.df') ? 100 : 40);
  });
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(768);
  const { rerender } = render(<Shown foot="df" />);
  const lifted = () => screen.getByRole('status').style.getPropertyValue('--foot');
  let close = () => undefined as unknown;
  act(() => {
    close = toast({ tone: 'ok', text: 'Acknowledged' });
  });
  expect(lifted()).toBe('128px');

  rerender(<Shown foot="savebar" />);
  await vi.waitFor(() => {
    expect(lifted()).toBe('68px');
  });
  rerender(<Shown foot={null} />);
  await vi.waitFor(() => {
    expect(lifted()).toBe('0px');
  });
  act(() => {
    close();
  });
});
