import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Spark } from './Spark';

const path = (container: HTMLElement) => container.querySelector('path')?.getAttribute('d');

test('a gap is left out, and a value between two gaps is a dot', () => {
  const { container } = render(<Spark values={['2', '0', null, '1', null]} width={12} height={10} />);
  expect(path(container)).toBe('M1.0 2.0L3.5 8.0M8.5 5.0h1');
});

test('the line of values that were drawn is known, in its size', () => {
  const values = ['1', '2', '3'];
  const looked = vi.spyOn(values, 'slice');
  const first = path(render(<Spark values={values} />).container);
  const times = looked.mock.calls.length;
  expect(path(render(<Spark values={values} />).container)).toBe(first);
  expect(looked).toHaveBeenCalledTimes(times);
  expect(path(render(<Spark values={values} width={140} />).container)).not.toBe(first);
});
