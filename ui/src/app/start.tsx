import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { preloadChart } from '@/shared';
import { router } from './router';

/** Shows the pages in `root`, the one of the address at once with all that it is made of. */
export async function start(root: HTMLElement, answered: Promise<unknown>): Promise<void> {
  await Promise.all([answered, router.load(), preloadChart()]);
  // A page that was only a picture of itself gives way to the live one.
  root.inert = false;
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
