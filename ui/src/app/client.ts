import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, askWhetherThere, copyOf, endSession, isOffline, isSignedOut, lockOf, locked } from '@/api';

type Passing = ApiError & { retryAfter: number };
const isPassing = (error: unknown): error is Passing => error instanceof ApiError && error.retryAfter !== undefined;

let again: ReturnType<typeof setTimeout> | undefined;

/** The service answered that it cannot answer yet. What is shown and could not be read for that is asked again, all of it at once. */
function askAgainIn(seconds: number): void {
  again ??= setTimeout(() => {
    again = undefined;
    void client.invalidateQueries({ predicate: ({ state }) => isPassing(state.error) });
  }, seconds * 1000);
}

/** A session that ended shows the sign-in page above the page that is open: signing in goes on where it was. */
function hear(error: unknown): void {
  if (isSignedOut(error)) endSession(client);
}

/** What was asked of the service and answered, for as long as the page lives. */
export const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      hear(error);
      const lock = lockOf(error);
      if (lock) locked.set(lock);
      // One question without an answer is enough to ask whether the service is there; the status bar tells.
      if (isOffline(error)) void askWhetherThere(client);
      if (isPassing(error)) askAgainIn(error.retryAfter);
    },
  }),
  mutationCache: new MutationCache({ onError: hear }),
  // The service may be on this computer: a network that goes away is no reason not to ask it.
  defaultOptions: {
    queries: { networkMode: 'always', retry: false, staleTime: 60_000, refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
});

// A copy is shown because nobody answered: from now on it is asked every few seconds whether somebody does.
copyOf.subscribe(() => {
  if (copyOf.get() !== null) void askWhetherThere(client);
});
