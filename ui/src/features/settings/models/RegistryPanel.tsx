import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button, Field, Form, Panel, Status, toast } from '@/shared';
import { Certificate } from '../Certificate';
import { useRegistryLook, useSaveSettings } from './queries';
import type { Models, Setting, SettingName } from './types';

/** The registry of models and its license key. */
export function RegistryPanel({ settings, secrets, isSet }: Pick<Models, 'settings' | 'secrets'> & { isSet: boolean }) {
  const [draft, setDraft] = useState<Partial<Record<SettingName, string>>>({});
  const [open, setOpen] = useState(false);
  const save = useSaveSettings();
  const names = Object.keys(draft) as SettingName[];
  const set = (name: SettingName, value: string) => {
    setDraft((old) => ({ ...old, [name]: value }));
  };
  const submit = () => {
    save.mutate(draft, {
      onSuccess: () => {
        setDraft({});
        toast({ tone: 'ok', text: 'Saved the registry' });
      },
    });
  };
  const takeBack = (name: SettingName) => {
    save.mutate(
      { [name]: null },
      {
        onSuccess: () => {
          setDraft((old) => Object.fromEntries(Object.entries(old).filter(([other]) => other !== name)));
        },
      },
    );
  };
  const line = { settings, secrets, draft, set, takeBack, problems: problemsOf(save.error?.details) };
  const look = useRegistryLook(isSet);
  return (
    <Panel title="Registry" padded actions={isSet && <Standing look={look} />}>
      <Form
        className="fields one"
        onSubmit={() => {
          if (names.length > 0) submit();
        }}
      >
        <Line {...line} name="MODEL_REGISTRY_URL" label="Address" placeholder="https://models.example.com" />
        <Line
          {...line}
          name="LICENSE_KEY"
          label="License key"
          help="Sent as a bearer token to this address only. Never shown again."
        />
        {isSet && <Found look={look} />}
        <details
          open={open}
          onToggle={(event) => {
            setOpen(event.currentTarget.open);
          }}
        >
          <summary>Network and limits</summary>
          <div className="fields one">
            <Line {...line} name="MODEL_MAX_BYTES_PER_SECOND" label="Bytes per second" help="0: no limit." />
            <Line {...line} name="MODEL_CONNECTIONS" label="Connections of one download" />
            <Line {...line} name="MODEL_PROXY" label="Proxy" placeholder="http://proxy.example.com:3128" />
            <Line {...line} name="MODEL_NO_PROXY" label="Hosts without the proxy" />
            <Line
              {...line}
              name="MODEL_CA"
              label="Certificates of your own authorities"
              help="PEM, or the path of a PEM file on the machine of the service."
              long
            />
            <Line
              {...line}
              name="MODEL_CLIENT_KEYS"
              label="License keys of other machines"
              help="Separated by commas. With one of these, or its own key, another machine downloads from this one at /downloads/models."
            />
          </div>
        </details>
        {save.error && Object.keys(line.problems).length === 0 && (
          <div role="alert" className="refusal">
            <Status tone="bad">{save.error.message}</Status>
          </div>
        )}
        {names.length > 0 && (
          <div className="row">
            <Button kind="primary" type="submit" busy={save.isPending && 'Saving'}>
              Save registry
            </Button>
            <Button
              onClick={() => {
                setDraft({});
                save.reset();
              }}
            >
              Discard
            </Button>
          </div>
        )}
      </Form>
    </Panel>
  );
}

type LookQuery = ReturnType<typeof useRegistryLook>;

/** Whether the registry responds and accepts the key, with a button to check again. */
function Standing({ look }: { look: LookQuery }) {
  const { data, error, isFetching } = look;
  return (
    <>
      {isFetching ? (
        <Status tone="info">Checking</Status>
      ) : data && !data.trouble ? (
        <Status tone="ok">Reachable</Status>
      ) : (
        (data ?? error) && <Status tone="bad">{troubles[data?.trouble?.kind ?? ''] ?? 'Not reachable'}</Status>
      )}
      <Button
        size="small"
        kind="quiet"
        iconOnly
        aria-label="Check the registry again"
        disabled={isFetching}
        onClick={() => {
          void look.refetch();
        }}
      >
        <RefreshCw className="i s" />
      </Button>
    </>
  );
}

const troubles: Record<string, string> = { key_refused: 'Key refused', refused: 'Refused' };

/** The problem, and the certificate received. */
function Found({ look }: { look: LookQuery }) {
  const { data, error } = look;
  const message = error?.message ?? data?.trouble?.message;
  const [certificate] = data?.certificates ?? [];
  const isTrusted = data?.trouble?.kind !== 'unreachable';
  return (
    <>
      {message && (
        <div role="alert" className="refusal">
          <Status tone="bad">{message}</Status>
        </div>
      )}
      {data && !data.trouble && !data.encrypted && (
        <p className="help">Not encrypted: anyone on the network path to {data.host} can read the key.</p>
      )}
      {certificate && (
        <details open={!isTrusted}>
          <summary>Certificate seen</summary>
          <Certificate certificate={certificate} trusted={isTrusted} />
        </details>
      )}
    </>
  );
}

/** Validation problems of the service, by field. */
function problemsOf(details: unknown): Partial<Record<string, string>> {
  const listed = (details as { problems?: { setting: string; message: string }[] } | undefined)?.problems ?? [];
  return Object.fromEntries(listed.map(({ setting, message }) => [setting, message]));
}

function Line({
  settings,
  secrets,
  draft,
  set,
  takeBack,
  problems,
  name,
  label,
  help,
  placeholder,
  long = false,
}: {
  settings: Models['settings'];
  secrets: string | null;
  draft: Partial<Record<SettingName, string>>;
  set: (name: SettingName, value: string) => void;
  takeBack: (name: SettingName) => void;
  problems: Partial<Record<string, string>>;
  name: SettingName;
  label: string;
  help?: string;
  placeholder?: string;
  long?: boolean;
}) {
  const setting = settings[name];
  const drafted = draft[name];
  const isHidden = setting.is_secret && setting.is_set && drafted === undefined;
  const shown = drafted ?? setting.value ?? '';
  const change = (event: { target: { value: string } }) => {
    set(name, event.target.value);
  };
  return (
    <Field
      label={label}
      setting={name}
      // A problem of the saved value does not apply to the typed one.
      error={problems[name] ?? (drafted === undefined ? (setting.problem ?? undefined) : undefined)}
      help={
        <>
          {help}
          <Source
            setting={setting}
            secrets={secrets}
            label={label}
            onTakeBack={() => {
              takeBack(name);
            }}
          />
        </>
      }
    >
      {(control) => {
        if (isHidden)
          return (
            <div className="join">
              <input {...control} className="in mono grow" readOnly value={`••••••••••••${setting.ends_with ?? ''}`} />
              <Button
                aria-label={`Replace ${label.toLowerCase()}`}
                onClick={() => {
                  set(name, '');
                }}
              >
                Replace
              </Button>
            </div>
          );
        if (long) return <textarea {...control} className="in mono" rows={3} value={shown} onChange={change} />;
        return (
          <input
            {...control}
            className="in mono"
            type={setting.is_secret ? 'password' : 'text'}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={shown}
            onChange={change}
          />
        );
      }}
    </Field>
  );
}

/** The source of a value, with a button to reset it to the environment's value. */
function Source({
  setting,
  secrets,
  label,
  onTakeBack,
}: {
  setting: Setting;
  secrets: string | null;
  label: string;
  onTakeBack: () => void;
}) {
  if (setting.source === 'environment')
    return <span className="from">Set in the environment; a value saved here overrides it.</span>;
  if (setting.source === 'default') return null;
  return (
    <span className="from">
      {setting.is_secret && setting.is_set && secrets ? secrets : 'Saved here'}.
      <button type="button" className="bare" aria-label={`Reset ${label.toLowerCase()}`} onClick={onTakeBack}>
        Reset
      </button>
    </span>
  );
}
