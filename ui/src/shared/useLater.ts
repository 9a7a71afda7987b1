import { useEffect, useState } from 'react';

/** Time after which a rendered page is on the screen, in ms. */
const painted = 100;

/** Runs `run` once the page rendered now is on the screen; returns a function that cancels it. */
export function later(run: () => void): () => void {
  const timer = setTimeout(run, painted);
  return () => {
    clearTimeout(timer);
  };
}

/** False on the first render of a component, true soon after: for content that is not visible at first. */
export function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(
    () =>
      later(() => {
        setLater(true);
      }),
    [],
  );
  return isLater;
}
