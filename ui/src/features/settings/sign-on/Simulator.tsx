import { useDeferredValue, useState } from 'react';
import { Content, Field, Panel } from '@/shared';
import type { Draft } from './draft';
import { useRolesPreview } from './queries';
import { RolesOutcome } from './RolesOutcome';

/** Previews the roles of a user with given groups, using the mapping and switches of the form; changes nothing. */
export function Simulator({ draft }: { draft: Draft }) {
  const [groups, setGroups] = useState('');
  const [email, setEmail] = useState('');
  const [asked, who] = [useDeferredValue(groups), useDeferredValue(email)];
  const list = asked
    .split(/[,\n]/)
    .map((group) => group.trim())
    .filter((group) => group !== '');
  const preview = useRolesPreview(draft, list, who);
  return (
    <Panel title="Try it" padded>
      <div className="stack">
        <div className="fields two">
          <Field label="Groups of the person" help="Separated by commas, exactly as the provider sends them.">
            {(control) => (
              <input
                {...control}
                className="in mono"
                placeholder="platform-admins, Developers"
                value={groups}
                onChange={(event) => {
                  setGroups(event.target.value);
                }}
              />
            )}
          </Field>
          <Field label="E-mail" help="Of a user who exists; empty for a new one.">
            {(control) => (
              <input
                {...control}
                className="in"
                inputMode="email"
                value={email}
                onChange={(event) => {
                  setEmail(event.target.value);
                }}
              />
            )}
          </Field>
        </div>
        <Content of={preview} what="The preview failed" lines={2}>
          {(roles) => <RolesOutcome roles={roles} />}
        </Content>
      </div>
    </Panel>
  );
}
