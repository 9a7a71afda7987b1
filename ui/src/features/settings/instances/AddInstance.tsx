import { useMutation } from '@tanstack/react-query';
import { Plus, ServerOff } from 'lucide-react';
import { useState } from 'react';
import { lookAt, sendHere, useInstanceChange, useInstances } from '@/api';
import type { ApiError, Look } from '@/api';
import { Button, Field, Form, Panel, Status } from '@/shared';
import { Certificate } from '../Certificate';
import { AuthorityFile } from './AuthorityFile';
import { Colours } from './Colours';
import { PlainWarning } from './PlainWarning';
import { ProxyField } from './ProxyField';

/** Adds an instance: address, connection check, name and colour. */
export function AddInstance({ onAdded }: { onAdded: (id: string) => void }) {
  const [address, setAddress] = useState('');
  const [authorities, setAuthorities] = useState<string | undefined>();
  const [proxy, setProxy] = useState('');
  const [more, setMore] = useState(false);
  const [plain, setPlain] = useState(false);
  const [tried, setTried] = useState(false);
  const look = useMutation<Look, ApiError, { plain: boolean; authorities: string | undefined }>({
    mutationFn: (how) =>
      lookAt({
        address,
        plain_accepted: how.plain,
        ...(how.authorities ? { authorities: how.authorities } : {}),
        ...(proxy ? { proxy } : {}),
      }),
  });
  const check = (how: { plain: boolean; authorities: string | undefined } = { plain, authorities }) => {
    look.mutate(how);
  };
  const found = look.data;
  const isProxy = more && look.error?.message.includes('proxy') === true;
  return (
    <Panel title="Add an instance">
      <Form
        className="stack pad"
        onSubmit={() => {
          setTried(true);
          if (address.trim() !== '') check();
        }}
      >
        <div className="row end">
          <Field
            label="Address"
            error={
              tried && address.trim() === ''
                ? 'Enter a full URL, such as https://console.example.com'
                : look.error && look.error.code !== 'plain_http' && !isProxy
                  ? look.error.message
                  : undefined
            }
          >
            {(control) => (
              <input
                {...control}
                className="in mono"
                placeholder="https://console.example.com"
                spellCheck={false}
                value={address}
                onChange={(event) => {
                  setAddress(event.target.value);
                  setPlain(false);
                  look.reset();
                }}
              />
            )}
          </Field>
          <Button type="submit" busy={look.isPending && 'Checking'}>
            Check address
          </Button>
        </div>
        {look.error?.code === 'plain_http' && (
          <PlainWarning
            message={look.error.message}
            onAccept={() => {
              setPlain(true);
              check({ plain: true, authorities });
            }}
          />
        )}
        <div className="row wrapping">
          <AuthorityFile
            onText={(text) => {
              setAuthorities(text);
              if (address.trim() !== '') check({ plain, authorities: text });
            }}
          />
          {authorities && <Status tone="ok">Own authority is trusted for this address</Status>}
          {!more && (
            <Button
              size="small"
              kind="quiet"
              onClick={() => {
                setMore(true);
              }}
            >
              Through a proxy
            </Button>
          )}
        </div>
        {more && (
          <ProxyField
            value={proxy}
            help="http://host:port or http://name:password@host:port"
            error={isProxy ? look.error?.message : undefined}
            onChange={(value) => {
              setProxy(value);
              look.reset();
            }}
          />
        )}
        <p className="help">Sign-in happens in the system browser; Quarterdeck never sees your password there.</p>
      </Form>
      {found && (
        <Found
          found={found}
          plain={plain}
          authorities={authorities}
          proxy={proxy}
          onAdded={(id) => {
            setAddress('');
            setAuthorities(undefined);
            setProxy('');
            setTried(false);
            look.reset();
            onAdded(id);
          }}
        />
      )}
    </Panel>
  );
}

function Found({
  found,
  plain,
  authorities,
  proxy,
  onAdded,
}: {
  found: Look;
  plain: boolean;
  authorities: string | undefined;
  proxy: string;
  onAdded: (id: string) => void;
}) {
  const colours = useInstances().data?.colours ?? [];
  const [name, setName] = useState(() => new URL(found.address).hostname);
  const [colour, setColour] = useState('teal');
  const isNameless = name.trim() === '';
  const add = useInstanceChange<undefined, { id: string }>(() =>
    sendHere('POST', '/api/instances', {
      name,
      colour,
      address: found.address,
      plain_accepted: plain,
      ...(authorities ? { authorities } : {}),
      ...(proxy ? { proxy } : {}),
    }),
  );
  const [certificate] = found.certificates;
  return (
    <div className="stack pad found">
      {found.trouble ? (
        <div role="alert">
          <div className={found.trouble === 'instance_unreachable' ? 'note' : 'note bad'}>
            <ServerOff className="i" />
            <div>{found.message}</div>
          </div>
        </div>
      ) : (
        <Status tone="ok">
          Quarterdeck {found.version} answers in {found.took} ms{found.saml ? ', with single sign-on' : ''}
        </Status>
      )}
      {certificate && <Certificate certificate={certificate} trusted={found.trouble !== 'certificate'} />}
      {(!found.trouble || found.trouble === 'instance_unreachable') && (
        <Form
          className="stack"
          onSubmit={() => {
            if (isNameless) return;
            add.mutate(undefined, {
              onSuccess: ({ id }) => {
                onAdded(id);
              },
            });
          }}
        >
          <Field label="Name" error={isNameless ? 'Enter a name' : add.error?.message}>
            {(control) => (
              <input
                {...control}
                className="in"
                maxLength={60}
                value={name}
                onChange={(event) => {
                  setName(event.target.value);
                }}
              />
            )}
          </Field>
          <Colours colours={colours} value={colour} onChange={setColour} />
          <div className="row">
            <Button type="submit" kind="primary" busy={add.isPending && 'Adding'}>
              <Plus className="i" />
              Add instance
            </Button>
          </div>
        </Form>
      )}
    </div>
  );
}
