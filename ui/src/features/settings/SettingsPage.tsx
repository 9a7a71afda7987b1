import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSeesTenant } from '@/api';
import { Page } from '@/shared';
import { NotForYou } from './NotForYou';
import { PagesColumn } from './PagesColumn';
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
