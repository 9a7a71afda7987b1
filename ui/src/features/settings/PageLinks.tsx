import { ChevronRight, TriangleAlert } from 'lucide-react';
import { useInstances, useLack, useSamlHealth } from '@/api';
import { host } from '@/host';
import { PlaceLink } from '@/shared';
import { settingsPages } from './pages';

/** Links to the pages of Settings, in their groups. On a phone they are lines that lead on. */
export function PageLinks({ leadOn = false }: { leadOn?: boolean }) {
  const health = useSamlHealth().data;
  const lack = useLack();
  const needsAttention = health?.enabled === true && health.status !== 'healthy';
  const elsewhere = useInstances().data;
  const pages = settingsPages
    .filter((page) => page.address !== '/settings/instances' || elsewhere)
    .filter((page) => page.address !== '/settings/window' || host.kind === 'desktop');
  const groups = [...new Set(pages.map((page) => page.group))];
  return groups.map((group) => (
    <div key={group} className="setgrp" role="group" aria-label={group}>
      <div className="grp" aria-hidden="true">
        {group}
      </div>
      {pages
        .filter((page) => page.group === group)
        .map((page) => (
          <PlaceLink key={page.address} to={page.address} reason={lack(page.needs)}>
            {page.title}
            {page.address === '/settings/single-sign-on' && needsAttention && (
              <TriangleAlert className="i" role="img" aria-label="needs attention" aria-hidden={false} />
            )}
            {leadOn && <ChevronRight className="i leads" />}
          </PlaceLink>
        ))}
    </div>
  ));
}
