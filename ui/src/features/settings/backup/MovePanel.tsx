import { CircleCheck, OctagonX } from 'lucide-react';
import { useState } from 'react';
import { Button, CopyCommand, Fact, Field, Form, Panel, bytes, count } from '@/shared';
import { kindsOf, withoutPassword } from './contents';
import { usePreviewMove } from './queries';
import type { MovePreview } from './queries';

/** Moving the data to PostgreSQL: a preview of the rows and of the target. The move itself is a command, because no service may run meanwhile. */
export function MovePanel() {
  const look = usePreviewMove();
  const [address, setAddress] = useState('');
  const [tried, setTried] = useState(false);
  const lacks = !/^postgres(ql)?:\/\/.+/.test(address.trim()) && 'Enter postgres://user:password@host:5432/database.';
  return (
    <Panel title="Move to PostgreSQL" meta="for several servers on one database" padded>
      <div className="stack">
        <Form
          className="stack"
          onSubmit={() => {
            setTried(true);
            if (lacks) return;
            look.mutate(address.trim());
          }}
        >
          <Field
            label="Address of a new database"
            help="The preview connects once and changes nothing. The address is not stored."
            error={(tried && lacks) || look.error?.message}
          >
            {(control) => (
              <input
                {...control}
                className="in mono"
                type="password"
                autoComplete="off"
                spellCheck={false}
                value={address}
                onChange={(event) => {
                  setAddress(event.target.value);
                  look.reset();
                }}
              />
            )}
          </Field>
          <div>
            <Button type="submit" busy={look.isPending && 'Looking'}>
              Preview
            </Button>
          </div>
        </Form>
        {look.data && <Preview preview={look.data} address={address.trim()} />}
      </div>
    </Panel>
  );
}

function Preview({ preview, address }: { preview: MovePreview; address: string }) {
  const shown = withoutPassword(address);
  const rows = preview.tables.reduce((sum, table) => sum + table.rows, 0);
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return (
    <section className="stack" aria-label="Preview of the move" aria-live="polite">
      <dl className="kv">
        <Fact name="Target" mono>
          {preview.place}
        </Fact>
        <Fact name="PostgreSQL">{preview.server_version}</Fact>
        <Fact name="To move">
          {count(rows)} rows of {count(preview.tables.length)} tables, {bytes(preview.bytes)}
        </Fact>
        {kindsOf(preview.tables).map(({ name, rows: ofKind }) => (
          <Fact key={name} name={name}>
            {count(ofKind)}
          </Fact>
        ))}
      </dl>
      {preview.problems.map((problem) => (
        <div key={problem} className="note bad">
          <OctagonX className="i" />
          <div>{problem}</div>
        </div>
      ))}
      {preview.problems.length === 0 && (
        <>
          <div className="note ok">
            <CircleCheck className="i" />
            <div>
              {preview.target === 'unfinished'
                ? 'A move into it was interrupted. The next one starts over.'
                : 'The database is empty and can be used.'}
            </div>
          </div>
          <ol className="movesteps">
            <li>Stop this service and everything else that uses its data directory.</li>
            <li>
              Move the rows. Counts, sums and every cell are compared table by table; the file stays as it is.
              {shown !== address && ' Add the password to the address.'}
              <CopyCommand
                label="Command that moves the rows"
                command={`QUARTERDECK_DATABASE=${quoted(shown)} quarterdeck-server migrate --from ${quoted(preview.data_dir)}`}
              />
            </li>
            <li>Start the service with the same QUARTERDECK_DATABASE. Without it, the file is used again.</li>
          </ol>
        </>
      )}
    </section>
  );
}
