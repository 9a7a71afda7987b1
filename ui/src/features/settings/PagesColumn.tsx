import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useNarrow } from '@/shared';
import { PageLinks } from './PageLinks';

/** The pages of Settings next to the current one. On a phone, a link back to the list. */
export function PagesColumn() {
  const isNarrow = useNarrow();
  return (
    <nav className="setnav" aria-label="Settings">
      {isNarrow ? (
        <Link to="/settings" activeOptions={{ exact: true }} className="back">
          <ChevronLeft className="i" />
          All settings
        </Link>
      ) : (
        <PageLinks />
      )}
    </nav>
  );
}
