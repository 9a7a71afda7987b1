import { Navigate } from '@tanstack/react-router';
import { Page, useNarrow } from '@/shared';
import { PageLinks } from './PageLinks';
import './settings.css';
import './list.css';

/** Settings on a phone: a list of its pages. In wider windows the first page is opened instead. */
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
