import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useStore } from '../store';
import { later } from '../useLater';
import { windowName } from '../windowName';
import { useKeptFocus } from './useKeptFocus';

/**
 * The anatomy of every page: top bar with title and actions, filter bar, content, side panel.
 *
 * At most one primary button, at the far right of `actions`. `flush` gives the content the whole width without padding or scrolling of its own.
 */
export function Page({
  title,
  crumb,
  actions,
  filters,
  side,
  flush = false,
  children,
}: {
  title: string;
  crumb?: string;
  actions?: ReactNode;
  filters?: ReactNode;
  side?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  const main = useKeptFocus();
  const name = useStore(windowName);
  // Updated after the page: browsers are slow to change the window title.
  useEffect(
    () =>
      later(() => {
        document.title = `${title} · ${name}`;
      }),
    [title, name],
  );
  return (
    <>
      <header className="top">
        {crumb && <span className="crumb">{crumb}</span>}
        <h1 title={title}>{title}</h1>
        {actions && <div className="acts">{actions}</div>}
      </header>
      {filters && (
        <div className="bar" role="region" aria-label="Filters">
          {filters}
        </div>
      )}
      <div className="beside">
        <main ref={main} className={flush ? 'page flush' : 'page'} id="main" tabIndex={-1}>
          {children}
        </main>
        {side}
      </div>
    </>
  );
}
