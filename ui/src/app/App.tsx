import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useHeldFocus } from '@/shared';
import { client } from './client';
import { router } from './router';

export function App() {
  useHeldFocus();
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
