import { getRouteApi } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useGraphQL, useSeesTenant } from '@/api';
import { Button, Page } from '@/shared';
import { useStore } from '@/shared/store';
import { Batch } from './Batch';
import { DropZone } from './DropZone';
import { Earlier as EarlierList } from './Earlier';
import { EarlierReport } from './EarlierReport';
import './imports.css';
import { MappingsDialog } from './mapping/MappingsDialog';
import { words } from './mapping/words';
import { PutForward } from './PutForward';
import { Earlier, endedOf } from './queries';
import { Sources } from './Sources';
import { UndoDialog } from './UndoDialog';
import { WatchedFolderPanel } from './watched/WatchedFolderPanel';
import { works } from './works';

const route = getRouteApi('/imports');
const few = 20;

/** The imports page: drop zone, progress, reports and earlier imports. */
export function ImportsPage() {
  const all = useStore(works.store);
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const [limit, setLimit] = useState(few);
  const [name, setName] = useState('');
  const [hasMappings, setMappings] = useState(false);
  const [undo, setUndo] = useState<{ id: string; name: string } | null>(null);
  const seesTenant = useSeesTenant();
  const earlier = useGraphQL(Earlier, { where: endedOf(name), limit }, { enabled: seesTenant });
  const mine = new Set(all.map((work) => work.id));
  const rows = earlier.data?.imports.filter((row) => !mine.has(row.id));
  const ended = earlier.data?.imports_aggregate.aggregate?.count ?? 0;
  const isSearched = name.trim() !== '';
  const isFirst = earlier.data !== undefined && ended === 0 && all.length === 0 && !isSearched;
  const close = useCallback(() => {
    void navigate({ search: {} });
  }, [navigate]);
  const ask = useCallback((id: string, file: string) => {
    setUndo({ id, name: file });
  }, []);
  return (
    <Page
      title="Imports"
      actions={
        <Button
          onClick={() => {
            setMappings(true);
          }}
        >
          <FileText className="i s" />
          {words.button}
        </Button>
      }
      side={open && <EarlierReport key={open} id={open} onClose={close} onUndo={ask} />}
    >
      <div className="stack">
        <DropZone />
        <PutForward />
        {all.length > 0 && <Batch all={all} onUndo={ask} />}
        {seesTenant && !isFirst && (rows === undefined || rows.length > 0 || isSearched || earlier.error) && (
          <EarlierList
            rows={rows}
            total={ended - ((earlier.data?.imports.length ?? 0) - (rows?.length ?? 0))}
            error={earlier.error}
            retry={earlier.refetch}
            openId={open}
            name={name}
            onName={setName}
            onUndo={ask}
            onMore={() => {
              setLimit(10_000);
            }}
          />
        )}
        {!seesTenant && (
          <p className="muted">
            Files belong to the whole tenant. Your role covers single accounts, so earlier imports are not listed.
          </p>
        )}
        <WatchedFolderPanel />
        <Sources />
      </div>
      {hasMappings && (
        <MappingsDialog
          onClose={() => {
            setMappings(false);
          }}
        />
      )}
      {undo && (
        <UndoDialog
          key={undo.id}
          {...undo}
          onClose={() => {
            setUndo(null);
          }}
        />
      )}
    </Page>
  );
}
