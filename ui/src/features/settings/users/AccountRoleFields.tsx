import { X } from 'lucide-react';
import { Button, Field } from '@/shared';
import { roleName } from '../roles';
import { accountRoles } from './accountRoles';
import type { AccountRoles } from './accountRoles';
import type { Everybody } from './queries';

/** Roles over single accounts: those held, each changed or taken away, and one more. */
export function AccountRoleFields({
  accounts,
  value,
  onChange,
  error,
}: {
  accounts: Everybody['cloud_accounts'];
  value: AccountRoles;
  onChange: (value: AccountRoles) => void;
  error?: string | undefined;
}) {
  const put = (id: string, role: string | null) => {
    const next = new Map(value);
    if (role === null) next.delete(id);
    else next.set(id, role);
    onChange(next);
  };
  const held = [...value].map(([id, role]) => ({
    id,
    role,
    name: accounts.find((one) => one.id === id)?.account_name ?? id,
  }));
  const free = accounts.filter(({ id }) => !value.has(id));
  return (
    <>
      {held.length > 0 && (
        <ul className="panel account-roles" aria-label="Roles over single accounts">
          {held.map(({ id, role, name }) => (
            <li className="li" key={id}>
              <span className="grow cut" title={name}>
                {name}
              </span>
              <select
                className="sel"
                aria-label={`Role over ${name}`}
                value={role}
                onChange={(event) => {
                  put(id, event.target.value);
                }}
              >
                {accountRoles.map((one) => (
                  <option key={one} value={one}>
                    {roleName(one)}
                  </option>
                ))}
              </select>
              <Button
                size="small"
                kind="quiet"
                iconOnly
                aria-label={`Take away the role over ${name}`}
                onClick={() => {
                  put(id, null);
                }}
              >
                <X className="i s" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label={held.length > 0 ? 'Another account' : 'Role over a single account'}
        error={error}
        help="They see these accounts alone, unless they have a role over the whole tenant."
      >
        {(control) => (
          <select
            {...control}
            className="sel"
            value=""
            disabled={free.length === 0}
            onChange={(event) => {
              put(event.target.value, accountRoles[0]);
            }}
          >
            <option value="" disabled>
              {accounts.length === 0 ? 'There are no accounts yet' : 'Choose an account…'}
            </option>
            {free.map(({ id, account_name: name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
