import { CircleCheck, OctagonX, Zap } from 'lucide-react';
import { useState } from 'react';
import { useWhyNot } from '@/api';
import { Button, Check, Field, Form, Panel, problemSentence, toast, useNow, utcTimeHere } from '@/shared';
import { useAdminOnly } from '../adminOnly';
import { Switch } from '../parts';
import { draftOf, missing, savedOf, usualPort } from './form';
import type { Draft } from './form';
import { useSaveChannel, useTestChannel } from './queries';
import type { Channel } from './queries';
import { kinds, subjects, words } from './words';
import type { KindName } from './words';

type TextName =
  'name' | 'host' | 'port' | 'username' | 'password' | 'sender' | 'url' | 'key' | 'quietFrom' | 'quietUntil';

/** Adds, edits and tests a channel. The secret is write-only. */
export function ChannelForm({ channel, onDone }: { channel: Channel | null; onDone: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(channel));
  const [tried, setTried] = useState(false);
  const save = useSaveChannel();
  const test = useTestChannel();
  const whyNot = useWhyNot();
  const now = useNow();
  const adminOnly = useAdminOnly();
  const kind = kinds.find((one) => one.name === draft.kind);
  const lacks = missing(draft, channel);
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    test.reset();
    save.reset();
  };
  const submit = (button?: string) => {
    setTried(true);
    if (Object.keys(lacks).length > 0) return;
    if (button === 'test') {
      test.mutate(savedOf(draft, channel));
      return;
    }
    save.mutate(savedOf(draft, channel), {
      onSuccess: () => {
        toast({ tone: 'ok', text: channel ? `Saved ${draft.name}` : `Added ${draft.name}` });
        onDone();
      },
    });
  };
  const text = (name: TextName, label: string, help: string, placeholder = '') => {
    const isSecret = name === 'password' || name === 'key' || name === 'url';
    return (
      <Field label={label} help={help} error={tried ? lacks[name] : undefined}>
        {(control) => (
          <input
            {...control}
            className={name === 'name' ? 'in' : 'in mono'}
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            placeholder={placeholder}
            value={draft[name]}
            onChange={(event) => {
              change({ [name]: event.target.value });
            }}
          />
        )}
      </Field>
    );
  };
  const kept = channel ? words.secretKept : words.secretNew;
  const hook = kind && 'url' in kind ? kind.url : undefined;
  return (
    <Panel title={channel ? `Change ${channel.name}` : words.addChannel} padded>
      <Form className="fields" onSubmit={submit}>
        {!channel && (
          <Field label="Kind">
            {(control) => (
              <select
                {...control}
                className="sel"
                value={draft.kind}
                onChange={(event) => {
                  change({ kind: event.target.value as KindName });
                }}
              >
                {kinds.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {text('name', 'Name', 'A display name.', 'For example FinOps team')}
        {hook ? (
          <>
            {text('url', hook.label, `${hook.help} ${kept}`, channel ? `•••••••• at ${channel.target}` : hook.example)}
            {draft.kind === 'webhook' &&
              text('key', 'Signing key', `Optional. Signs each message in the header X-Quarterdeck-Signature. ${kept}`)}
          </>
        ) : (
          <Mail draft={draft} change={change} text={text} lacks={tried ? lacks : {}} kept={kept} isNew={!channel} />
        )}
        <fieldset className="field">
          <legend>Subjects</legend>
          {subjects.map((subject) => (
            <div key={subject.name} className="subject">
              <Check
                label={subject.title}
                checked={draft.subjects.includes(subject.name)}
                onChange={(checked) => {
                  const others = draft.subjects.filter((name) => name !== subject.name);
                  change({ subjects: checked ? [...others, subject.name] : others });
                }}
              />
              <span className="help">{subject.help}</span>
            </div>
          ))}
        </fieldset>
        <div className="two-fields">
          {text('quietFrom', 'Quiet from, UTC', utcTimeHere(draft.quietFrom, now) ?? '', '22:00')}
          {text('quietUntil', 'Quiet until, UTC', utcTimeHere(draft.quietUntil, now) ?? '', '07:00')}
        </div>
        <span className="help">{words.quietHelp}</span>
        <Switch
          label="Send notices there"
          on={draft.isActive}
          onChange={(isActive) => {
            change({ isActive });
          }}
        >
          While it is off, notices for it are dropped.
        </Switch>
        <Outcome
          good={test.data?.success ? words.tested : undefined}
          bad={test.data?.error ?? test.error?.message ?? save.error?.message}
        />
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            busy={save.isPending && 'Saving'}
            reason={adminOnly ?? whyNot({ fields: ['notice_channel_save'] })}
          >
            {channel ? 'Save channel' : 'Add channel'}
          </Button>
          <Button
            type="submit"
            name="test"
            busy={test.isPending && 'Sending'}
            reason={adminOnly ?? whyNot({ fields: ['notice_channel_test'] })}
          >
            <Zap className="i" />
            Send test message
          </Button>
          {channel && (
            <Button kind="quiet" onClick={onDone}>
              Cancel
            </Button>
          )}
        </div>
      </Form>
    </Panel>
  );
}

function Mail({
  draft,
  change,
  text,
  lacks,
  kept,
  isNew,
}: {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  text: (name: TextName, label: string, help: string, placeholder?: string) => React.ReactNode;
  lacks: Partial<Record<keyof Draft, string>>;
  kept: string;
  isNew: boolean;
}) {
  return (
    <>
      {text('host', 'Mail server', 'The SMTP server for outgoing mail.', 'smtp.example.com')}
      <Field label="Security">
        {(control) => (
          <select
            {...control}
            className="sel"
            value={draft.security}
            onChange={(event) => {
              const security = event.target.value;
              const isUsual = draft.port === usualPort[draft.security];
              change({ security, ...(isUsual ? { port: usualPort[security] ?? draft.port } : {}) });
            }}
          >
            <option value="starttls">STARTTLS (port 587)</option>
            <option value="tls">TLS (port 465)</option>
            <option value="none">None: only without a user name</option>
          </select>
        )}
      </Field>
      {text('port', 'Port', 'Change it if your server uses another port.')}
      {text('username', 'User name', 'Leave empty for a server without sign-in.')}
      {draft.username.trim() !== '' && text('password', 'Password', kept, isNew ? '' : '••••••••')}
      {text('sender', 'From', 'The address messages come from.', 'Quarterdeck <costs@example.com>')}
      <Field label="To" help="One address per line. Recipients see each other." error={lacks.recipients}>
        {(control) => (
          <textarea
            {...control}
            className="in mono"
            rows={3}
            value={draft.recipients}
            onChange={(event) => {
              change({ recipients: event.target.value });
            }}
          />
        )}
      </Field>
    </>
  );
}

/** The result of a test, as reported by the channel. */
function Outcome({ good, bad }: { good: string | undefined; bad: string | undefined }) {
  const [tone, Icon] = bad ? (['bad', OctagonX] as const) : (['ok', CircleCheck] as const);
  return (
    <div role="status">
      {(bad ?? good) && (
        <span className={`st plain wrap ${tone}`}>
          <Icon className="i" />
          <span>{bad === undefined ? good : problemSentence(bad)}</span>
        </span>
      )}
    </div>
  );
}
