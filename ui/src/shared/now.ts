import { useEffect, useState } from 'react';

const day = 86_400_000;

/** The current time, updated every minute, for relative times. The only place in the pages that reads the clock. */
export function useNow(): Date {
  return usePresent(() => 60_000);
}

/** The current day (UTC), updated once a day, for absolute dates: nothing re-renders in between. */
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
