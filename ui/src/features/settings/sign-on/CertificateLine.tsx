import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Status, date, plural, useNow } from '@/shared';
import type { Certificate } from './types';

/** A certificate with subject, validity, fingerprint and remaining days. */
export function CertificateLine({ certificate, children }: { certificate: Certificate; children?: ReactNode }) {
  const now = useNow();
  return (
    <div className="cert">
      <div className="row wrap">
        <BadgeCheck className="i" />
        <div className="grow">
          <div className="strong cut" title={certificate.subject}>
            {certificate.subject}
          </div>
          <div className="small muted">
            Valid {date(certificate.not_before, now)} to {date(certificate.not_after, now)}, {certificate.key},{' '}
            {certificate.signature}
            {!certificate.self_signed && `, issued by ${certificate.issuer}`}
          </div>
        </div>
        <Left certificate={certificate} />
        {children}
      </div>
      <div className="mono print" title="SHA-256 fingerprint">
        {certificate.fingerprint_sha256}
      </div>
    </div>
  );
}

function Left({ certificate: { state, days_left: days } }: { certificate: Certificate }) {
  if (state === 'not_yet_valid') return <Status tone="warn">Not valid yet</Status>;
  if (state === 'error') return <Status tone="bad">Expired {plural(-days, 'day')} ago</Status>;
  if (days === 0) return <Status tone="warn">Last day</Status>;
  return <Status tone={state === 'warning' ? 'warn' : 'ok'}>{plural(days, 'day')} left</Status>;
}
