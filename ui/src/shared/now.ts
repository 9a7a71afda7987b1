import { useEffect, useState } from 'react';

const day = 86_400_000;

/** The present, renewed every minute, for times that are told by their age. This is the one place of the pages that reads the clock. */
export function useNow(): Date {
  return usePresent(() => 60_000);
}

/** The present, renewed with the day (UTC), for days and times that are told by their date: nothing wakes for it meanwhile. */
export function useToday(): Date {
  return usePresent((now) => day - (now.getTime() % day));
}

function usePresent(until: (now: Date) => number): Date {
  const [now, setNow] = useState(() => new Date());
  const wait = until(now);
  useEffect(() => {
    const timer = setTimeout(() => {
      setNow(new Date());
    }, wait);
    return () => {
      clearTimeout(timer);
    };
  }, [now, wait]);
  return now;
}
