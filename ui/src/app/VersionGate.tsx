import { Unplug } from 'lucide-react';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useInstanceInFront, useLack } from '@/api';
import { settingsPages } from '@/features/settings/pages';
import { Empty, Page } from '@/shared';
import { pageIn } from '@/shared/place';
import { places } from './pages';

/** Shows the page, or the reason why the version of the current instance does not support it. */
export function VersionGate({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const lack = useLack();
  const front = useInstanceInFront();
  const setting = settingsPages.find(({ address }) => address === pathname);
  const place = setting ?? places.find(({ address }) => address === pathname);
  const reason = lack(place?.needs);
  if (!place || reason === undefined) return children;
  return (
    <Page title={place.title} {...(setting ? { crumb: 'Settings' } : {})}>
      <Empty
        icon={Unplug}
        title={`${place.title} is not available on ${front?.name ?? 'this instance'}`}
        action={
          <a className="btn" href={pageIn(null, '/settings/instances')}>
            Compare versions
          </a>
        }
      >
        {reason}
      </Empty>
    </Page>
  );
}
