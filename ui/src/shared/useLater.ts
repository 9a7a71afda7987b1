import { useEffect, useState } from 'react';

/** By then a page that was drawn stands on the screen, ms. */
const painted = 100;

/** False while a part of a page is drawn for the first time, true soon after: for what belongs to it, but nobody sees at first. */
export function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLater(true);
    }, painted);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return isLater;
}
