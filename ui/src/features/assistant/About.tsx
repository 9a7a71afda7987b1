import { Link } from '@tanstack/react-router';
import { Eye, ShieldCheck, X } from 'lucide-react';
import { useState } from 'react';
import { request } from '@/api';
import { Button, Dialog, bytes, dateTime, plural, toast, useNow } from '@/shared';
import { sizeOf } from './answer';
import { EvidenceChip, hashOf } from './EvidenceChip';
import { Sent } from './queries';
import type { Evidence, SentLine } from './types';

/** Next to an answer: the data that was sent, and the evidence. */
export function AboutAnswer({
  account,
  sent,
  references,
  isOver,
  onClose,
}: {
  account: string;
  sent: readonly SentLine[];
  references: readonly Evidence[];
  /** Whether it covers the conversation, where there is no room next to it. */
  isOver: boolean;
  onClose: () => void;
}) {
  const [shown, setShown] = useState<string | null>(null);
  const now = useNow();
  const left = sent.filter((line) => line.left_machine);
  const replaced = Math.max(0, ...sent.map((line) => line.replaced_names));
  const show = (id: string) => {
    request(Sent, { account, id })
      .then(({ ai_list_sent: lines }) => {
        setShown(lines?.data?.[0]?.payload ?? '');
      })
      .catch((error: unknown) => {
        toast({ tone: 'bad', text: (error as Error).message });
      });
  };
  return (
    <aside
      className={isOver ? 'drawer slim over' : 'drawer slim'}
      aria-label="About this answer"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOver) onClose();
      }}
    >
      {isOver && (
        <div className="dh row">
          <b className="grow">About this answer</b>
          <Button size="small" kind="quiet" iconOnly aria-label="Close" autoFocus onClick={onClose}>
            <X className="i s" />
          </Button>
        </div>
      )}
      <div className="db stack">
        <section className="sec">
          <h2>
            <ShieldCheck className="i" />
            What left this machine
            <span className="end small muted num">{left.length > 0 ? bytes(sizeOf(left)) : 'nothing'}</span>
          </h2>
          {sent.length > 0 && (
            <div className="panel lines">
              {sent.map((line) => (
                <div className="row" key={line.id}>
                  <span className="grow">
                    <span className="cut">{line.left_machine ? `To ${line.host}` : 'Stayed on this machine'}</span>
                    <span className="small muted">
                      {dateTime(line.sent_at, now)}, {line.model}
                    </span>
                  </span>
                  <span className="small muted num nowrap">{bytes(line.size_bytes)}</span>
                  <Button
                    size="small"
                    kind="quiet"
                    iconOnly
                    aria-label="Show exact text"
                    onClick={() => {
                      show(line.id);
                    }}
                  >
                    <Eye className="i s" />
                  </Button>
                </div>
              ))}
            </div>
          )}
          <p className="help">
            {sent.length === 0
              ? 'No questions yet. Every request is recorded here before it is sent.'
              : left.length === 0
                ? 'The model runs on this machine.'
                : `${plural(replaced, 'name')} replaced before sending and put back in the answer.`}
          </p>
          <p className="row small">
            <Link to="/settings/privacy">Replacement rules</Link>
            <Link to="/settings/privacy" search={{ tab: 'sent', account }}>
              Everything sent
            </Link>
          </p>
        </section>
        <section className="sec">
          <h2>Evidence</h2>
          {references.length > 0 && (
            <div className="panel lines">
              {references.map((evidence) => (
                <div className="row start" key={evidence.id}>
                  <EvidenceChip id={evidence.id} evidence={evidence} isListed />
                  <span className="grow">
                    <span className="cut">{evidence.title}</span>
                    <span className="small muted">
                      {evidence.of}, {plural(evidence.rows, 'row')}
                    </span>
                  </span>
                  {evidence.query && (
                    <Link className="small nowrap" to="/api-explorer" hash={hashOf(evidence)}>
                      Run again
                    </Link>
                  )}
                </div>
              ))}
            </div>
          )}
          <p className="help">Each sentence with a figure names its evidence. Sentences without evidence are marked.</p>
        </section>
      </div>
      {shown !== null && (
        <Dialog
          open
          title="Exact text"
          onClose={() => {
            setShown(null);
          }}
        >
          <pre className="payload">{pretty(shown)}</pre>
        </Dialog>
      )}
    </aside>
  );
}

export function pretty(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
