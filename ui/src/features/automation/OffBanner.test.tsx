import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type * as Api from '@/api';
import { OffBanner } from './OffBanner';

const sample = vi.hoisted(() => ({ reason: undefined as string | undefined }));

vi.mock('@/api', async (load) => ({
  ...(await load<typeof Api>()),
  useGraphQL: () => ({ data: { automation_get_status: { is_on: false } } }),
  useSampleReason: () => sample.reason,
}));

test('that automation is off is said once, with what switches it on', () => {
  sample.reason = undefined;
  render(<OffBanner />);
  const text = screen.getByRole('status').textContent;
  expect(text.match(/automation is off/gi)).toHaveLength(1);
  expect(text).toContain('QUARTERDECK_AUTOMATION=on');
});

test('of the sample data it says that nothing runs, whatever is switched on', () => {
  sample.reason = 'This is sample data';
  render(<OffBanner />);
  const text = screen.getByRole('status').textContent;
  expect(text).toContain('nothing here runs');
  expect(text).not.toContain('QUARTERDECK_AUTOMATION');
});
