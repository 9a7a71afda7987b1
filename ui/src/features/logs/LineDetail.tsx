import { Link } from '@tanstack/react-router';
import { useOriginInFront } from '@/api';
import { host } from '@/host';
import { Button, CopyLink, Fact, SidePanel, Status, dateTimeZone, useNow } from '@/shared';
import { sourceOf } from './lines';
import { LineTicket } from './LineTicket';
import type { Line } from './lines';
import { levelNames, levelTones } from './words';

/** A line with its whole message and its labels, each of which finds the lines that share it. */
export function LineDetail({
  line,
  account,
  onFilter,
  ...panel
}: {
  line: Line;
  account: string;
  onFilter: (name: string, value: string) => void;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const now = useNow();
  const origin = useOriginInFront();
  const source = sourceOf(line);
  return (
    <SidePanel
      label="Log line"
      width="slim"
      tools={<CopyLink origin={origin} copy={(text) => host.copy(text)} />}
      head={
        <>
          <div className="row">
            <Status tone={levelTones[line.level]}>{levelNames[line.level]}</Status>
          </div>
          <h2 className="ttl">{dateTimeZone(line.time, now)}</h2>
        </>
      }
      actions={
        <Link
          to="/events"
          search={{ filters: [{ field: 'account', values: [account] }], ...(source ? { q: source } : {}) }}
          className="btn sm"
        >
          Events of {source || 'the account'}
        </Link>
      }
      {...panel}
    >
      <section className="sec">
        <h3>Message</h3>
        <p className="mono small wrap">{line.text}</p>
        <div className="row">
          <Button
            size="small"
            onClick={() => {
              void host.copy(line.text);
            }}
          >
            Copy message
          </Button>
        </div>
      </section>
      <LineTicket line={line} account={account} />
      <section className="sec">
        <h3>Labels</h3>
        {line.labels.length === 0 && <p className="muted">None.</p>}
        <dl className="kv">
          {line.labels.map(([name, value]) => (
            <Fact key={name} name={name}>
              <button
                type="button"
                className="bare strong"
                title={`Show lines with ${name} ${value}`}
                onClick={() => {
                  onFilter(name, value);
                }}
              >
                {value}
              </button>
            </Fact>
          ))}
        </dl>
      </section>
    </SidePanel>
  );
}
