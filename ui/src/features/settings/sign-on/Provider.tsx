import { FileCheck, Upload } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button, Field, Segmented } from '@/shared';
import { Certificates } from './Certificates';
import { textOf } from './draft';
import type { FormProps } from './form';
import { MetadataPreview } from './MetadataPreview';
import { useReadMetadata } from './queries';
import { Source } from './Source';
import type { SettingName } from './types';

type Way = 'file' | 'paste' | 'hand';

/** The identity provider: from its metadata, previewed before it fills anything, or by hand. */
export function Provider(props: FormProps) {
  const { settings, view, change } = props;
  const read = useReadMetadata();
  const [way, setWay] = useState<Way>(settings.configured ? 'hand' : 'file');
  const [filled, setFilled] = useState<string | null>(null);
  const [name, setName] = useState('the pasted metadata');
  const send = (source: { xml: string }, from: string) => {
    setName(from);
    setFilled(null);
    read.mutate(source);
  };
  return (
    <section className="form-sec" aria-labelledby="provider">
      <h2 id="provider">2. Identity provider</h2>
      <p className="help">
        Its metadata fills the login URL, the issuer and the certificate. You see it before it does.
      </p>
      <div className="row wrap">
        <Segmented
          label="Where the values come from"
          value={way}
          options={[
            { value: 'file', label: 'Metadata file' },
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
      {way === 'paste' && <FromText busy={read.isPending} onRead={send} />}
      {read.error && (
        <p className="err" role="alert">
          {read.error.message}
        </p>
      )}
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
          placeholder={view.values.APPAUTH_URL.value ?? window.location.origin}
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

interface Reads {
  busy: boolean;
  onRead: (source: { xml: string }, from: string) => void;
}

function FromFile({ busy, onRead }: Reads) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file)
      void file.text().then((xml) => {
        onRead({ xml }, file.name);
      });
  };
  return (
    <div
      className={over ? 'filedrop over' : 'filedrop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <Button
        busy={busy && 'Reading'}
        onClick={() => {
          input.current?.click();
        }}
      >
        <Upload className="i" />
        Choose metadata file
      </Button>
      <span className="small muted">or drop it here. It stays on this instance.</span>
      <input
        ref={input}
        type="file"
        className="sr"
        tabIndex={-1}
        aria-label="Metadata file of the identity provider"
        accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
        onChange={(event) => {
          take(event.target.files?.[0]);
          // The same file chosen again is read again.
          event.target.value = '';
        }}
      />
    </div>
  );
}

function FromText({ busy, onRead }: Reads) {
  const [xml, setXml] = useState('');
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Metadata, as XML</label>
      <textarea
        id={id}
        className="in mono paste"
        spellCheck={false}
        placeholder="<EntityDescriptor …"
        value={xml}
        onChange={(event) => {
          setXml(event.target.value);
        }}
      />
      <div>
        <Button
          size="small"
          busy={busy && 'Reading'}
          reason={xml.trim() ? undefined : 'Paste the metadata first'}
          onClick={() => {
            onRead({ xml }, 'The pasted metadata');
          }}
        >
          Read metadata
        </Button>
      </div>
    </div>
  );
}
