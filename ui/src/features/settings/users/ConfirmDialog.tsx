import { useState } from 'react';
import { Button, Dialog, Field, Form, Status, toast } from '@/shared';
import { roleName, tenantRoles } from '../roles';
import { useChangePeople } from './queries';
import type { Change, Person } from './queries';

/** What an administrator is about to do to a person. */
export type Asked = 'role' | 'suspend' | 'reactivate' | 'remove';

/** Says what will be so, asks, and tells what came of it. */
export function ConfirmDialog({
  asked,
  person,
  onClose,
  onRemoved,
}: {
  asked: Asked;
  person: Person;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const change = useChangePeople();
  const held = person.user_roles.find((role) => role.entity_type === 'tenant')?.role;
  const [role, setRole] = useState<string>(held ?? 'tenant_admin_readonly');
  const [typed, setTyped] = useState('');
  const name = person.display_name;
  const words = {
    role: { title: `Change the role of ${name}`, does: 'Change role', done: `${name} is ${roleName(role)} now` },
    suspend: { title: `Suspend ${name}?`, does: 'Suspend', done: `Suspended ${name}` },
    reactivate: { title: `Reactivate ${name}?`, does: 'Reactivate', done: `Reactivated ${name}` },
    remove: { title: `Remove ${name}?`, does: 'Remove user', done: `Removed ${name}` },
  }[asked];
  const wanted: Change = {
    role: { id: person.id, role },
    suspend: { id: person.id, status: 'suspended' as const },
    reactivate: { id: person.id, status: 'active' as const },
    remove: { remove: person.id },
  }[asked];
  const ready = asked === 'remove' ? typed === person.username : asked !== 'role' || role !== held;
  const submit = () => {
    if (!ready) return;
    change.mutate(wanted, {
      onSuccess: () => {
        toast({ tone: 'ok', text: words.done });
        onClose();
        if (asked === 'remove') onRemoved();
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={asked === 'suspend' || asked === 'remove' ? 'destructive' : 'primary'}
            disabled={!ready}
            busy={change.isPending && 'Saving'}
            type="submit"
            form="change-user"
          >
            {words.does}
          </Button>
        </>
      }
    >
      <Form id="change-user" className="stack" onSubmit={submit}>
        {asked === 'role' && (
          <Field
            label="Role over the whole tenant"
            help="It replaces the one held now. With single sign-on, the next sign-in may change it again: see the three switches there."
          >
            {(control) => (
              <select
                {...control}
                className="sel"
                autoFocus
                value={role}
                onChange={(event) => {
                  setRole(event.target.value);
                }}
              >
                {tenantRoles.map((one) => (
                  <option key={one} value={one}>
                    {roleName(one)}, {one}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {asked === 'suspend' && (
          <p>
            {name} can no longer sign in, and every session and API token of theirs stops at once. Roles and history are
            kept; Reactivate brings everything back.
          </p>
        )}
        {asked === 'reactivate' && <p>{name} can sign in again, with the roles held before.</p>}
        {asked === 'remove' && (
          <>
            <p>
              {name} leaves the tenant with their roles and API tokens here. This cannot be undone. With single sign-on
              they come back with their next sign-in, unless the provider stops it: to keep somebody out, suspend them.
            </p>
            <Field label={`Type ${person.username} to confirm`}>
              {(control) => (
                <input
                  {...control}
                  className="in mono"
                  autoFocus
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => {
                    setTyped(event.target.value);
                  }}
                />
              )}
            </Field>
          </>
        )}
        {change.error && <Status tone="bad">{change.error.message}</Status>}
      </Form>
    </Dialog>
  );
}
