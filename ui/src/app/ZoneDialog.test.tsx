import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { setZone, zone } from '@/shared';
import { ZoneDialog } from './ZoneDialog';

afterEach(() => {
  setZone(null);
});

test('a zone is saved by its name, and what is none is said', () => {
  const field = () => screen.getByRole('combobox', { name: 'Zone' });
  const { unmount } = render(<ZoneDialog onClose={() => undefined} />);
  fireEvent.change(field(), { target: { value: 'Berlin' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter a zone such as Europe/Berlin')).toBeTruthy();
  expect(zone()).toBe('UTC');
  fireEvent.change(field(), { target: { value: 'Europe/Berlin' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(zone()).toBe('Europe/Berlin');
  unmount();
  render(<ZoneDialog onClose={() => undefined} />);
  fireEvent.click(screen.getByRole('button', { name: 'Same as this computer (UTC)' }));
  expect(zone()).toBe('UTC');
});
