import { useState } from 'react';
import { isOwnWindow, useAbout } from '@/api';
import { Button, CopyCommand, Dialog, Field, Form, toast } from '@/shared';
import { roleName, tenantRoles } from '../roles';
import { useChangePeople } from './queries';

/** Makes somebody a member of the tenant, and says how they get in. */
export function AddUser({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
  const change = useChangePeople();
  const saml = useAbout().data?.sign_in.saml === true;
  const [email, setEmail] = useState('');
  const [firstname, setFirstname] = useState('');
  const [lastname, setLastname] = useState('');
  const [role, setRole] = useState<string>('tenant_admin_readonly');
  const [tried, setTried] = useState(false);
  const wrong = !/^[^\s@]+@[^\s@]+$/.test(email)
    ? 'Enter an e-mail, for example mei@example.com'
    : taken.some((one) => one.toLowerCase() === email.toLowerCase())
      ? `${email} is a user already`
      : undefined;
  const submit = () => {
    setTried(true);
    if (wrong || !firstname) return;
    change.mutate(
      { add: { username: email, firstname, lastname, role } },
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
        <Field
          label="Role"
          help={role === 'tenant_admin' ? 'Full access to the tenant.' : 'Read-only access to the tenant.'}
        >
          {(control) => (
            <select
              {...control}
              className="sel"
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
