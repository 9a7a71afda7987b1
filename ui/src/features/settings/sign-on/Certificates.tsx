import { CircleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/shared';
import { CertificateLine } from './CertificateLine';
import { textOf } from './draft';
import type { FormProps } from './form';
import { useReadCertificate } from './queries';
import { Source } from './Source';

/** The certificates signatures are checked with: one, or two while the provider changes from one to the next. */
export function Certificates({ settings, view, draft, change, problem }: FormProps) {
  const [open, setOpen] = useState<'replace' | 'add' | null>(null);
  const id = useId();
  const found = view.certificates;
  const text = textOf('SAML_CERT', draft, settings);
  const error = problem('SAML_CERT');
  return (
    <div className="field" id="setting-SAML_CERT">
      <div className="lab" id={id}>
        Signing certificate
        <span className="env">SAML_CERT</span>
      </div>
      <div className="panel" role="group" aria-labelledby={id}>
        {found.map((certificate) => (
          <CertificateLine key={certificate.fingerprint_sha256} certificate={certificate}>
            {found.length > 1 && (
              <Button
                size="small"
                kind="quiet"
                aria-label={`Remove the certificate ${certificate.subject}, ${certificate.fingerprint_sha256.slice(0, 8)}`}
                onClick={() => {
                  change({
                    SAML_CERT: joined(found.filter((other) => other !== certificate).map((other) => other.pem)),
                  });
                }}
              >
                Remove
              </Button>
            )}
          </CertificateLine>
        ))}
        {found.length === 0 && text === '' && open === null && (
          <p className="certfoot muted">None yet: without one no signature can be checked, and nobody can sign in.</p>
        )}
        {open ? (
          <Paste
            adds={open === 'add'}
            onTake={(pem) => {
              change({ SAML_CERT: open === 'add' ? joined([...found.map((one) => one.pem), pem]) : pem });
              setOpen(null);
            }}
            onClose={() => {
              setOpen(null);
            }}
          />
        ) : (
          <div className="certfoot">
            <Button
              size="small"
              onClick={() => {
                setOpen('replace');
              }}
            >
              {text === '' ? 'Enter a certificate' : 'Replace…'}
            </Button>
            {found.length > 0 && (
              <Button
                size="small"
                onClick={() => {
                  setOpen('add');
                }}
              >
                Add the next one
              </Button>
            )}
            {found.length === 1 && (
              <span className="small muted">Before the provider changes it, add the next one: both count.</span>
            )}
          </div>
        )}
      </div>
      {error && (
        <span className="err">
          <CircleAlert className="i" />
          {error}
        </span>
      )}
      <span className="help">
        <Source name="SAML_CERT" {...{ settings, draft, change }} />
      </span>
    </div>
  );
}

function joined(pems: readonly string[]): string {
  return pems.map((pem) => pem.trim()).join('\n');
}

function Paste({ adds, onTake, onClose }: { adds: boolean; onTake: (pem: string) => void; onClose: () => void }) {
  const read = useReadCertificate();
  const [text, setText] = useState('');
  const id = useId();
  return (
    <div className="pb stack tight">
      <label className="lab" htmlFor={id}>
        {adds ? 'The next certificate' : 'Certificate'}
      </label>
      <textarea
        id={id}
        className="in mono paste"
        autoFocus
        spellCheck={false}
        placeholder="-----BEGIN CERTIFICATE-----"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <span className="help">PEM, with or without the BEGIN and END lines.</span>
      {read.error && (
        <span className="err" role="alert">
          <CircleAlert className="i" />
          {read.error.message}
        </span>
      )}
      <div className="row">
        <Button
          size="small"
          busy={read.isPending && 'Reading'}
          reason={text.trim() ? undefined : 'Paste the certificate first'}
          onClick={() => {
            read.mutate(text, {
              onSuccess: ({ normalized }) => {
                onTake(normalized);
              },
            });
          }}
        >
          {adds ? 'Add certificate' : 'Use certificate'}
        </Button>
        <Button size="small" kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
