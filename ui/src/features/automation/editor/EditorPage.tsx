import { ofCloud, useGraphQL } from '@/api';
import { Empty, Failure, Loading, Page } from '@/shared';
import { FilePlus } from 'lucide-react';
import { AutomationAccounts } from '../queries';
import { texts } from '../words';
import { EditorView } from './EditorView';
import { ExportYaml } from './queries';
import { templates } from './templates';

/** The editor with the data it needs: accounts, and the YAML of an existing workflow. */
export function EditorPage({
  account,
  id,
  onAccount,
  onClose,
}: {
  account: string | undefined;
  id?: string;
  onAccount: (id: string) => void;
  onClose: (account?: string, saved?: string) => void;
}) {
  const accounts = useGraphQL(AutomationAccounts, {});
  const stored = useGraphQL(ExportYaml, { account: account ?? '', id: id ?? '' }, { enabled: id !== undefined });
  const all = accounts.data?.cloud_accounts;
  const chosen = account ?? (all && ofCloud(all)?.id);
  const text = id === undefined ? (templates[0]?.yaml ?? '') : stored.data?.workflow_export?.yaml;
  const error = accounts.error ?? stored.error;
  if (all && chosen !== undefined && text !== undefined)
    return (
      <EditorView
        accounts={all}
        account={chosen}
        {...(id === undefined ? {} : { id })}
        stored={text}
        onAccount={onAccount}
        onClose={(saved) => {
          onClose(chosen, saved);
        }}
      />
    );
  return (
    <Page title="Workflow" crumb="Automation / Workflows">
      {error ? (
        <Failure
          what="The workflow could not be read"
          error={error}
          retry={() => {
            void accounts.refetch();
            if (id !== undefined) void stored.refetch();
          }}
        />
      ) : all?.length === 0 ? (
        <Empty icon={FilePlus} title={texts.noAccount.title}>
          {texts.noAccount.text}
        </Empty>
      ) : (
        <Loading lines={8} />
      )}
    </Page>
  );
}
