import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Rule } from './queries';
import { RuleTable } from './RuleTable';

afterEach(cleanup);

const rule = { id: 'r1', name: 'Monitoring', position: 1, method: 'even', is_active: true } as Rule;

function heads(isBeside: boolean): string[] {
  render(
    <RuleTable
      rules={[rule]}
      shares={[]}
      several={false}
      openId={null}
      isBeside={isBeside}
      onOpen={() => undefined}
      action={null}
    />,
  );
  const found = screen.getAllByRole('columnheader').map((head) => head.textContent.trim());
  cleanup();
  return found;
}

test('on a phone a rule begins with its name', () => {
  const media = window.matchMedia('(max-width: 760px)');
  const narrow = vi.spyOn(window, 'matchMedia').mockReturnValue({ ...media, matches: true });
  expect(heads(false).slice(0, 2)).toEqual(['Rule', 'Order']);
  narrow.mockRestore();
});

test('beside an open panel the rules have room for their names and what they split', () => {
  expect(heads(false)).toEqual(['Order', 'Rule', 'Split', 'Charges', 'Not allocated']);
  expect(heads(true)).toEqual(['Order', 'Rule', 'Charges']);
});
