import { useState } from 'react';
import { Button, Dialog, Field, Form, Status, toast } from '@/shared';
import { AccountRoleFields } from './AccountRoleFields';
import { accountRolesOf, changeOf, isNothing, tenantRoleOf } from './accountRoles';
import { useChangePeople } from './queries';
import type { Change, Everybody, Person } from './queries';
import { TenantRoleField } from './TenantRoleField';

/** An administrator's action on a user. */
export type UserAction = 'role' | 'suspend' | 'reactivate' | 'remove';

/** Explains the effect, asks for confirmation, and shows the result. */
export function ConfirmDialog({
  asked,
  person,
  accounts,
  onClose,
  onRemoved,
}: {
  asked: UserAction;
  person: Person;
  /** Those that a role can be over. */
  accounts: Everybody['cloud_accounts'];
  onClose: () => void;
  onRemoved: () => void;
}) {
  const change = useChangePeople();
  const held = { tenant: tenantRoleOf(person), accounts: accountRolesOf(person) };
  const [role, setRole] = useState(held.tenant);
  const [ofAccounts, setOfAccounts] = useState(held.accounts);
  const wish = { tenant: role, accounts: ofAccounts };
  const roles = changeOf(held, wish);
  const [typed, setTyped] = useState('');
  const name = person.display_name;
  const words = {
    role: { title: `Change the roles of ${name}`, does: 'Change roles', done: `Changed the roles of ${name}` },
    suspend: { title: `Suspend ${name}?`, does: 'Suspend', done: `Suspended ${name}` },
    reactivate: { title: `Reactivate ${name}?`, does: 'Reactivate', done: `Reactivated ${name}` },
    remove: { title: `Remove ${name}?`, does: 'Remove user', done: `Removed ${name}` },
  }[asked];
  const wanted: Change = {
    role: { id: person.id, roles },
    suspend: { id: person.id, status: 'suspended' as const },
    reactivate: { id: person.id, status: 'active' as const },
    remove: { remove: person.id },
  }[asked];
  const ready = asked === 'remove' ? typed === person.username : asked !== 'role' || !isNothing(roles);
  const takeBack = () => {
    change.mutateAsync({ id: person.id, roles: changeOf(wish, held) }).then(
      () => {
        toast({ tone: 'ok', text: `Undone: ${name} has the roles from before` });
      },
      (error: unknown) => {
        toast({ tone: 'bad', text: `The roles of ${name} could not be restored: ${(error as Error).message}` });
      },
    );
  };
  const submit = () => {
    if (!ready) return;
    change.mutate(wanted, {
      onSuccess: () => {
        const undo = { action: { label: 'Undo', run: takeBack } };
        toast({ tone: 'ok', text: words.done, ...(asked === 'role' ? undo : {}) });
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
          <>
            <TenantRoleField
              value={role}
              onChange={setRole}
              help="It replaces the current one. With single sign-on, the next sign-in may change it again: see the three switches there."
            />
            <AccountRoleFields accounts={accounts} value={ofAccounts} onChange={setOfAccounts} />
          </>
        )}
        {asked === 'suspend' && (
          <p>
            {name} can no longer sign in, and their sessions and API tokens stop at once. Roles and history are kept;
            Reactivate restores everything.
          </p>
        )}
        {asked === 'reactivate' && <p>{name} can sign in again, with the same roles as before.</p>}
        {asked === 'remove' && (
          <>
            <p>
              {name} leaves the tenant with their roles and API tokens here. This cannot be undone. With single sign-on
              they return with their next sign-in, unless the provider stops it: to keep someone out, suspend them.
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
