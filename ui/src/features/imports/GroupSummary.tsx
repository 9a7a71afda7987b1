import { plural } from '@/shared';
import { DecisionCard } from './DecisionCard';
import { perDelivery, reportsOf } from './groups';
import { StateNote } from './StateNote';
import { Sums } from './Sums';
import { together } from './sums';
import type { Work } from './work';

/** The combined result of several files: open questions, missing parts, and changed sums. */
export function GroupSummary({ works }: { works: readonly Work[] }) {
  const reports = reportsOf(works);
  const deliveries = perDelivery(reports);
  const asking = deliveries.filter(({ report }) => report.decision);
  const incomplete = deliveries.filter(({ report }) => report.state === 'waiting_for_parts');
  const sums = together(reports.map(({ report }) => report));
  if (!sums && asking.length === 0 && incomplete.length === 0) return null;
  return (
    <section className="outcome stack" aria-label={`${plural(works.length, 'file')} together`}>
      {incomplete.map(({ id, report }) => (
        <StateNote key={id} report={report} />
      ))}
      {asking.map(
        ({ id, report }) =>
          report.decision && <DecisionCard key={id} id={id} name={report.file_name} decision={report.decision} />,
      )}
      {sums && <Sums sums={sums} files={reports.length} />}
    </section>
  );
}
