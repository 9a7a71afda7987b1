import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, askWhetherThere, copyOf, endSession, isOffline, isSignedOut, lockOf, locked } from '@/api';

type Passing = ApiError & { retryAfter: number };
const isPassing = (error: unknown): error is Passing => error instanceof ApiError && error.retryAfter !== undefined;

let again: ReturnType<typeof setTimeout> | undefined;

/** The service responded that it is unavailable. Failed queries on the page are retried, all at once. */
function askAgainIn(seconds: number): void {
  again ??= setTimeout(() => {
    again = undefined;
    void client.invalidateQueries({ predicate: ({ state }) => isPassing(state.error) });
  }, seconds * 1000);
}

/** An expired session shows the sign-in page above the open page: after sign-in the user continues there. */
function hear(error: unknown): void {
  if (isSignedOut(error)) endSession(client);
}

/** The query cache, for the lifetime of the page. */
export const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      hear(error);
      const lock = lockOf(error);
      if (lock) locked.set(lock);
      // One failed request is enough to check whether the service is available; the status bar shows it.
      if (isOffline(error)) void askWhetherThere(client);
      if (isPassing(error)) askAgainIn(error.retryAfter);
    },
  }),
  mutationCache: new MutationCache({ onError: hear }),
  // The service may run on this computer, so a missing network does not prevent requests.
  defaultOptions: {
    queries: { networkMode: 'always', retry: false, staleTime: 60_000, refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
});

// A copy is shown because the instance did not respond: from now on it is checked every few seconds.
copyOf.subscribe(() => {
  if (copyOf.get() !== null) void askWhetherThere(client);
});
