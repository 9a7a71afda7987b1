import { useState } from 'react';
import { Field, Panel } from '@/shared';
import { CopyButton } from '../parts';
import { senders } from './senders';
import type { useAddress } from './useAddress';
import { texts } from './words';

/** Where to enter the URL in each supported monitoring system. */
export function Senders({ address }: { address: ReturnType<ReturnType<typeof useAddress>> }) {
  const [chosen, setChosen] = useState('alertmanager');
  const sender = senders.find(({ id }) => id === chosen);
  const text = sender?.text?.(address.text);
  return (
    <Panel title="Set up the sender" padded>
      <div className="stack tight">
        <p className="help">{texts.about}</p>
        <Field label="Sender">
          {(control) => (
            <select
              {...control}
              className="sel"
              value={chosen}
              onChange={(event) => {
                setChosen(event.target.value);
              }}
            >
              {senders.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        <p>{sender?.where}</p>
        {text !== undefined && (
          <>
            <pre className="log">{text}</pre>
            <div className="row">
              <CopyButton text={text} label="the configuration" />
            </div>
          </>
        )}
        <p className="help">
          Limit: 600 messages a minute for each webhook. Messages that cannot be read are rejected; the list says why.
        </p>
      </div>
    </Panel>
  );
}
