import { useNavigate, useSearch } from '@tanstack/react-router';
import { ofCloud, useGraphQL, useSession } from '@/api';
import { Content, Empty, Select } from '@/shared';
import { Building2 } from 'lucide-react';
import { SettingsPage } from '../SettingsPage';
import { Tabs } from '../Tabs';
import { Budgets } from './Budgets';
import { Names } from './Names';
import { Start } from './queries';
import { SentTab } from './SentTab';
import './privacy.css';

const tabs = [
  { value: 'names', label: 'Replacement rules' },
  { value: 'budgets', label: 'Budgets' },
  { value: 'sent', label: 'What was sent' },
] as const;
type Tab = (typeof tabs)[number]['value'];

/** The privacy page: replacement rules, model budgets, and the ledger of requests. */
export function PrivacyPage() {
  const { tab, account: wanted } = useSearch({ from: '/settings/privacy' });
  const navigate = useNavigate({ from: '/settings/privacy' });
  const roles = useSession().data?.roles ?? [];
  const readOnly = roles.includes('tenant_admin') ? undefined : 'An administrator of the tenant can change this';
  const mayLook = roles.some((role) => role === 'tenant_admin' || role === 'tenant_admin_readonly');
  const start = useGraphQL(Start, {});
  const accounts = start.data?.cloud_accounts ?? [];
  const account = accounts.find(({ id }) => id === wanted) ?? ofCloud(accounts);
  const shown: Tab = mayLook ? (tab ?? 'names') : 'sent';
  return (
    <SettingsPage title="Privacy & budgets">
      <div className="split wrap tabline">
        <Tabs
          label="Parts of privacy and budgets"
          value={shown}
          options={mayLook ? tabs : tabs.slice(2)}
          onChange={(value) => {
            void navigate({
              search: { ...(value === 'names' ? {} : { tab: value }), ...(wanted ? { account: wanted } : {}) },
            });
          }}
        />
        {account && accounts.length > 1 && shown !== 'names' && (
          <Select
            label="Account"
            value={account.id}
            options={accounts.map(({ id, account_name: label }) => ({ value: id, label }))}
            onChange={(id) => {
              void navigate({ search: { ...(tab ? { tab } : {}), account: id } });
            }}
          />
        )}
      </div>
      <div role="tabpanel" aria-label={tabs.find(({ value }) => value === shown)?.label} className="setpad flat">
        <Content of={start} what="The settings could not be read">
          {(data) =>
            shown === 'names' ? (
              <Names account={account?.id} attributes={data.tenant[0]?.tenant_attrs ?? []} readOnly={readOnly} />
            ) : !account ? (
              <Empty icon={Building2} title="No account yet">
                Model costs and requests belong to an account. Import a bill first.
              </Empty>
            ) : shown === 'budgets' ? (
              <Budgets key={account.id} account={account} readOnly={readOnly} />
            ) : (
              <SentTab key={account.id} account={account.id} />
            )
          }
        </Content>
      </div>
    </SettingsPage>
  );
}
