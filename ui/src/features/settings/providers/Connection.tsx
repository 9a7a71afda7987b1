import { useState } from 'react';
import { Button, Field, Segmented, dateTime, isZero, money, useNow } from '@/shared';
import type { FormProps } from './draft';
import type { FieldName, KindName, Providers } from './types';
import { exampleOf, helpOf, labelOf } from './wording';

const amazonKeys: FieldName[] = ['access_key', 'secret_key', 'session_token'];
const needed = 'Required';
const roleFields: FieldName[] = ['role', 'external_id'];

/** How one signs in with Amazon. */
type SignIn = 'machine' | 'key' | 'role';

/** Connection and credentials of a provider. */
export function Connection({ kind, all, ...form }: FormProps & { kind: KindName; all: Providers }) {
  const { provider, draft, change, problems } = form;
  const fields = all.kinds.find((one) => one.name === kind)?.fields ?? [];
  const isAmazon = fields.some((field) => field.name === 'access_key');
  const has = (names: FieldName[]) =>
    names.some((name) =>
      draft.values?.[name] === undefined ? provider.fields[name].is_set : draft.values[name] !== '',
    );
  const hasKeys = has(amazonKeys);
  const [signIn, setSignIn] = useState<SignIn>(
    has(roleFields) ? 'role' : hasKeys || !provider.test?.is_sound ? 'key' : 'machine',
  );
  const hidden = signIn === 'machine' ? [...amazonKeys, ...roleFields] : signIn === 'key' ? roleFields : [];
  const shown = fields.filter((field) => !isAmazon || !hidden.includes(field.name));
  const region = draft.values?.region ?? provider.fields.region.value;
  const line = { ...form, kind, all, region: region === null || region === '' ? undefined : region };
  return (
    <section className="form-sec" aria-label="Connection">
      <h2>Connection</h2>
      <div className="fields two">
        <Field label="Name" error={problems['name']}>
          {(control) => (
            <input
              {...control}
              className="in"
              value={draft.name ?? provider.name}
              onChange={(event) => {
                change({ name: event.target.value });
              }}
            />
          )}
        </Field>
        {shown
          .filter((field) => !isAmazon || field.name === 'region')
          .map((field) => (
            <Line key={field.name} {...line} field={field} />
          ))}
      </div>
      {isAmazon && (
        <>
          <div className="field">
            <span className="lab">Sign in with</span>
            <Segmented
              label="Sign in with"
              value={signIn}
              options={[
                { value: 'machine', label: 'Role of this machine' },
                { value: 'key', label: 'Access key' },
                { value: 'role', label: 'Assume a role' },
              ]}
              onChange={(value) => {
                setSignIn(value);
                const none = (names: FieldName[]) =>
                  has(names) ? Object.fromEntries(names.map((name) => [name, ''])) : {};
                const values = {
                  ...(value === 'machine' ? none(amazonKeys) : {}),
                  ...(value === 'role' ? {} : none(roleFields)),
                };
                if (Object.keys(values).length > 0) change({ values });
              }}
            />
            {signIn === 'machine' && (
              <span className="help">
                Keys of the environment (AWS_ACCESS_KEY_ID …), of the container, or of the machine’s role.
              </span>
            )}
          </div>
          <div className="fields two">
            {shown
              .filter((field) => field.name !== 'region')
              .map((field) => (
                <Line key={field.name} {...line} field={field} />
              ))}
          </div>
        </>
      )}
    </section>
  );
}

function Line({
  provider,
  draft,
  change,
  problems,
  kind,
  all,
  region,
  field,
}: FormProps & {
  kind: KindName;
  all: Providers;
  region: string | undefined;
  field: { name: FieldName; is_secret: boolean; is_required: boolean };
}) {
  const { name, is_secret } = field;
  const now = useNow();
  const [isLeft, setLeft] = useState(false);
  const kept = provider.fields[name];
  const drafted = draft.values?.[name];
  const label = labelOf(name, kind);
  const help = helpOf(name, kind);
  const set = (value: string | null) => {
    change({ values: { [name]: value } });
  };
  const isHidden = is_secret && kept.is_set && drafted === undefined;
  const isMissing = provider.missing.includes(name) && drafted === undefined;
  const value = drafted ?? (drafted === null ? '' : (kept.value ?? ''));
  const usual = all.kinds.find((one) => one.name === kind)?.region ?? '';
  return (
    <Field
      label={label}
      {...(kept.variable ? { setting: kept.variable } : {})}
      error={problems[name] ?? (isMissing && isLeft ? needed : undefined)}
      help={
        <>
          {isMissing && !isLeft && <span className="from">{needed}. </span>}
          {name === 'monthly_limit' && !isZero(provider.spent) && (
            <span className="from">{money(provider.spent, null)} used this month. </span>
          )}
          {help}
          {isHidden && kept.source === 'saved' && (
            <span className="from">
              {provider.updated_at &&
                `Saved ${dateTime(provider.updated_at, now)}${provider.updated_by && ` by ${provider.updated_by}`}. `}
              {all.secrets}.
            </span>
          )}
          {kept.source === 'environment' && (
            <span className="from">Set in the environment; a value saved here overrides it.</span>
          )}
          {kept.source === 'saved' && kept.variable && drafted === undefined && (
            <span className="from">
              Saved here; it overrides the environment.
              <button
                type="button"
                className="bare"
                aria-label={`Reset ${label.toLowerCase()}`}
                onClick={() => {
                  set(null);
                }}
              >
                Reset
              </button>
            </span>
          )}
          {drafted === null && <span className="from">The environment’s value applies once saved.</span>}
        </>
      }
    >
      {(control) => {
        if (isHidden)
          return (
            <div className="join">
              <input {...control} className="in mono grow" readOnly value="••••••••••••••••" />
              <Button
                aria-label={`Replace ${label.toLowerCase()}`}
                onClick={() => {
                  set('');
                }}
              >
                Replace
              </Button>
            </div>
          );
        const common = {
          ...control,
          className: 'in mono',
          value,
          spellCheck: false,
          placeholder: exampleOf(name, kind, all, region ?? usual),
          // Validated on blur, not before.
          onBlur: () => {
            setLeft(true);
          },
          onChange: (event: { target: { value: string } }) => {
            set(event.target.value);
          },
        };
        if (name === 'key' && kind === 'vertexai') return <textarea {...common} rows={4} />;
        return <input {...common} type={is_secret ? 'password' : 'text'} autoComplete="off" />;
      }}
    </Field>
  );
}
