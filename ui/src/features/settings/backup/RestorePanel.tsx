import { Download, Eye, Minus, OctagonX, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button, Content, Field, Form, SidePanel, bytes, count, dateTime, useNow } from '@/shared';
import { serviceAddress } from '@/shared/place';
import { linesOf, lossesOf } from './contents';
import { RemoveDialog } from './RemoveDialog';
import { usePreview, useRemove, useRestore } from './queries';
import type { Backup, ComparedPreview, Preview } from './queries';
import { startedAt, untilRestarted } from './wait';

/** A restore with a preview first: rows now and then, what would be lost, and the name to type. */
export function RestorePanel({
  backup,
  isLastSound,
  instance,
  onClose,
}: {
  backup: Backup;
  /** Whether one sound backup is all there is. */
  isLastSound: boolean;
  /** The name of this instance. */
  instance: string;
  onClose: () => void;
}) {
  const now = useNow();
  const [passphrase, setPassphrase] = useState('');
  const [given, setGiven] = useState<string | null>(backup.closed ? null : '');
  const [tried, setTried] = useState(false);
  const [typed, setTyped] = useState('');
  const preview = usePreview(backup.name, given ?? '', given !== null);
  const restore = useRestore(backup.name);
  const remove = useRemove();
  const [waiting, setWaiting] = useState(false);
  const [removing, setRemoving] = useState(false);
  const isOnlyOne = isLastSound && backup.check.state === 'verified';
  const putBack = async () => {
    const before = await startedAt();
    await restore.mutateAsync({ confirm: typed, passphrase: given ?? '' });
    setWaiting(true);
    await untilRestarted(before);
    // Everything the pages showed is from before.
    window.location.reload();
  };
  const wrong = preview.error?.code === 'wrong_passphrase';
  const ready = preview.data !== undefined && typed.trim() === preview.data.confirm;
  return (
    <SidePanel
      label="Restore preview"
      width="slim"
      onClose={onClose}
      head={
        <>
          <span className="badge info">
            <Eye className="i" />
            Preview, nothing changed
          </span>
          <h2 className="ttl backuptitle">Restore {dateTime(backup.taken_at, now)}</h2>
          <div className="muted">
            {bytes(backup.bytes)}
            {backup.check.state === 'verified' ? ', verified' : ', checked when it is restored'}
            {preview.data && versionWords(preview.data)}
          </div>
        </>
      }
      actions={
        <>
          <a className="btn" href={serviceAddress(`/api/backups/${backup.name}`)} download>
            <Download className="i" />
            Download
          </a>
          <Button
            iconOnly
            kind="quiet"
            aria-label="Remove this backup"
            onClick={() => {
              setRemoving(true);
            }}
          >
            <Trash2 className="i" />
          </Button>
          <span className="grow" />
          <Button
            kind="destructive"
            aria-label="Restore this backup"
            type="submit"
            form="restore"
            disabled={!ready}
            busy={(restore.isPending || waiting) && 'Restoring'}
          >
            Restore
          </Button>
        </>
      }
    >
      {given === null || wrong ? (
        <Form
          className="stack"
          onSubmit={() => {
            setTried(true);
            if (passphrase !== '') setGiven(passphrase);
          }}
        >
          <Field
            label="Passphrase of this backup"
            error={
              tried && passphrase === ''
                ? 'Enter the passphrase it was taken with'
                : wrong && given === passphrase
                  ? 'This is not its passphrase.'
                  : undefined
            }
          >
            {(control) => (
              <input
                {...control}
                className="in"
                type="password"
                // A status replaced this field while the passphrase was checked.
                autoFocus={wrong}
                autoComplete="off"
                value={passphrase}
                onChange={(event) => {
                  setPassphrase(event.target.value);
                }}
              />
            )}
          </Field>
          <Button type="submit">Open</Button>
        </Form>
      ) : (
        <Content of={preview} what="The backup cannot be read">
          {(data) => (
            <Form
              id="restore"
              className="stack"
              onSubmit={() => {
                // Errors are shown below the name.
                if (ready) putBack().catch(() => undefined);
              }}
            >
              {data.damage == null ? (
                <>
                  <Rows preview={data} />
                  <Losses preview={data} />
                </>
              ) : (
                <Damage why={data.damage} />
              )}
              <div className="note warn" role="status">
                <TriangleAlert className="i" />
                <div className="grow">
                  <div className="t">The service stops and starts again</div>
                  <div className="muted">
                    Everybody signs in again, and desktops are approved again. Roles and passwords are those of the
                    backup.{' '}
                    {data.damage == null &&
                      'API tokens revoked since then stay revoked. A backup of now is taken first, so this can be undone.'}
                  </div>
                </div>
              </div>
              <Field label={`Type ${data.confirm} to restore`} error={restore.error?.message}>
                {(control) => (
                  <input
                    {...control}
                    className="in"
                    autoComplete="off"
                    placeholder={data.confirm}
                    value={typed}
                    onChange={(event) => {
                      setTyped(event.target.value);
                    }}
                  />
                )}
              </Field>
            </Form>
          )}
        </Content>
      )}
      {removing && (
        <RemoveDialog
          title={`Remove the backup of ${dateTime(backup.taken_at, now)}?`}
          help={
            isOnlyOne
              ? 'It is the only verified backup. Without it there is nothing to restore.'
              : 'Its file is deleted. This cannot be undone.'
          }
          confirm={isOnlyOne ? instance : null}
          remove={() => remove.mutateAsync(backup.name)}
          done={`Removed the backup of ${dateTime(backup.taken_at, now)}`}
          onClose={() => {
            setRemoving(false);
          }}
        />
      )}
    </SidePanel>
  );
}

function versionWords({ version, this_version }: Preview): string {
  return version === this_version ? `, version ${version}, same as now` : `, version ${version}, now ${this_version}`;
}

function Rows({ preview }: { preview: ComparedPreview }) {
  return (
    <div className="panel">
      <table className="tbl compact tight">
        <thead>
          <tr>
            <th>Contents</th>
            <th className="n">Now</th>
            <th className="n">Then</th>
            <th className="n">Change</th>
          </tr>
        </thead>
        <tbody>
          {linesOf(preview.rows).map(({ name, now, then }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="n muted">{count(now)}</td>
              <td className="n">{count(then)}</td>
              <td className="n">
                <span className={then < now ? 'up' : 'faint'}>
                  {then > now ? '+' : ''}
                  {count(then - now)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where the database of now cannot be read as a whole. */
function Damage({ why }: { why: string }) {
  return (
    <div className="note bad" role="alert">
      <OctagonX className="i" />
      <div className="grow">
        <div className="t">The current data is damaged and cannot be backed up first</div>
        {why}. It is kept in the folder replaced of the data directory. API tokens that were revoked since this backup
        may be valid again: review them afterwards.
      </div>
    </div>
  );
}

function Losses({ preview }: { preview: ComparedPreview }) {
  const losses = lossesOf(preview.since);
  const isFewer = linesOf(preview.rows).some(({ now, then }) => then < now);
  return (
    <section className="sec">
      <h3>What would be lost</h3>
      {losses.length === 0 ? (
        <p className="muted">
          Nothing has been imported or changed by people since then.
          {isFewer && ' Rows that become fewer were written by the service itself.'}
        </p>
      ) : (
        <ul className="stack tight losses">
          {losses.map((loss) => (
            <li key={loss} className="row start">
              <Minus className="i s" />
              <span>{loss}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
