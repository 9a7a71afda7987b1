import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSeesTenant } from '@/api';
import { Page } from '@/shared';
import { NotForYou } from './NotForYou';
import { PagesColumn } from './PagesColumn';
import { settingsPages } from './pages';
import './settings.css';

/** The layout of every settings page: second column, content, side panel and save bar. */
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
  /** A list between the column of pages and the content. */
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
        <PagesColumn />
        <div className="setbody">
          <NotForYou />
        </div>
      </Page>
    );
  return (
    <Page title={title} crumb="Settings" actions={actions} side={side} flush>
      <PagesColumn />
      {list}
      <div className="setbody">
        <div
          className={plain ? 'setscroll plain' : 'setscroll'}
          // Next to a list, the open item scrolls separately.
          {...(list === undefined ? { tabIndex: 0, role: 'region', 'aria-label': `Settings: ${title}` } : {})}
        >
          {children}
        </div>
        {foot}
      </div>
    </Page>
  );
}
