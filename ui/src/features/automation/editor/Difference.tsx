import { useMemo } from 'react';
import { differenceOf } from './difference';

/** The line-by-line difference of two texts. */
export function Difference({
  before,
  after,
  same,
  label,
}: {
  before: string;
  after: string;
  /** The text shown if nothing differs. */
  same: string;
  label: string;
}) {
  const lines = useMemo(() => differenceOf(before, after), [before, after]);
  if (lines.length === 0) return <p className="muted">{same}</p>;
  return (
    <pre className="wf-log wf-difference" tabIndex={0} aria-label={label}>
      {lines.map(({ sign, text }, at) => (
        <span key={at} className={sign === '+' ? 'line new' : sign === '-' ? 'line old' : 'line'}>
          {`${sign}${text}`}
        </span>
      ))}
    </pre>
  );
}
