import { useState } from 'react';
import { Field } from '@/shared';
import { Switch } from '../parts';
import { roleName } from '../roles';
import { isOn, textOf } from './draft';
import type { FormProps } from './form';
import { Simulator } from './Simulator';
import { Source } from './Source';
import type { Settings } from './types';

/** Role and tenant of new users, and role updates at sign-in. */
export function Roles(props: FormProps) {
  const { settings, view, draft, change, problem } = props;
  const [open, setOpen] = useState(false);
  const role = textOf('AUTH_DEFAULT_ROLE', draft, settings);
  const sync = isOn('SAML_SYNC_ROLES_ON_LOGIN', draft, settings);
  const remove = isOn('SAML_REMOVE_OLD_ROLES', draft, settings);
  const unmapped = isOn('SAML_INCLUDE_UNMAPPED_GROUPS', draft, settings);
  const put = (name: 'SAML_SYNC_ROLES_ON_LOGIN' | 'SAML_REMOVE_OLD_ROLES' | 'SAML_INCLUDE_UNMAPPED_GROUPS') => ({
    setting: name,
    onChange: (on: boolean) => {
      change({ [name]: String(on) });
    },
  });
  const source = (name: Parameters<typeof put>[0]) => (
    <>
      {problem(name) && <span className="err">{problem(name)}</span>}
      <Source {...{ name, settings, draft, change }} />
    </>
  );
  return (
    <section className="form-sec" aria-labelledby="roles">
      <h2 id="roles">3. Users and roles</h2>
      <div className="fields two">
        <div id="setting-AUTH_DEFAULT_ROLE">
          <Field
            label="Role of a new user"
            setting="AUTH_DEFAULT_ROLE"
            error={problem('AUTH_DEFAULT_ROLE')}
            help={
              <>
                {view.placement.deployment === 'hosted'
                  ? 'The tenant’s attribute auth_default_role comes first.'
                  : 'Given once, at the first sign-in of a user.'}
                <Source name="AUTH_DEFAULT_ROLE" {...{ settings, draft, change }} />
              </>
            }
          >
            {(control) => (
              <select
                {...control}
                className="sel"
                value={role}
                onChange={(event) => {
                  change({ AUTH_DEFAULT_ROLE: event.target.value });
                }}
              >
                {role === '' && <option value="">None</option>}
                {role !== '' && !view.roles.some((one) => one.name === role) && <option value={role}>{role}</option>}
                {view.roles.map((one) => (
                  <option key={one.name} value={one.name}>
                    {roleName(one.name)}, {one.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Field label="Tenant of a new user">
          {(control) => <input {...control} className="in" readOnly value={placement(view)} />}
        </Field>
      </div>
      <div>
        <Switch label="Update roles at every sign-in" on={sync} {...put('SAML_SYNC_ROLES_ON_LOGIN')}>
          {sync
            ? 'Roles follow the groups of each sign-in.'
            : 'Off: roles stay as assigned here; groups have no effect after the first sign-in.'}
          {source('SAML_SYNC_ROLES_ON_LOGIN')}
        </Switch>
        <Switch label="Remove roles that are no longer granted" on={remove} {...put('SAML_REMOVE_OLD_ROLES')}>
          {!sync
            ? 'Has no effect while roles are not updated.'
            : remove
              ? 'A user who leaves a group loses its role at the next sign-in. Also removes manually given roles.'
              : 'Off: a sign-in only adds roles; a user who leaves a group keeps its role.'}
          {source('SAML_REMOVE_OLD_ROLES')}
        </Switch>
        <Switch label="Use unmapped groups as role names" on={unmapped} {...put('SAML_INCLUDE_UNMAPPED_GROUPS')}>
          {unmapped
            ? 'A group missing from the table below becomes the role of the same name, so the provider decides who is tenant_admin.'
            : 'Off: groups missing from the table below are ignored.'}
          {source('SAML_INCLUDE_UNMAPPED_GROUPS')}
        </Switch>
      </div>
      {open ? (
        <Simulator draft={draft} />
      ) : (
        <p>
          <button
            type="button"
            className="bare textlink"
            onClick={() => {
              setOpen(true);
            }}
          >
            Preview a user’s roles
          </button>
        </p>
      )}
    </section>
  );
}

const froms: Record<string, string> = {
  license: 'from the license',
  setting: 'from LICENSE_TENANT',
  'first tenant': 'the first tenant',
  allowed_domains: 'by the domain of the e-mail',
};

function placement({ placement: { tenant, from } }: Settings): string {
  const how = froms[from] ?? from;
  return from === 'allowed_domains' ? `Chosen ${how}` : `${tenant}, ${how}`;
}
