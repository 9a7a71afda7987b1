import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession, useWhyNot } from '@/api';
import { Panel, plural } from '@/shared';
import { SettingsPage } from '../SettingsPage';
import { useFormFocus } from '../useFormFocus';
import { useSecrets } from './queries';
import type { Secret } from './queries';
import { RemoveDialog } from './RemoveDialog';
import { SecretForm } from './SecretForm';
import { SecretTable } from './SecretTable';
import { texts } from './words';

/** Settings, Workflow secrets: tokens for tasks, sealed, with the hosts they may be sent to. */
export function SecretsPage() {
  const found = useSecrets();
  const whyNot = useWhyNot();
  const isAdmin = useSession().data?.roles.includes('tenant_admin') ?? true;
  const reason = isAdmin ? whyNot({ fields: ['workflow_save_secret'] }) : texts.needsAdmin;
  const [changing, setChanging] = useState<Secret | null>(null);
  const [removing, setRemoving] = useState<Secret | null>(null);
  const [form, leadToForm] = useFormFocus();
  const all = found.data?.workflow_list_secrets?.secrets;
  return (
    <SettingsPage
      title="Workflow secrets"
      actions={
        <Link className="btn" to="/automation/workflows">
          Workflows
        </Link>
      }
    >
      <div className="stack">
        <Panel title="Secrets of workflows" meta={all && plural(all.length, 'secret')}>
          <SecretTable
            rows={all}
            error={found.error}
            retry={found.refetch}
            reason={reason}
            onChange={(one) => {
              setChanging(one);
              leadToForm();
            }}
            onRemove={setRemoving}
          />
        </Panel>
        <div ref={form}>
          <SecretForm
            key={changing?.id ?? ''}
            known={changing}
            taken={(all ?? []).map(({ name }) => name)}
            reason={reason}
            onDone={() => {
              setChanging(null);
            }}
          />
        </div>
      </div>
      {removing && (
        <RemoveDialog
          secret={removing}
          onClose={() => {
            setRemoving(null);
          }}
        />
      )}
    </SettingsPage>
  );
}
