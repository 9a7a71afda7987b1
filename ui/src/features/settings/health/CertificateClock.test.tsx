import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SamlHealth } from '@/api';
import { CertificateClock } from './CertificateClock';

const report = (enabled: boolean) =>
  ({ enabled, status: 'healthy', certificate: { expiresAt: null }, config: {} }) as unknown as SamlHealth;

test('the report of a sign-on that is off is not healthy, but off', () => {
  const shown = (enabled: boolean) => (
    <QueryClientProvider client={new QueryClient()}>
      <CertificateClock today={report(enabled)} />
    </QueryClientProvider>
  );
  const { rerender } = render(shown(false));
  expect(screen.queryByText('Healthy')).toBeNull();
  expect(screen.getByText('Off')).toBeTruthy();
  rerender(shown(true));
  expect(screen.getByText('Healthy')).toBeTruthy();
});
