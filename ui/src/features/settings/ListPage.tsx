import { Navigate } from '@tanstack/react-router';
import { Page, useNarrow } from '@/shared';
import { PageLinks } from './PageLinks';
import './settings.css';
import './list.css';

/** Settings on a phone: a list of its pages, each a line for a thumb. Where the column of them has room, the first page is in front. */
export function ListPage() {
  const isNarrow = useNarrow();
  if (!isNarrow) return <Navigate to="/settings/single-sign-on" replace />;
  return (
    <Page title="Settings" flush>
      <nav className="setlist" aria-label="Settings">
        <PageLinks leadOn />
      </nav>
    </Page>
  );
}
