import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { NewWebhook } from './queries';
import { ShownOnce } from './ShownOnce';

test('an address that is shown once has the focus, wherever the form is that made it', () => {
  const made = { name: 'alerts', token: 't' } as NewWebhook;
  const address = { origin: 'https://example.com', text: 'https://example.com/api/webhooks/t' };
  render(<ShownOnce made={made} address={address} onClose={() => undefined} />);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'New webhook' }));
});
