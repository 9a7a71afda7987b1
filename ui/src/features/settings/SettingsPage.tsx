import { useLocation } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useInstances, useLack, useSamlHealth, useSeesTenant } from '@/api';
import { host } from '@/host';
import { Page, PlaceLink, useCurrentInView } from '@/shared';
import { NotForYou } from './NotForYou';
import { settingsPages } from './pages';
import './settings.css';

/** The frame of every settings page: the second column, the content, what stands beside it and what is saved at the foot. */
export function SettingsPage({
  title,
  actions,
  list,
  side,
  foot,
  plain = false,
  children,
}: {
  title: string;
  actions?: ReactNode;
  /** A column of its own between the pages and the content: what there is to choose from. */
  list?: ReactNode;
  side?: ReactNode;
  /** The save bar, under the content. */
  foot?: ReactNode;
  /** Without space around the content: for tables. */
  plain?: boolean;
  children: ReactNode;
}) {
  const seesTenant = useSeesTenant();
  const { pathname } = useLocation();
  const isOfTenant = settingsPages.some((page) => page.address === pathname && page.isOfTenant);
  if (isOfTenant && !seesTenant)
    return (
      <Page title={title} crumb="Settings" flush>
        <Pages />
        <div className="setbody">
          <NotForYou />
        </div>
      </Page>
    );
  return (
    <Page title={title} crumb="Settings" actions={actions} side={side} flush>
      <Pages />
      {list}
      <div className="setbody">
        <div
          className={plain ? 'setscroll plain' : 'setscroll'}
          // Beside a list, what is open in it scrolls by itself.
          {...(list === undefined ? { tabIndex: 0, role: 'region', 'aria-label': `Settings: ${title}` } : {})}
        >
          {children}
        </div>
        {foot}
      </div>
    </Page>
  );
}

function Pages() {
  const health = useSamlHealth().data;
  const lack = useLack();
  const needsAttention = health?.enabled === true && health.status !== 'healthy';
  const elsewhere = useInstances().data;
  const row = useCurrentInView(useLocation().pathname);
  const pages = settingsPages
    .filter((page) => page.address !== '/settings/instances' || elsewhere)
    .filter((page) => page.address !== '/settings/window' || host.kind === 'desktop');
  const groups = [...new Set(pages.map((page) => page.group))];
  return (
    <nav className="setnav" aria-label="Settings" ref={row}>
      {groups.map((group) => (
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
              </PlaceLink>
            ))}
        </div>
      ))}
    </nav>
  );
}
