import { Archive, CircleCheck, OctagonX, TriangleAlert, Upload } from 'lucide-react';
import { useState } from 'react';
import { Button, Content, FileButton, age, bytes, dateTime, dateTimeZone, plural, useNow } from '@/shared';
import { NotForYou, isRefused } from '../NotForYou';
import { SettingsPage } from '../SettingsPage';
import { AsideList } from './AsideList';
import { BackupList } from './BackupList';
import { until } from './contents';
import { MovePanel } from './MovePanel';
import { useBackups, useBring } from './queries';
import type { Backups } from './queries';
import { RestorePanel } from './RestorePanel';
import { ScheduleForm } from './ScheduleForm';
import { TakeDialog } from './TakeDialog';
import './backup.css';

/** The backup page: existing backups, the schedule, and restore with a preview. */
export function BackupPage() {
  const found = useBackups();
  const [opened, setOpened] = useState<string | null>(null);
  const [taking, setTaking] = useState(false);
  const [refused, setRefused] = useState<{ file: string; why: string } | null>(null);
  const bring = useBring();
  const open = found.data?.backups.find((backup) => backup.name === opened);
  return (
    <SettingsPage
      title="Backup & restore"
      actions={
        found.data && (
          <>
            <FileButton
              label="Backup file"
              accept=".gz,.closed"
              busy={bring.isPending && 'Reading'}
              onFiles={([file]) => {
                if (!file) return;
                setRefused(null);
                bring.mutate(file, {
                  onSuccess: (backup) => {
                    setOpened(backup.name);
                  },
                  onError: (error) => {
                    setRefused({ file: file.name, why: error.message });
                  },
                });
              }}
            >
              <Upload className="i" />
              Restore from file
            </FileButton>
            <Button
              kind="primary"
              onClick={() => {
                setTaking(true);
              }}
            >
              <Archive className="i" />
              Back up now
            </Button>
          </>
        )
      }
      side={
        open && (
          <RestorePanel
            key={open.name}
            backup={open}
            isLastSound={found.data?.backups.filter((backup) => backup.check.state === 'verified').length === 1}
            instance={found.data?.confirm ?? ''}
            onClose={() => {
              setOpened(null);
            }}
          />
        )
      }
    >
      {isRefused(found.error) ? (
        <NotForYou />
      ) : (
        <Content of={found} what="Backups could not be read">
          {(data) => (
            <div className="stack">
              {refused && (
                <div className="note bad" role="alert">
                  <OctagonX className="i" />
                  <div>
                    <div className="t">{refused.file} was not added</div>
                    {refused.why}
                  </div>
                </div>
              )}
              {data.troubles?.map((trouble) => (
                <div key={trouble} className="note bad" role="alert">
                  <OctagonX className="i" />
                  <div>{trouble}</div>
                </div>
              ))}
              <Figures data={data} />
              <BackupList data={data} opened={opened} onOpen={setOpened} />
              <AsideList data={data} />
              <ScheduleForm key={data.saved_at} data={data} />
              {data.database === 'sqlite' && <MovePanel />}
            </div>
          )}
        </Content>
      )}
      {taking && (
        <TakeDialog
          onClose={() => {
            setTaking(false);
          }}
        />
      )}
    </SettingsPage>
  );
}

function Figures({ data }: { data: Backups }) {
  const now = useNow();
  const last = data.backups.find((backup) => backup.check.state === 'verified');
  return (
    <section className="kpis three" aria-label="Key figures">
      <div className="kpi">
        <div className="l">Last good backup</div>
        <b>{last ? age(last.taken_at, now) : 'None yet'}</b>
        <div className="d">
          {last?.check.state === 'verified' ? (
            <span className="st ok small">
              <CircleCheck className="i" />
              Verified {dateTime(last.check.at, now)}
            </span>
          ) : (
            <span className="st warn small">
              <TriangleAlert className="i" />
              Nothing to restore
            </span>
          )}
        </div>
      </div>
      <div className="kpi">
        <div className="l">Next</div>
        <b>{data.next_at ? until(data.next_at, now) : 'Not scheduled'}</b>
        <div className="d">{data.next_at ? `${dateTimeZone(data.next_at, now)}` : 'See the schedule below'}</div>
      </div>
      <div className="kpi">
        <div className="l">Kept</div>
        <b>{plural(data.backups.filter((backup) => backup.bytes > 0).length, 'copy', 'copies')}</b>
        <div className="d">
          {bytes(data.bytes)} used{data.free_bytes !== null && `, ${bytes(data.free_bytes)} free`}
        </div>
      </div>
    </section>
  );
}
