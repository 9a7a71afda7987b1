import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/**
 * Moves the focus into what a command opened, as soon as that stands. Without that a key opens a part of a panel, and the next key is still meant for the
 * list.
 */
export function useFocusInside(): [RefObject<HTMLDivElement | null>, () => void] {
  const opened = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState(0);
  const answered = useRef(0);
  // After every render: what was opened may have to be read from the service first.
  useEffect(() => {
    if (answered.current === asked || !opened.current) return;
    answered.current = asked;
    opened.current.focus();
  });
  const focusInside = () => {
    setAsked((before) => before + 1);
  };
  return [opened, focusInside];
}
