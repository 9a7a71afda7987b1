import { useEffect, useState } from 'react';

/** By then a page that was drawn stands on the screen, ms. */
const painted = 100;

/** Runs `run` when a page that is drawn now stands on the screen; answers what stops that. */
export function later(run: () => void): () => void {
  const timer = setTimeout(run, painted);
  return () => {
    clearTimeout(timer);
  };
}

/** False while a part of a page is drawn for the first time, true soon after: for what belongs to it, but nobody sees at first. */
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
