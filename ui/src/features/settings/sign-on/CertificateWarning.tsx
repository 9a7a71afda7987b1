import { OctagonX, TriangleAlert } from 'lucide-react';
import { dateTimeZone, plural, useNow } from '@/shared';
import { goTo } from './form';
import type { Certificate } from './types';

/** Warns that sign-ins fail or will fail: when no certificate is valid for longer than 30 days. */
export function CertificateWarning({ certificates }: { certificates: readonly Certificate[] }) {
  const now = useNow();
  const longest = [...certificates].sort((a, b) => b.days_left - a.days_left)[0];
  if (!longest || longest.state === 'healthy' || longest.state === 'not_yet_valid') return null;
  const over = longest.state === 'error';
  const end = dateTimeZone(longest.not_after, now);
  return (
    <div className={over ? 'note bad' : 'note warn'} role="status">
      {over ? <OctagonX className="i" /> : <TriangleAlert className="i" />}
      <div className="grow">
        <div className="t">
          {over
            ? 'The certificate has expired'
            : `Certificate expires in ${longest.days_left === 0 ? 'less than a day' : plural(longest.days_left, 'day')}`}
        </div>
        <div className="muted">
          {over ? `SAML sign-in fails since ${end}.` : `SAML sign-in fails after ${end}.`} Import the provider’s
          metadata again, or replace the certificate.
        </div>
      </div>
      <button
        type="button"
        className="bare textlink"
        onClick={() => {
          goTo('setting-SAML_CERT');
        }}
      >
        Go to certificate
      </button>
    </div>
  );
}
