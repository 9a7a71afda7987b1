import { useDeferredValue, useState } from 'react';
import { useSamlHealth } from '@/api';
import type { SamlHealth } from '@/api';
import { Content, Field, Panel, Status } from '@/shared';
import { CopyButton } from '../parts';

const tones = { healthy: 'ok', warning: 'warn', error: 'bad' } as const;
const words = { healthy: 'Healthy', warning: 'Warning', error: 'Error' } as const;

/** The health report of single sign-on for today or a future day: the state depends on time only. */
export function CertificateClock({ today }: { today: SamlHealth }) {
  const [day, setDay] = useState('');
  const asked = useDeferredValue(day);
  const wanted = /^\d{4}-\d\d-\d\d$/.test(asked) ? asked : null;
  const report = useSamlHealth(wanted);
  const shown = wanted === null ? today : report.data;
  const path = `/api/auth/saml/health${wanted ? `?at=${wanted}` : ''}`;
  const ends = today.certificate.expiresAt?.slice(0, 10);
  return (
    <Panel
      title="SAML health report"
      meta={
        shown &&
        (shown.enabled ? (
          <Status tone={tones[shown.status]}>{words[shown.status]}</Status>
        ) : (
          <Status tone="off">Off</Status>
        ))
      }
      actions={shown && <CopyButton text={JSON.stringify(shown, null, 2)} label="report" iconOnly />}
    >
      <div className="pb stack tight">
        <Field label="Report for" help="Leave empty for today.">
          {(control) => (
            <div className="row wrap">
              <input
                {...control}
                className="in day"
                type="date"
                value={day}
                onChange={(event) => {
                  setDay(event.target.value);
                }}
              />
              {ends && (
                <>
                  <button
                    type="button"
                    className="chip"
                    onClick={() => {
                      setDay(shifted(ends, -30));
                    }}
                  >
                    30 days before expiry
                  </button>
                  <button
                    type="button"
                    className="chip"
                    onClick={() => {
                      setDay(shifted(ends, 1));
                    }}
                  >
                    Day after expiry
                  </button>
                </>
              )}
            </div>
          )}
        </Field>
        <div className="small muted row wrap">
          <span className="tag">GET</span>
          <span className="mono">{path}</span>
        </div>
      </div>
      <Content of={{ ...report, data: shown }} what="The report could not be read">
        {(found) => <Json value={found} />}
      </Content>
    </Panel>
  );
}

/** The day so many days later. */
function shifted(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
}

const parts = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+/g;

/** JSON with syntax highlighting. */
function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  const pieces: { text: string; look?: string }[] = [];
  let at = 0;
  for (const found of text.matchAll(parts)) {
    const [whole, quoted, colon] = found;
    if (found.index > at) pieces.push({ text: text.slice(at, found.index) });
    pieces.push({ text: whole, look: quoted ? (colon ? 'k' : 's') : /\d/.test(whole) ? 'nn' : 'v' });
    at = found.index + whole.length;
  }
  pieces.push({ text: text.slice(at) });
  return (
    <pre className="code" tabIndex={0} aria-label="The report as JSON">
      {pieces.map((piece, index) => (
        <span key={index} className={piece.look}>
          {piece.text}
        </span>
      ))}
    </pre>
  );
}
