import { useEffect, useState } from 'react';
import type { ApiError } from '@/api';

/** Seconds to wait after too many attempts, from the response; 0 if there is no limit. */
export function secondsToWait(error: ApiError | null): number {
  if (error?.code !== 'slow_down') return 0;
  const seconds = Number(error.details['retry_after']);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 0;
}

/** The same, counted down. */
export function useWait(error: ApiError | null): number {
  const [left, setLeft] = useState(0);
  const [of, setOf] = useState<ApiError | null>(null);
  if (of !== error) {
    setOf(error);
    setLeft(secondsToWait(error));
  }
  const waiting = left > 0;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => {
      setLeft((seconds) => Math.max(0, seconds - 1));
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, [waiting, of]);
  return left;
}
