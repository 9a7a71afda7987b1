import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useGraphQL } from '@/api';
import { Page } from '@/shared';
import { useStore } from '@/shared/store';
import { Batch } from './Batch';
import { DropZone } from './DropZone';
import { Earlier as EarlierList } from './Earlier';
import { EarlierReport } from './EarlierReport';
import './imports.css';
import { PutForward } from './PutForward';
import { Earlier } from './queries';
import { Sources } from './Sources';
import { works } from './works';

const route = getRouteApi('/imports');
const few = 20;

/** Files in: drop, progress, a report per file, and what was imported before. */
export function ImportsPage() {
  const all = useStore(works.store);
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const [limit, setLimit] = useState(few);
  const earlier = useGraphQL(Earlier, { limit });
  const mine = new Set(all.map((work) => work.id));
  const rows = earlier.data?.imports.filter((row) => !mine.has(row.id));
  const ended = earlier.data?.imports_aggregate.aggregate?.count ?? 0;
  const isFirst = earlier.data !== undefined && ended === 0 && all.length === 0;
  const close = useCallback(() => {
    void navigate({ search: {} });
  }, [navigate]);
  return (
    <Page title="Imports" side={open && <EarlierReport key={open} id={open} onClose={close} />}>
      <div className="stack">
        <DropZone />
        <PutForward />
        {all.length > 0 && <Batch all={all} />}
        {!isFirst && (rows === undefined || rows.length > 0 || earlier.error) && (
          <EarlierList
            rows={rows}
            total={ended - ((earlier.data?.imports.length ?? 0) - (rows?.length ?? 0))}
            error={earlier.error}
            retry={earlier.refetch}
            openId={open}
            onMore={() => {
              setLimit(10_000);
            }}
          />
        )}
        <Sources />
      </div>
    </Page>
  );
}
