import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Rule } from './queries';
import { RuleTable } from './RuleTable';

afterEach(cleanup);

test('beside an open panel the rules have room for their names and what they split', () => {
  const rule = { id: 'r1', name: 'Monitoring', position: 1, method: 'even', is_active: true } as Rule;
  const heads = (isBeside: boolean) => {
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
  };
  expect(heads(false)).toEqual(['Order', 'Rule', 'Split', 'Charges', 'Not allocated']);
  expect(heads(true)).toEqual(['Order', 'Rule', 'Charges']);
});
