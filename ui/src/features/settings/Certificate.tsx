import type { CertificateShown } from '@/api';
import { date, useNow } from '@/shared';
import { CopyRow } from './parts';

/** The certificate of an instance, to be compared with the operator's fingerprint. */
export function Certificate({ certificate, trusted }: { certificate: CertificateShown; trusted: boolean }) {
  const now = useNow();
  return (
    <div className="stack tight">
      <h3 className="strong">{trusted ? 'Certificate' : 'Certificate, not trusted'}</h3>
      <div className="copylist certificate">
        <CopyRow label="Subject" value={certificate.subject} />
        <CopyRow label="Issuer" value={certificate.issuer} />
        <CopyRow label="SHA-256" value={certificate.fingerprint_sha256} />
      </div>
      <p className="help">
        {!trusted && 'Before you trust its authority, compare the fingerprint with the operator of the instance. '}
        Valid {date(certificate.not_before, now)} to {date(certificate.not_after, now)}
      </p>
    </div>
  );
}
