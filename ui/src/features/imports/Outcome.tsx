import type { ImportReport } from '@/api';
import { DecisionCard } from './DecisionCard';
import { StateNote } from './StateNote';
import { Sums } from './Sums';
import { sumsOf } from './sums';

/** What came of one import, unasked: how it stands, what it asks, and what it did to the stored costs. */
export function Outcome({ id, report }: { id: string; report: ImportReport }) {
  if (!hasOutcome(report)) return null;
  const sums = sumsOf(report);
  return (
    <div className="outcome stack">
      <StateNote report={report} />
      {report.decision && <DecisionCard id={id} name={report.file_name} decision={report.decision} />}
      {sums && <Sums sums={sums} />}
    </div>
  );
}

/** Whether there is anything to say besides counts and reasons. */
export function hasOutcome(report: ImportReport): boolean {
  const stands = report.state === 'waiting_for_parts' || report.state === 'nothing_read' || report.state === 'undone';
  return stands || Boolean(report.decision) || sumsOf(report) !== null;
}
