import type { Numeric } from '@/shared';

/** The mark of the request is at this percentage of the width. */
const tick = 72;

/** Usage compared with the request. Without a measurement, request and limit in words. */
export function Use({
  used,
  request,
  limit,
  format,
}: {
  used: number | null;
  request: Numeric | null;
  limit: Numeric | null;
  format: (value: Numeric | null) => string;
}) {
  if (used === null)
    return (
      <span className="num">
        {request === null ? <span className="st warn">no request</span> : format(request)}
        <span className="small muted block">{limit === null ? 'no limit' : `limit ${format(limit)}`}</span>
      </span>
    );
  const share = request === null || Number(request) === 0 ? null : used / Number(request);
  const width = share === null ? 50 : Math.min(100, share * tick);
  return (
    <span className="num">
      <span className={share === null ? 'usebar none' : share > 0.95 ? 'usebar over' : 'usebar'} aria-hidden="true">
        <span style={{ width: `${String(width)}%` }} />
      </span>
      <span className="small">
        {request === null ? (
          <span className="st warn">no request, uses {format(used)}</span>
        ) : (
          <>
            {format(used)} of {format(request)} <span className="muted">{Math.round((share ?? 0) * 100)}%</span>
          </>
        )}
      </span>
    </span>
  );
}
