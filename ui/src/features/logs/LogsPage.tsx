import { getRouteApi } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Content, NothingImported, Page } from '@/shared';
import { AccountLogs } from './AccountLogs';
import { LogAccounts } from './queries';
import type { Change, LogsSearch } from './search';
import { empty } from './words';
import './logs.css';

const route = getRouteApi('/events/logs');

/** Stored log lines of an account by time, level, text and label. */
export function LogsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useGraphQL(LogAccounts, {});
  const accounts = query.data?.cloud_accounts ?? [];
  const newest = query.data?.logs[0]?.account_id;
  const account = accounts.find(({ id }) => id === (search.account ?? newest)) ?? accounts[0];
  const go = (change: Change, replace = true) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        ) as LogsSearch,
      replace,
    });
  };
  if (!account || (newest === undefined && search.account === undefined))
    return (
      <Page title="Logs" crumb="Events">
        <Content of={query} what="Logs could not be read" lines={8}>
          {() => <NothingImported icon={ScrollText} words={empty} />}
        </Content>
      </Page>
    );
  return <AccountLogs account={account.id} accounts={accounts} search={search} onGo={go} />;
}
