import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readImport, upload } from '@/api';
import type { ApiError, ImportStatus } from '@/api';
import { Button, Content, Dialog, count, plural, range, toast } from '@/shared';
import { heldIn, readTable } from './table';
import type { NumberTable } from './table';
import { words } from './words';

const preview = words.preview;
/** Rows and lines that are shown. */
const most = 5;
/** Polling interval of an import, in ms. */
const pause = 300;
const endless = new AbortController().signal;

/** Shows the content of a file before it is imported. */
export function ImportDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const client = useQueryClient();
  const table = useQuery<NumberTable | null, ApiError>({
    queryKey: ['numbers', file.name, file.size, file.lastModified],
    queryFn: async () => readTable(await file.text()) ?? null,
    staleTime: 0,
    gcTime: 0,
  });
  const send = useMutation<ImportStatus, ApiError>({
    mutationFn: async () => end(await upload(file, file.name, null, () => undefined, endless)),
    onSuccess: (status) => {
      const { report } = status;
      const problem = report?.error?.message ?? words.states[status.state];
      const isDone = status.state === 'done' || status.state === 'done_with_skips';
      if (isDone) toast({ tone: 'ok', text: `${file.name}: ${plural(report?.rows_written ?? 0, 'number')}` });
      else toast({ tone: 'bad', text: words.notSent(file.name, problem ?? status.state) });
      void client.invalidateQueries({ queryKey: ['graphql'] });
      void client.invalidateQueries({ queryKey: ['import'] });
      onClose();
    },
  });
  const rows = table.data?.rows ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={preview.title(file.name)}
      help={rows.length > 0 ? preview.replaces : undefined}
      actions={
        <>
          <Button onClick={onClose}>{preview.cancel}</Button>
          <Button
            kind="primary"
            disabled={rows.length === 0}
            busy={send.isPending && preview.importing}
            onClick={() => {
              send.mutate();
            }}
          >
            {preview.import}
          </Button>
        </>
      }
    >
      <Content of={table} what={preview.wrong} lines={3}>
        {(found) => (found === null ? <Wrong /> : <Found table={found} />)}
      </Content>
      {send.error && (
        <div className="note bad" role="alert">
          <div className="grow">{send.error.message}</div>
        </div>
      )}
    </Dialog>
  );
}

/** How an import ends. */
async function end(id: string): Promise<ImportStatus> {
  for (;;) {
    const status = await readImport(id);
    if (status.state !== 'waiting' && status.state !== 'running') return status;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function Wrong() {
  return (
    <div className="stack">
      <p>{preview.wrong}</p>
      <p className="muted">{preview.wrongHelp}</p>
      <code className="mono unit-example">{words.example}</code>
    </div>
  );
}

function Found({ table: { rows, leftOut } }: { table: NumberTable }) {
  return (
    <div className="stack">
      {rows.length === 0 && <p>{preview.empty}</p>}
      <ul>
        {heldIn(rows).map(({ name, count: numbers, from, to, groups }) => (
          <li key={name} className="li">
            <span className="grow cut strong">{name}</span>
            <span className="num muted">
              {preview.held(
                plural(numbers, 'number'),
                range(from, to),
                groups > 1 ? preview.groups(plural(groups, 'group')) : '',
              )}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > 0 && (
        <table className="tbl compact" aria-label={preview.rows}>
          <tbody>
            {rows.slice(0, most).map(({ line, name, group, date, value }) => (
              <tr key={line}>
                <td>{name}</td>
                <td>{group}</td>
                <td>{date}</td>
                <td className="n">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut.length > 0 && (
        <div className="note warn" role="note">
          <div className="grow">
            <div className="t">{preview.leftOut(plural(leftOut.length, 'row'))}</div>
            <ul>
              {leftOut.slice(0, most).map(({ line, reason, quote }) => (
                <li key={line}>
                  {preview.line(count(line), preview.reasons[reason])}
                  {quote !== '' && <span className="mono"> {quote}</span>}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}
