import { useState } from 'react';
import { useGraphQL, useSession } from '@/api';
import { Button, Content, Dialog, Field, Form, plural } from '@/shared';
import type { Act, Person } from './act';
import { People } from './queries';
import type { Row } from './row';

/** Chooses the owner of recommendations; the current user is first. */
export function AssignDialog({
  rows,
  onAct,
  onClose,
}: {
  rows: readonly Row[];
  onAct: (act: Act) => void;
  onClose: () => void;
}) {
  const people = useGraphQL(People, {});
  const email = useSession().data?.email;
  const isMe = (person: Person) => person.username === email;
  const listed = people.data?.users
    .filter((person) => person.status !== 'suspended')
    .sort((a, b) => Number(isMe(b)) - Number(isMe(a)));
  const [chosen, setChosen] = useState<string | null>(null);
  const person = listed?.find(({ id }) => id === chosen) ?? listed?.[0];
  const [first] = rows;
  return (
    <Dialog
      open
      onClose={onClose}
      title={rows.length === 1 && first ? `Assign “${first.title}”` : `Assign ${plural(rows.length, 'recommendation')}`}
      help="The previous owner is replaced."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="assign" disabled={!person}>
            Assign
          </Button>
        </>
      }
    >
      <Form
        id="assign"
        onSubmit={() => {
          if (!person) return;
          onClose();
          onAct({ kind: 'assign', person });
        }}
      >
        <Content of={{ ...people, data: listed }} what="The people of this tenant could not be read" lines={1}>
          {(found) => (
            <Field label="Person">
              {(control) => (
                <select
                  {...control}
                  className="sel"
                  autoFocus
                  value={person?.id ?? ''}
                  onChange={(event) => {
                    setChosen(event.target.value);
                  }}
                >
                  {found.map((one) => (
                    <option key={one.id} value={one.id}>
                      {nameOf(one)}
                      {isMe(one) ? ' (you)' : ''}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </Content>
      </Form>
    </Dialog>
  );
}

function nameOf({ display_name: name, username }: Person): string {
  return name === username ? name : `${name}, ${username}`;
}
