import { dateOf } from '@/shared';
import { dueWords, standingWords } from './approval';
import type { Approval } from './queries';

/** The questions, one button each. */
export function ApprovalList({
  rows,
  openId,
  now,
  onOpen,
}: {
  rows: readonly Approval[];
  openId: string | undefined;
  now: Date;
  onOpen: (approval: Approval) => void;
}) {
  const mine = rows.filter((row) => row.may_answer).length;
  const isOpen = rows.some(({ status }) => status === 'OPEN');
  return (
    <section className="list" aria-label="List of approvals">
      {isOpen && (
        <div className="head">
          <b className="num">{mine}</b>&nbsp;<span className="muted">{mine === 1 ? 'waits' : 'wait'} for you</span>
        </div>
      )}
      {rows.map((row) => (
        <button
          key={row.id}
          type="button"
          className="ap"
          aria-current={row.id === openId ? 'true' : undefined}
          onClick={() => {
            onOpen(row);
          }}
        >
          <b className="cut block" title={row.message}>
            {row.message}
          </b>
          <span className="split">
            <span className="small muted cut">{row.workflow_name}</span>
            <span className="small muted num">{dateOf(row.asked_at, now)}</span>
          </span>
          <span className="small">
            {standingWords(row)}
            {row.status === 'OPEN' && row.due_at !== null && (
              <span className="muted">, {dueWords(row.due_at, now)}</span>
            )}
          </span>
        </button>
      ))}
      {rows.length === 0 && <p className="muted none">No approval has this text. Clear the filter to see all.</p>}
    </section>
  );
}
