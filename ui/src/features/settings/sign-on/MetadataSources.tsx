import { Upload } from 'lucide-react';
import { useId, useState } from 'react';
import { takesDrops } from '@/host';
import { Button, Field, FileDrop, Form } from '@/shared';
import type { MetadataSource } from './queries';

interface Reads {
  busy: boolean;
  onRead: (source: MetadataSource, from: string) => void;
}

/** A file, chosen or dropped. */
export function FromFile({ busy, onRead }: Reads) {
  const take = ([file]: File[]) => {
    if (file)
      void file.text().then((xml) => {
        onRead({ xml }, file.name);
      });
  };
  return (
    <FileDrop
      label="Metadata file of the identity provider"
      accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
      onFiles={take}
    >
      {(choose) => (
        <>
          <Button busy={busy && 'Reading'} onClick={choose}>
            <Upload className="i" />
            Choose metadata file
          </Button>
          <span className="small muted">{takesDrops && 'or drop it here. '}It stays on this instance.</span>
        </>
      )}
    </FileDrop>
  );
}

/** Its text. */
export function FromText({ busy, onRead }: Reads) {
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

/** The metadata address of the provider; the service fetches it once, on request. */
export function FromUrl({ busy, onRead }: Reads) {
  const [url, setUrl] = useState('');
  const [tried, setTried] = useState(false);
  return (
    <Form
      onSubmit={() => {
        setTried(true);
        if (url.trim()) onRead({ url: url.trim() }, url.trim());
      }}
    >
      <Field
        label="Metadata URL"
        help="Fetched once, now, by the service. Addresses inside your network are refused unless the operator of the service allows them."
        error={tried && !url.trim() ? 'Enter the address first' : undefined}
      >
        {(control) => (
          <div className="join">
            <input
              {...control}
              className="in mono grow"
              inputMode="url"
              placeholder="https://sso.example.com/metadata.xml"
              value={url}
              onChange={(event) => {
                setUrl(event.target.value);
              }}
            />
            <Button type="submit" busy={busy && 'Fetching'}>
              Fetch
            </Button>
          </div>
        )}
      </Field>
    </Form>
  );
}
