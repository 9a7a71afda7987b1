import { useState } from 'react';
import { isOwnWindow, useAbout } from '@/api';
import { Button, CopyCommand, Dialog, Field, Form, toast } from '@/shared';
import { AccountRoleFields } from './AccountRoleFields';
import type { AccountRoles } from './accountRoles';
import { useChangePeople } from './queries';
import type { Everybody } from './queries';
import { TenantRoleField } from './TenantRoleField';

const helpOf: Record<string, string> = {
  tenant_admin: 'Full access to the tenant.',
  tenant_admin_readonly: 'Read-only access to the tenant.',
  '': 'They see only the accounts and namespaces below; without any, nothing.',
};

/** Adds a user to the tenant, and explains how they sign in. */
export function AddUser({
  taken,
  accounts,
  onClose,
}: {
  taken: readonly string[];
  /** Those that a role can be over. */
  accounts: Everybody['cloud_accounts'];
  onClose: () => void;
}) {
  const change = useChangePeople();
  const saml = useAbout().data?.sign_in.saml === true;
  const [email, setEmail] = useState('');
  const [firstname, setFirstname] = useState('');
  const [lastname, setLastname] = useState('');
  const [role, setRole] = useState<string>('tenant_admin_readonly');
  const [ofAccounts, setOfAccounts] = useState<AccountRoles>(new Map());
  const [tried, setTried] = useState(false);
  const wrong = !/^[^\s@]+@[^\s@]+$/.test(email)
    ? 'Enter an e-mail, for example mei@example.com'
    : taken.some((one) => one.toLowerCase() === email.toLowerCase())
      ? `${email} is already a user`
      : undefined;
  const submit = () => {
    setTried(true);
    if (wrong || !firstname) return;
    const add = { username: email, firstname, lastname, ...(role === '' ? {} : { role }) };
    change.mutate(
      { add, accounts: ofAccounts },
      {
        onSuccess: () => {
          toast({ tone: 'ok', text: `Added ${email}` });
          onClose();
        },
      },
    );
  };
  const text = (label: string, value: string, set: (value: string) => void, error?: string, optional = false) => (
    <Field label={optional ? `${label} (optional)` : label} error={error}>
      {(control) => (
        <input
          {...control}
          className="in"
          value={value}
          autoComplete="off"
          autoFocus={label === 'E-mail'}
          onChange={(event) => {
            set(event.target.value);
          }}
        />
      )}
    </Field>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add user"
      help="They become active with their first sign-in."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="add-user" busy={change.isPending && 'Adding'}>
            Add user
          </Button>
        </>
      }
    >
      <Form id="add-user" className="fields" onSubmit={submit}>
        {text('E-mail', email, setEmail, tried ? (wrong ?? change.error?.message) : undefined)}
        <div className="fields two">
          {text('First name', firstname, setFirstname, tried && !firstname ? 'Enter a name' : undefined)}
          {text('Last name', lastname, setLastname, undefined, true)}
        </div>
        <TenantRoleField value={role} onChange={setRole} help={helpOf[role] ?? ''} />
        <AccountRoleFields accounts={accounts} value={ofAccounts} onChange={setOfAccounts} />
        <div className="help">
          {saml
            ? 'They sign in with single sign-on: the account with this e-mail is linked at the first sign-in. Or print a one-time link for them:'
            : `They sign in with a one-time link. ${isOwnWindow() ? 'The package quarterdeck-server has the program that prints one:' : 'This prints one:'}`}
        </div>
        <CopyCommand command={`quarterdeck-server user link ${email || 'mei@example.com'}`} />
      </Form>
    </Dialog>
  );
}
