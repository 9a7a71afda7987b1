import { FileCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useOriginInFront } from '@/api';
import type { ApiError } from '@/api';
import { Button, Field, Segmented } from '@/shared';
import { Certificates } from './Certificates';
import { textOf } from './draft';
import type { FormProps } from './form';
import { MetadataPreview } from './MetadataPreview';
import { FromFile, FromText, FromUrl } from './MetadataSources';
import { useReadMetadata } from './queries';
import type { MetadataSource } from './queries';
import { Source } from './Source';
import type { SettingName } from './types';

type Way = 'file' | 'url' | 'paste' | 'hand';

/** The identity provider: from its metadata, with a preview, or by hand. */
export function Provider(props: FormProps) {
  const { settings, view, change } = props;
  const read = useReadMetadata();
  const origin = useOriginInFront();
  const [way, setWay] = useState<Way>(settings.configured ? 'hand' : 'file');
  const [filled, setFilled] = useState<string | null>(null);
  const [name, setName] = useState('the pasted metadata');
  const send = (source: MetadataSource, from: string) => {
    setName(from);
    setFilled(null);
    read.mutate(source);
  };
  return (
    <section className="form-sec" aria-labelledby="provider">
      <h2 id="provider">2. Identity provider</h2>
      <p className="help">Its metadata fills the login URL, the issuer and the certificate. Review before applying.</p>
      <div className="row wrap">
        <Segmented
          label="Source of the values"
          value={way}
          options={[
            { value: 'file', label: 'Metadata file' },
            { value: 'url', label: 'Metadata URL' },
            { value: 'paste', label: 'Paste' },
            { value: 'hand', label: 'Enter by hand' },
          ]}
          onChange={(next) => {
            setWay(next);
            read.reset();
          }}
        />
      </div>
      {way === 'file' && <FromFile busy={read.isPending} onRead={send} />}
      {way === 'url' && <FromUrl busy={read.isPending} onRead={send} />}
      {way === 'paste' && <FromText busy={read.isPending} onRead={send} />}
      {read.error && <Trouble error={read.error} source={read.variables} onRead={send} />}
      {read.data && way !== 'hand' && (
        <MetadataPreview
          metadata={read.data}
          name={name}
          onUse={() => {
            change(read.data.values);
            setFilled(name);
            read.reset();
          }}
          onClose={() => {
            read.reset();
          }}
        />
      )}
      {filled && (
        <p className="row small muted" role="status">
          <FileCheck className="i s" />
          {filled} filled in the login URL, issuer and certificate. Nothing is saved yet.
        </p>
      )}
      <Setting
        {...props}
        name="SAML_ENTRY_POINT"
        label="Login URL"
        placeholder="https://sso.example.com/saml2/idp/sso"
      />
      <div className="fields two">
        <Setting {...props} name="SAML_ISSUER" label="Issuer" placeholder="https://sso.example.com/saml2/idp" />
        <Setting
          {...props}
          name="SAML_AUDIENCE"
          label="Audience"
          placeholder={view.values.APPAUTH_URL.value ?? origin ?? ''}
        />
      </div>
      <Certificates {...props} />
    </section>
  );
}

function Setting({
  name,
  label,
  placeholder,
  settings,
  draft,
  change,
  problem,
}: FormProps & { name: SettingName; label: string; placeholder: string }) {
  return (
    <div id={`setting-${name}`}>
      <Field
        label={label}
        setting={name}
        error={problem(name)}
        help={<Source {...{ name, settings, draft, change }} />}
      >
        {(control) => (
          <input
            {...control}
            className="in mono"
            placeholder={placeholder}
            value={textOf(name, draft, settings)}
            onChange={(event) => {
              change({ [name]: event.target.value });
            }}
          />
        )}
      </Field>
    </div>
  );
}

/** Why nothing was read; an address without encryption can be agreed to. */
function Trouble({
  error,
  source,
  onRead,
}: {
  error: ApiError;
  source: MetadataSource;
  onRead: (source: MetadataSource, from: string) => void;
}) {
  if (error.code !== 'plain_http' || !('url' in source))
    return (
      <p className="err" role="alert">
        {error.message}
      </p>
    );
  return (
    <div className="note warn" role="alert">
      <TriangleAlert className="i" />
      <div className="grow">{error.message}</div>
      <Button
        size="small"
        onClick={() => {
          onRead({ url: source.url, confirm: true }, source.url);
        }}
      >
        Fetch anyway
      </Button>
    </div>
  );
}
