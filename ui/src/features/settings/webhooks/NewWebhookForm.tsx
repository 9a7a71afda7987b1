import { Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Button, Field, Form, Panel } from '@/shared';
import type { Account, WebhookDraft } from './queries';
import { problemOfName } from './senders';

/** Creates a webhook: a name, and the account of its events. */
export function NewWebhookForm({
  accounts,
  taken,
  reason,
  busy,
  failed,
  onCreate,
}: {
  accounts: readonly Account[];
  taken: readonly string[];
  reason: string | undefined;
  busy: boolean;
  failed: string | undefined;
  /** Creates the webhook, and calls `onDone` on success. */
  onCreate: (draft: WebhookDraft, onDone: () => void) => void;
}) {
  const [name, setName] = useState('');
  const [account, setAccount] = useState('');
  const [tried, setTried] = useState<string | null>(null);
  const problem = tried === name ? problemOfName(name, taken) : undefined;
  return (
    <Panel title={taken.length === 0 ? 'Create a webhook' : 'Create another webhook'} padded>
      <Form
        className="stack"
        onSubmit={() => {
          setTried(name);
          if (problemOfName(name, taken) !== undefined) return;
          setTried(null);
          onCreate({ name: name.trim(), ...(account === '' ? {} : { account_id: account }) }, () => {
            // Text typed meanwhile is the name of the next webhook.
            setName((typed) => (typed === name ? '' : typed));
          });
        }}
      >
        <div className="fields">
          <Field label="Name" help="One webhook for each system that sends alerts." error={problem ?? failed}>
            {(control) => (
              <input
                {...control}
                className="in"
                autoComplete="off"
                placeholder="For example Grafana production"
                value={name}
                onChange={(event) => {
                  setName(event.target.value);
                }}
              />
            )}
          </Field>
          <Field label="Account" help="Its events are listed under this account.">
            {(control) => (
              <select
                {...control}
                className="sel"
                value={account}
                onChange={(event) => {
                  setAccount(event.target.value);
                }}
              >
                <option value="">New account with this name</option>
                {accounts.map(({ id, account_name: title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <div className="row">
          <Button type="submit" busy={busy && 'Creating'} reason={reason}>
            <WebhookIcon className="i" />
            Create webhook
          </Button>
          {reason && <span className="small muted">{reason}</span>}
        </div>
      </Form>
    </Panel>
  );
}
