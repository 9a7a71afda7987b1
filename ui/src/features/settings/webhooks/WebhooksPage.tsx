import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession, useWhyNot } from '@/api';
import { Panel, SearchBox, plural } from '@/shared';
import { SettingsPage } from '../SettingsPage';
import { NewWebhookForm } from './NewWebhookForm';
import { useCreateWebhook, useWebhooks } from './queries';
import type { Webhook } from './queries';
import { RevokeDialog } from './RevokeDialog';
import { Senders } from './Senders';
import { ShownOnce } from './ShownOnce';
import { useAddress } from './useAddress';
import { WebhookTable } from './WebhookTable';
import { texts } from './words';

/** The webhooks page: create, show once, test and revoke. */
export function WebhooksPage() {
  const found = useWebhooks();
  const create = useCreateWebhook();
  const whyNot = useWhyNot();
  const isAdmin = useSession().data?.roles.includes('tenant_admin') ?? true;
  const reason = isAdmin ? whyNot({ fields: ['webhook_create'] }) : texts.needsAdmin;
  const addressOf = useAddress();
  const [search, setSearch] = useState('');
  const [revoking, setRevoking] = useState<Webhook | null>(null);
  const all = found.data?.webhook_receiver;
  const shown = all?.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <SettingsPage
      title="Webhooks"
      actions={
        <Link className="btn" to="/events">
          Events
        </Link>
      }
    >
      <div className="two-col tokens">
        <div className="stack">
          {create.data && (
            <ShownOnce
              key={create.data.id}
              made={create.data}
              address={addressOf(create.data.token)}
              onClose={() => {
                create.reset();
              }}
            />
          )}
          <Panel
            title="Webhooks"
            meta={all && plural(all.filter((one) => one.revoked_at === null).length, 'webhook')}
            actions={all && all.length > 5 && <SearchBox label="Filter webhooks" value={search} onChange={setSearch} />}
          >
            <WebhookTable
              rows={shown}
              error={found.error}
              retry={found.refetch}
              reason={reason}
              onRevoke={setRevoking}
            />
          </Panel>
          <NewWebhookForm
            accounts={found.data?.cloud_accounts ?? []}
            taken={(all ?? []).map(({ name }) => name)}
            reason={reason}
            busy={create.isPending}
            failed={create.error?.message}
            onCreate={(draft, onDone) => {
              create.mutate(draft, { onSuccess: onDone });
            }}
          />
        </div>
        <Senders address={addressOf(create.data?.token ?? '<token>')} />
      </div>
      {revoking && (
        <RevokeDialog
          webhook={revoking}
          onClose={() => {
            setRevoking(null);
          }}
        />
      )}
    </SettingsPage>
  );
}
