import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { preloadChart } from '@/shared';
import { dropFailedStyles } from './lazyPage';
import { router } from './router';

/** Shows the pages in `root`, the one of the address at once with all that it is made of. */
export async function start(root: HTMLElement, answered: Promise<unknown>): Promise<void> {
  // Earlier versions kept the first page and its questions here.
  for (const name of ['quarterdeck.first', 'quarterdeck.drawn']) localStorage.removeItem(name);
  dropFailedStyles();
  await Promise.all([answered, router.load(), preloadChart(), styled()]);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

/** No page waits longer than this for its styles, ms: one may have been refused before anybody listened. */
const patience = 2_000;

/** Comes when all styles have: parts of a page measure themselves when they are first drawn. */
function styled(): Promise<unknown> {
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const come = (link: HTMLLinkElement) =>
    new Promise((resolve) => {
      link.addEventListener('load', resolve);
      link.addEventListener('error', resolve);
      setTimeout(resolve, patience);
    });
  return Promise.all(sheets.filter(({ sheet }) => sheet === null).map(come));
}
