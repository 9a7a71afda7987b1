import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { preloadChart } from '@/shared';
import { dropFailedStyles } from './lazyPage';
import { router } from './router';

/** Renders the pages in `root`, the current one with all of its code and styles. */
export async function start(root: HTMLElement, answered: Promise<unknown>): Promise<void> {
  // Earlier versions stored the first page and its queries here.
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

/** Resolves when all styles are loaded: parts of a page measure themselves on the first render. */
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
