import { FolderClock } from 'lucide-react';
import { useState } from 'react';
import { Button, Panel, Status, bytes, dateTime, dateTimeZone, plural, useNow } from '@/shared';
import { RemoveDialog } from './RemoveDialog';
import { useForgetAside } from './queries';
import type { Aside, Backups } from './queries';

/** Data put aside by restores, if any: it uses disk space, and may be the only copy. */
export function AsideList({ data }: { data: Backups }) {
  const now = useNow();
  const forget = useForgetAside();
  const [removing, setRemoving] = useState<Aside | null>(null);
  if (data.aside.length === 0) return null;
  const same = (aside: Aside) => data.backups.find((backup) => backup.name === aside.backup);
  return (
    <Panel
      title="Put aside by restores"
      meta={`${plural(data.aside.length, 'folder')}, ${bytes(data.aside.reduce((sum, aside) => sum + aside.bytes, 0))}`}
    >
      <ul className="aside">
        {data.aside.map((aside) => {
          const backup = same(aside);
          return (
            <li key={aside.name} className="row">
              <FolderClock className="i" />
              <span className="asidewhat">
                <b>{dateTimeZone(aside.replaced_at, now)}</b>
                <span className="small muted block">
                  {bytes(aside.bytes)} in replaced/{aside.name} of the data directory
                </span>
              </span>
              {backup ? (
                <span className="small muted">
                  The same data is in the backup of {dateTime(backup.taken_at, now)}; removed automatically after{' '}
                  {plural(data.schedule.keep_days, 'day')}
                </span>
              ) : (
                <Status tone="warn">The only copy of the earlier data</Status>
              )}
              <Button
                size="small"
                aria-label={`Remove the data put aside ${dateTime(aside.replaced_at, now)}`}
                onClick={() => {
                  setRemoving(aside);
                }}
              >
                Remove…
              </Button>
            </li>
          );
        })}
      </ul>
      {removing && (
        <RemoveDialog
          title="Remove the data put aside by the restore?"
          help={
            same(removing)
              ? 'The backup taken right before contains the same data and stays.'
              : 'It is the only copy of the data from before that restore. This cannot be undone.'
          }
          confirm={same(removing) ? null : data.confirm}
          remove={() => forget.mutateAsync(removing.name)}
          done={`Removed the data put aside ${dateTime(removing.replaced_at, now)}`}
          onClose={() => {
            setRemoving(null);
          }}
        />
      )}
    </Panel>
  );
}
