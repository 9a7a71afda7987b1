import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/**
 * Leads from a list to the form that stands beside it, and far below it in a narrow window: the focus goes into its first field once the form that was
 * asked for is drawn, and the window follows.
 */
export function useFormFocus(): [RefObject<HTMLDivElement | null>, () => void] {
  const form = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked === 0) return;
    form.current?.querySelector<HTMLElement>('input:not(:disabled), select:not(:disabled), textarea')?.focus();
  }, [asked]);
  const lead = () => {
    setAsked((before) => before + 1);
  };
  return [form, lead];
}
