import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { dropFile, importedFile, readLine } from '@/api';
import type { ApiError, FileLine } from '@/api';
import { Button, Content, Dialog, Field, Form, Status, count, toast } from '@/shared';
import { useReadOnly } from './readOnly';

/** The file of an import: any line of it, a download, and its deletion. `line` is the open line. */
export function Receipt({
  id,
  name,
  line,
  onLine,
}: {
  id: string;
  name: string;
  line: number | null;
  onLine: (line: number) => void;
}) {
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const [asks, setAsks] = useState(false);
  const reason = useReadOnly();
  const wanted = Number(typed);
  const isLine = /^\d+$/.test(typed) && wanted >= 1;
  return (
    <section className="stack tight receipt" aria-label="The imported file">
      <h3 className="strong">The file</h3>
      <div className="row wrap">
        <Form
          className="row"
          onSubmit={() => {
            setTried(true);
            if (isLine) onLine(wanted);
          }}
        >
          <Field label="Line of the file" error={tried && !isLine ? 'Enter the number of a line, from 1' : undefined}>
            {(control) => (
              <input
                {...control}
                className="in num"
                inputMode="numeric"
                autoComplete="off"
                placeholder="2"
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value);
                }}
              />
            )}
          </Field>
          <Button type="submit">Show line</Button>
        </Form>
        <span className="row report-links">
          <a className="btn" href={importedFile(id)} download={name}>
            <Download className="i s" />
            Download file
          </a>
          <Button
            reason={reason}
            onClick={() => {
              setAsks(true);
            }}
          >
            <Trash2 className="i s" />
            Delete kept file
          </Button>
        </span>
      </div>
      {line !== null && <Line id={id} line={line} />}
      {asks && (
        <DropDialog
          id={id}
          name={name}
          onClose={() => {
            setAsks(false);
          }}
        />
      )}
    </section>
  );
}

function Line({ id, line }: { id: string; line: number }) {
  const query = useQuery<FileLine, ApiError>({
    queryKey: ['import', id, 'line', line],
    queryFn: ({ signal }) => readLine(id, line, signal),
    retry: false,
    staleTime: Infinity,
  });
  if (query.error?.status === 404) {
    return (
      <p role="alert">
        <Status tone="warn">{query.error.message}</Status>
      </p>
    );
  }
  return (
    <Content of={query} what={`Line ${count(line)} could not be read`} lines={3}>
      {(found) => (
        <div className="stack tight" role="group" aria-label={`Line ${count(found.line)}`}>
          <pre className="mono line" tabIndex={0}>
            {found.text}
          </pre>
          {found.columns.length > 0 && (
            <dl className="kv">
              {found.columns.map((column, at) => (
                // A file may name a column twice.
                <LineColumn key={`${String(at)} ${column.name}`} {...column} />
              ))}
            </dl>
          )}
        </div>
      )}
    </Content>
  );
}

function LineColumn({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="mono">{value === '' ? <span className="faint">empty</span> : value}</dd>
    </>
  );
}

function DropDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const client = useQueryClient();
  const drop = useMutation<null, ApiError>({
    mutationFn: () => dropFile(id),
    onSuccess: async () => {
      toast({ tone: 'ok', text: `Deleted the stored file of ${name}` });
      onClose();
      await client.invalidateQueries({ queryKey: ['import', id] });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete the stored file ${name}?`}
      help="The imported data stays. You can no longer show lines of the file or download it here."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="destructive"
            busy={drop.isPending && 'Deleting'}
            onClick={() => {
              drop.mutate();
            }}
          >
            Delete kept file
          </Button>
        </>
      }
    >
      {drop.error && <Status tone="bad">{drop.error.message}</Status>}
    </Dialog>
  );
}
