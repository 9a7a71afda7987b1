import { useEffect } from 'react';
import { holdFocus } from './heldFocus';

/** For the frame of all pages: the focus goes on where what had it is gone, such as to the next row. */
export function useHeldFocus(): void {
  useEffect(holdFocus, []);
}
