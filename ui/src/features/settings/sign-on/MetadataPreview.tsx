import { TriangleAlert } from 'lucide-react';
import { Button, Panel, dateTimeZone, plural, useNow } from '@/shared';
import { CertificateLine } from './CertificateLine';
import { titleOf } from './form';
import type { Metadata } from './types';

/** The contents of the metadata and its changes: a preview before it fills the form. */
export function MetadataPreview({
  metadata,
  name,
  onUse,
  onClose,
}: {
  metadata: Metadata;
  name: string;
  onUse: () => void;
  onClose: () => void;
}) {
  const now = useNow();
  return (
    <Panel
      className="preview"
      title={`Read from ${name}`}
      actions={
        <>
          <Button size="small" kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button size="small" kind="primary" onClick={onUse}>
            Fill the form
          </Button>
        </>
      }
    >
      <div className="pb stack tight">
        {metadata.warnings.map((warning) => (
          <p key={warning} className="hint">
            <TriangleAlert className="i" />
            {warning}
          </p>
        ))}
        <dl className="kv">
          <dt>Issuer</dt>
          <dd className="mono">{metadata.entity_id}</dd>
          <dt>Login URL</dt>
          <dd className="mono">{metadata.entry_point ?? 'none with the redirect binding'}</dd>
          {metadata.valid_until && (
            <>
              <dt>Valid until</dt>
              <dd>{dateTimeZone(metadata.valid_until, now)}</dd>
            </>
          )}
          <dt>Changes</dt>
          <dd>
            {metadata.changes.length === 0
              ? 'None: these values are set already.'
              : metadata.changes.map((change) => titleOf(change.setting)).join(', ')}
          </dd>
        </dl>
        {metadata.changes
          .filter((change) => change.before !== null && change.setting !== 'SAML_CERT')
          .map((change) => (
            <div key={change.setting} className="changed small">
              <span className="muted">Now</span>
              <span className="mono">{change.before}</span>
              <span className="muted">Then</span>
              <span className="mono">{change.after ?? 'none'}</span>
            </div>
          ))}
      </div>
      {metadata.certificates.map((certificate) => (
        <CertificateLine key={certificate.fingerprint_sha256} certificate={certificate} />
      ))}
      {metadata.certificates.length > 1 && (
        <p className="certfoot small muted">
          {plural(metadata.certificates.length, 'certificate')}: each of them is accepted, as during a rotation.
        </p>
      )}
    </Panel>
  );
}
