import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { Empty, Page } from '@/shared';

export function PageMissing() {
  return (
    <Page title="Page not found">
      <Empty
        icon={MapPinOff}
        title="No page has this address"
        action={
          <Link to="/overview" className="btn">
            Go to Overview
          </Link>
        }
      >
        The link may come from another version of Quarterdeck.
      </Empty>
    </Page>
  );
}
