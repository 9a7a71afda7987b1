import { SearchX } from 'lucide-react';
import type { CostDays } from '@/api';
import { Button, Empty, range, useToday } from '@/shared';
import type { Change } from './Explorer';
import type { Ask } from './load';
import { usualRange } from './period';

/** Empty state of a query without results: names the part that excludes everything and offers the nearest query with results. */
export function NoMatch({ ask, extent, change }: { ask: Ask; extent: CostDays; change: Change }) {
  const usual = usualRange(extent);
  const now = useToday();
  const outside = ask.range.to < extent.from || ask.range.from > extent.last;
  const narrowed = ask.filters.length > 0 || ask.currency !== undefined;
  return (
    <Empty
      icon={SearchX}
      title={narrowed ? 'No costs match' : `No costs in ${range(ask.range.from, ask.range.to, now)}`}
      action={
        <>
          {narrowed && (
            <Button
              onClick={() => {
                change({ filters: undefined, currency: undefined });
              }}
            >
              Remove the filters
            </Button>
          )}
          {(outside || !narrowed) && (
            <Button
              onClick={() => {
                change({ from: usual.from, to: usual.to });
              }}
            >
              Show {range(usual.from, usual.to, now)}
            </Button>
          )}
        </>
      }
    >
      Imported costs cover {range(extent.from, extent.from, now)} to {range(extent.last, extent.last, now)}.
      {narrowed && ' Your filters are kept.'}
    </Empty>
  );
}
