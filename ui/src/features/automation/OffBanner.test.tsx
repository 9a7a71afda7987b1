import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type * as Api from '@/api';
import { OffBanner } from './OffBanner';

vi.mock('@/api', async (load) => ({
  ...(await load<typeof Api>()),
  useGraphQL: () => ({ data: { automation_get_status: { is_on: false } } }),
}));

test('that automation is off is said once, with what switches it on', () => {
  render(<OffBanner />);
  const text = screen.getByRole('status').textContent;
  expect(text.match(/automation is off/gi)).toHaveLength(1);
  expect(text).toContain('QUARTERDECK_AUTOMATION=on');
});
