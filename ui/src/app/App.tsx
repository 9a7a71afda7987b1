import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { aboutKey, isOffline, isSignedOut, sessionKey } from '@/api';
import { router } from './router';

const client = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended shows the sign-in page; the address stays, so signing in returns to the same view.
    onError: (error) => {
      if (isSignedOut(error)) client.setQueryData(sessionKey, null);
      // One question without an answer is enough to ask whether the service is there; the status bar tells.
      if (isOffline(error))
        void client.invalidateQueries({ queryKey: aboutKey, predicate: ({ state }) => !state.error });
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 60_000, refetchOnWindowFocus: false } },
});

export function App() {
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
