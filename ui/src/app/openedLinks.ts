import { hasCodeOfLink } from '@/api';

/**
 * Has the page opened anew by a one-time link that is pasted into its tab: only what follows # differs, so the browser loads nothing by itself. Until
 * the answer is called.
 */
export function followOpenedLinks(
  reload = () => {
    window.location.reload();
  },
): () => void {
  const follow = () => {
    if (hasCodeOfLink()) reload();
  };
  window.addEventListener('hashchange', follow);
  return () => {
    window.removeEventListener('hashchange', follow);
  };
}
