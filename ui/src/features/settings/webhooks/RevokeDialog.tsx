import { useState } from 'react';
import { Button, Dialog, Field, Form, count, dateTimeZone, toast, useNow } from '@/shared';
import { useRevokeWebhook } from './queries';
import type { Webhook } from './queries';
import { texts } from './words';

/** Explains what stops; revoking is confirmed by the name, because it cannot be undone. */
export function RevokeDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const revoke = useRevokeWebhook();
  const now = useNow();
  const [typed, setTyped] = useState('');
  const isSure = typed.trim() === webhook.name;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Revoke ${webhook.name}?`}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            kind="destructive"
            type="submit"
            form="revoke-webhook"
            disabled={!isSure}
            busy={revoke.isPending && 'Revoking'}
          >
            Revoke webhook
          </Button>
        </>
      }
    >
      <Form
        id="revoke-webhook"
        className="stack"
        onSubmit={() => {
          if (!isSure) return;
          revoke.mutate(webhook.id, {
            onSuccess: () => {
              toast({ tone: 'ok', text: `Revoked ${webhook.name}` });
              onClose();
            },
          });
        }}
      >
        <p>{texts.revoke}</p>
        <dl className="kv">
          <dt>Messages</dt>
          <dd>{count(webhook.received)}</dd>
          <dt>Last delivery</dt>
          <dd>{webhook.received_at ? `${dateTimeZone(webhook.received_at, now)}` : 'never'}</dd>
        </dl>
        <Field label={`Type ${webhook.name} to confirm`} error={revoke.error?.message}>
          {(control) => (
            <input
              {...control}
              className="in"
              autoFocus
              autoComplete="off"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
