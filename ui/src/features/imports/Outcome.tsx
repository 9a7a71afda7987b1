import type { ImportReport } from '@/api';
import { Decided, DecisionCard } from './DecisionCard';
import { StateNote } from './StateNote';
import { Sums } from './Sums';
import { sumsOf } from './sums';

/** The result of one import: state, open question, answers, and changed sums. */
export function Outcome({ id, report }: { id: string; report: ImportReport }) {
  if (!hasOutcome(report)) return null;
  const sums = sumsOf(report);
  const answers = report.answers ?? [];
  // If all answers are listed, they include that of the last question.
  const question = report.decision?.decided && answers.length > 0 ? null : report.decision;
  return (
    <div className="outcome stack">
      <StateNote report={report} />
      {answers.map((answered) => (
        <Decided key={`${answered.reason} ${answered.decided?.at ?? ''}`} decision={answered} />
      ))}
      {question && <DecisionCard id={id} name={report.file_name} decision={question} />}
      {sums && <Sums sums={sums} />}
    </div>
  );
}

/** Whether there is anything besides counts and reasons. */
export function hasOutcome(report: ImportReport): boolean {
  const stands = report.state === 'waiting_for_parts' || report.state === 'nothing_read' || report.state === 'undone';
  const isAsked = Boolean(report.decision) || (report.answers ?? []).length > 0;
  return stands || isAsked || sumsOf(report) !== null;
}
