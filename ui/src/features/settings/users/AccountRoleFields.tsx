import { X } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Button, Field } from '@/shared';
import { roleName } from '../roles';
import { placeOf, rolesOver } from './accountRoles';
import type { AccountRoles } from './accountRoles';
import { Namespaces } from './queries';
import type { Everybody } from './queries';

/** Roles for single accounts and namespaces: change or remove existing ones, and add one. */
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
  const nameOf = (account: string) => accounts.find((one) => one.id === account)?.account_name ?? account;
  const held = [...value].map(([id, role]) => {
    const { account, namespace } = placeOf(id);
    return { id, role, name: namespace ? `namespace ${namespace} of ${nameOf(account)}` : nameOf(account) };
  });
  const free = accounts.filter(({ id }) => !value.has(id));
  return (
    <>
      {held.length > 0 && (
        <ul className="panel account-roles" aria-label="Roles for single accounts and namespaces">
          {held.map(({ id, role, name }) => (
            <li className="li" key={id}>
              <span className="grow cut" title={name}>
                {name}
              </span>
              <select
                className="sel"
                aria-label={`Role for ${name}`}
                value={role}
                onChange={(event) => {
                  put(id, event.target.value);
                }}
              >
                {rolesOver(id).map((one) => (
                  <option key={one} value={one}>
                    {roleName(one)}
                  </option>
                ))}
              </select>
              <Button
                size="small"
                kind="quiet"
                iconOnly
                aria-label={`Remove the role for ${name}`}
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
        label={
          held.some(({ id }) => accounts.some((one) => one.id === id)) ? 'Another account' : 'Role for a single account'
        }
        error={error}
        help="They see only these accounts, unless they have a role for the whole tenant."
      >
        {(control) => (
          <select
            {...control}
            className="sel"
            value=""
            disabled={free.length === 0}
            onChange={(event) => {
              put(event.target.value, rolesOver(event.target.value)[0]);
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
      <NamespaceField
        accounts={accounts}
        taken={value}
        onChoose={(id) => {
          put(id, rolesOver(id)[0]);
        }}
      />
    </>
  );
}

/** Chooses a namespace of one of the clusters. Without a cluster there is nothing to choose, and no field. */
function NamespaceField({
  accounts,
  taken,
  onChoose,
}: {
  accounts: Everybody['cloud_accounts'];
  taken: AccountRoles;
  onChoose: (id: string) => void;
}) {
  const found = useGraphQL(Namespaces, {}).data?.k8s_namespaces ?? [];
  const groups = accounts.flatMap(({ id, account_name: name }) => {
    const own = found.filter((one) => one.cloud_account_id === id);
    return own.length > 0 ? [{ id, name, namespaces: own.map((one) => one.name) }] : [];
  });
  if (groups.length === 0) return null;
  const isHeld = [...taken.keys()].some((id) => placeOf(id).namespace !== undefined);
  return (
    <Field
      label={isHeld ? 'Another namespace' : 'Role for a single namespace'}
      help="They see only these namespaces, unless they have a role for the account or the tenant."
    >
      {(control) => (
        <select
          {...control}
          className="sel"
          value=""
          onChange={(event) => {
            onChoose(event.target.value);
          }}
        >
          <option value="" disabled>
            Choose a namespace…
          </option>
          {groups.map(({ id, name, namespaces }) => (
            <optgroup key={id} label={name}>
              {namespaces.map((namespace) => (
                <option key={namespace} value={`${id}:${namespace}`} disabled={taken.has(`${id}:${namespace}`)}>
                  {namespace}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}
