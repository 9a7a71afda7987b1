import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { sendHere, useInstanceChange } from '@/api';
import type { Instance } from '@/api';
import { Button, Field, Form, date, useNow } from '@/shared';
import { AuthorityFile } from './AuthorityFile';
import { PlainWarning } from './PlainWarning';
import { ProxyField } from './ProxyField';

/** The connection to an instance: address, proxy, and additional trusted authorities. */
export function WayThere({ instance, onChanged }: { instance: Instance; onChanged: () => void }) {
  const now = useNow();
  const change = useInstanceChange((what: object) => sendHere<null>('PUT', `/api/instances/${instance.id}`, what));
  const [address, setAddress] = useState(instance.address);
  const [proxy, setProxy] = useState(instance.proxy ?? '');
  const moves = address.trim() !== instance.address;
  const changed = moves || proxy.trim() !== (instance.proxy ?? '');
  const save = (more: object) => {
    change.mutate({ address, proxy, ...more }, { onSuccess: onChanged });
  };
  const plain = change.error?.code === 'plain_http' ? change.error.message : null;
  const aboutProxy = change.error?.message.includes('proxy') === true;
  return (
    <section className="stack tight">
      <h3 className="strong">Connection</h3>
      <Form
        className="stack tight"
        onSubmit={() => {
          // The word for another address does not count for this one.
          save(moves ? { plain_accepted: false } : {});
        }}
      >
        <Field
          label="Address"
          help={moves && instance.kept_in ? 'A new address is a new instance: sign in there again.' : undefined}
          error={change.error && plain === null && !aboutProxy ? change.error.message : undefined}
        >
          {(control) => (
            <input
              {...control}
              className="in mono"
              spellCheck={false}
              value={address}
              onChange={(event) => {
                setAddress(event.target.value);
                change.reset();
              }}
            />
          )}
        </Field>
        {plain !== null && (
          <PlainWarning
            message={plain}
            onAccept={() => {
              save({ plain_accepted: true });
            }}
          />
        )}
        <ProxyField
          value={proxy}
          help={
            instance.proxy_signs_in
              ? 'Its user name and password are stored encrypted and not shown. They stay as long as the address does'
              : 'Empty: none. http://host:port or http://name:password@host:port'
          }
          error={aboutProxy ? change.error?.message : undefined}
          onChange={(value) => {
            setProxy(value);
            change.reset();
          }}
        />
        <div>
          <Button type="submit" size="small" disabled={!changed} busy={change.isPending && 'Saving'}>
            Save
          </Button>
        </div>
      </Form>
      {instance.own_authorities.map((one) => (
        <div key={one.fingerprint_sha256} className="row">
          <span className="grow">
            Also trusted: {one.subject}
            <span className="small muted block">Until {date(one.not_after, now)}</span>
          </span>
        </div>
      ))}
      <div className="row wrapping">
        <AuthorityFile
          onText={(authorities) => {
            change.mutate({ authorities }, { onSuccess: onChanged });
          }}
        />
        {instance.own_authorities.length > 0 && (
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              change.mutate({ authorities: '' }, { onSuccess: onChanged });
            }}
          >
            <Trash2 className="i s" />
            Stop trusting it
          </Button>
        )}
      </div>
    </section>
  );
}
