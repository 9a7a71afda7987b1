import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { Button, Field } from '@/shared';
import { focusNew } from '../focusNew';
import { CopyButton } from '../parts';
import type { NewWebhook } from './queries';
import { isLocal } from './senders';
import type { useAddress } from './useAddress';
import { texts } from './words';

/** The URL, shown once and removed with "I have stored it". */
export function ShownOnce({
  made,
  address,
  onClose,
}: {
  made: NewWebhook;
  address: ReturnType<ReturnType<typeof useAddress>>;
  onClose: () => void;
}) {
  return (
    <section className="panel shown-once" aria-label="New webhook" tabIndex={-1} ref={focusNew}>
      <div className="ph">
        <span className="st ok">
          <CircleCheck className="i" />
        </span>
        <h2>Webhook {made.name} was created</h2>
        <div className="acts">
          <Button kind="quiet" size="small" iconOnly aria-label="Close" onClick={onClose}>
            <X className="i s" />
          </Button>
        </div>
      </div>
      <div className="pb stack">
        <Field
          label="Webhook URL"
          setting="shown once"
          help={address.origin === null ? texts.noOrigin : isLocal(address.origin) ? texts.local : undefined}
        >
          {(control) => (
            <div className="join">
              <input
                {...control}
                className="in mono grow"
                readOnly
                value={address.text}
                onFocus={(event) => {
                  event.target.select();
                }}
              />
              <CopyButton text={address.text} label="URL" size="default" />
            </div>
          )}
        </Field>
        <div className="split">
          <span className="st warn wrap">
            <TriangleAlert className="i" />
            {texts.once}
          </span>
          <Button kind="primary" onClick={onClose}>
            I have stored it
          </Button>
        </div>
      </div>
    </section>
  );
}
