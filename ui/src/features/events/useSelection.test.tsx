import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rowOf } from './row';
import type { EventRecord } from './row';
import { useSelection } from './useSelection';

const rowAt = (i: number) =>
  rowOf({ id: `e${String(i)}`, title: 'x', status: 'FIRING', nb_status: 'OPEN' } as EventRecord);
const rows = Array.from({ length: 500 }, (_, i) => rowAt(i));

test('the whole list is selected, not only the part that is at hand, and says how far it is read', async () => {
  const told: (string | false)[] = [];
  const { result } = renderHook(() => {
    const selection = useSelection(rows.slice(0, 100), async (onProgress) => {
      for (let read = 100; read <= rows.length; read += 100) {
        await Promise.resolve();
        onProgress(read);
      }
      return rows;
    });
    told.push(selection.whole.busy);
    return selection;
  });
  act(() => {
    result.current.whole.select(500);
  });
  await waitFor(() => {
    expect(result.current.chosen).toHaveLength(500);
  });
  expect(result.current.selected.has('e499')).toBe(true);
  expect(told).toContain('Reading 0 of 500');
  act(() => {
    result.current.deselect(rows.slice(0, 499));
  });
  expect([...result.current.selected]).toEqual(['e499']);
});

test('what is stopped leaves the selection as it was', async () => {
  const { result } = renderHook(() =>
    useSelection(rows.slice(0, 100), async (onProgress) => {
      await Promise.resolve();
      return onProgress(200) ? rows : rows.slice(0, 200);
    }),
  );
  act(() => {
    result.current.select(new Set(['e1']));
  });
  act(() => {
    result.current.whole.select(500);
    result.current.whole.stop();
  });
  await waitFor(() => {
    expect(result.current.whole.busy).toBe(false);
  });
  expect([...result.current.selected]).toEqual(['e1']);
});
