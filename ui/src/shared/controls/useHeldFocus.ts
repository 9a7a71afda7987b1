import { useEffect } from 'react';
import { holdFocus } from './heldFocus';

/** For the frame of all pages: moves the focus on when its element is removed, for example to the next row. */
export function useHeldFocus(): void {
  useEffect(holdFocus, []);
}
