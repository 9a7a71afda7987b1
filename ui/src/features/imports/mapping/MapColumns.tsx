import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { expectEndAgain, keepMapping, readImport, readUnmapped, tryMapping } from '@/api';
import type { ApiError, ImportReport, UnmappedTable } from '@/api';
import { Button, Check, Content, Field, Status, money, plural } from '@/shared';
import { useReadOnly } from '../readOnly';
import { works } from '../works';
import { choose, column, contentOf, draftOf, lacking } from './draft';
import type { Draft } from './draft';
import { fieldName, words } from './words';

/** Maps the columns of an unknown file, previews the result, and imports it. */
export function MapColumns({ id, name }: { id: string; name: string }) {
  const table = useQuery<UnmappedTable, ApiError>({
    queryKey: ['import', id, 'mapping'],
    queryFn: ({ signal }) => readUnmapped(id, signal),
    retry: false,
    staleTime: Infinity,
  });
  return (
    <Content of={table} what="The columns of the file could not be read">
      {(found) => <Mapping id={id} name={name} table={found} />}
    </Content>
  );
}

function Mapping({ id, name, table }: { id: string; name: string; table: UnmappedTable }) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(table));
  const [title, setTitle] = useState(() => name.replace(/\.[^.]*$/, ''));
  const reason = useReadOnly();
  const client = useQueryClient();
  const missing = lacking(table, draft);
  const content = contentOf(draft);
  const preview = useQuery<ImportReport, ApiError>({
    queryKey: ['import', id, 'mapping', content],
    queryFn: ({ signal }) => tryMapping(id, content, signal),
    enabled: missing.length === 0,
    retry: false,
    staleTime: Infinity,
  });
  const keep = useMutation<ImportReport, ApiError>({
    mutationFn: () => keepMapping(id, title, content),
    onSuccess: async () => {
      expectEndAgain(id);
      const status = await readImport(id);
      works.takeUp([{ id, name: status.file_name, size: status.size_bytes }]);
      works.renew(status);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['import'] });
      void client.invalidateQueries({ queryKey: ['graphql'] });
    },
  });
  return (
    <form
      className="stack"
      aria-label={`${words.title}: ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate();
      }}
    >
      <p className="small muted">{words.help}</p>
      <div className="mapping">
        {table.fields.map((field) => (
          <FieldChoice key={field.name} field={field} header={table.header} draft={draft} onChange={setDraft} />
        ))}
      </div>
      <Tags header={table.header} draft={draft} onChange={setDraft} />
      <Rows table={table} />
      <section className="stack tight" aria-live="polite">
        <h4 className="strong">{words.preview}</h4>
        {missing.length > 0 ? (
          <Status tone="warn">{words.lacking(missing.map(fieldName).join(', '))}</Status>
        ) : (
          <Preview of={preview} />
        )}
      </section>
      <Field label={words.name} help={words.nameHelp}>
        {(control) => (
          <input
            {...control}
            className="in"
            value={title}
            maxLength={80}
            onChange={(event) => {
              setTitle(event.target.value);
            }}
          />
        )}
      </Field>
      {keep.error && (
        <p role="alert">
          <Status tone="bad">{keep.error.message}</Status>
        </p>
      )}
      <div className="row">
        <Button
          kind="primary"
          type="submit"
          reason={reason}
          disabled={missing.length > 0 || title.trim() === '' || !preview.data || preview.data.error !== null}
          busy={keep.isPending && words.saving}
        >
          {words.keep}
        </Button>
      </div>
    </form>
  );
}

function FieldChoice({
  field,
  header,
  draft,
  onChange,
}: {
  field: UnmappedTable['fields'][number];
  header: readonly string[];
  draft: Draft;
  onChange: (draft: Draft) => void;
}) {
  const title = fieldName(field.name);
  const choice = draft.choices[field.name] ?? '';
  return (
    <div className="stack tight">
      <Field label={field.is_needed ? `${title} (${words.needed.toLowerCase()})` : title}>
        {(control) => (
          <select
            {...control}
            className="sel"
            value={choice}
            onChange={(event) => {
              onChange(choose(draft, field.name, event.target.value));
            }}
          >
            <option value="">{words.notInFile}</option>
            {header.map((name) => (
              <option key={name} value={column(name)}>
                {name}
              </option>
            ))}
            <option value="value">{words.fixed}</option>
          </select>
        )}
      </Field>
      {choice === 'value' && (
        <input
          className="in"
          aria-label={words.value(title)}
          value={draft.values[field.name] ?? ''}
          onChange={(event) => {
            onChange({ ...draft, values: { ...draft.values, [field.name]: event.target.value } });
          }}
        />
      )}
    </div>
  );
}

/** Columns that no field has can be tags. */
function Tags({
  header,
  draft,
  onChange,
}: {
  header: readonly string[];
  draft: Draft;
  onChange: (draft: Draft) => void;
}) {
  const used = new Set(Object.values(contentOf(draft).columns));
  const left = header.filter((name) => !used.has(name));
  if (left.length === 0) return null;
  return (
    <fieldset className="stack tight">
      <legend className="strong">{words.tags}</legend>
      <div className="row wrap">
        {left.map((name) => (
          <Check
            key={name}
            label={name}
            checked={draft.tags.includes(name)}
            onChange={(isTag) => {
              onChange({ ...draft, tags: isTag ? [...draft.tags, name] : draft.tags.filter((tag) => tag !== name) });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Rows({ table }: { table: UnmappedTable }) {
  return (
    <section className="stack tight">
      <h4 className="strong">{words.firstRows}</h4>
      <div className="tw" tabIndex={0} role="group" aria-label={words.firstRows}>
        <table className="tbl compact">
          <thead>
            <tr>
              {table.header.map((name, at) => (
                <th key={`${name} ${String(at)}`} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, place) => (
                  <td key={place} className="mono">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Preview({ of }: { of: { data: ImportReport | undefined; error: ApiError | null; isFetching: boolean } }) {
  if (of.error) return <Status tone="bad">{of.error.message}</Status>;
  const report = of.data;
  if (!report) return <p className="muted">{words.checking}</p>;
  if (report.error) return <Status tone="bad">{report.error.message}</Status>;
  const several = report.totals.length > 1;
  return (
    <div className="stack tight">
      {report.decision ? (
        <p>
          {words.asksThen} {report.decision.question}
        </p>
      ) : report.rows_written === 0 ? (
        <Status tone="bad">{words.nothing}</Status>
      ) : (
        <p>{words.counts(plural(report.rows_written, 'row'), plural(report.rows_skipped, 'row'))}</p>
      )}
      {report.totals.map((total) => (
        <p key={total.currency} className="num">
          <b>{money(total.billed_cost ?? '0', total.currency, { several })}</b>
        </p>
      ))}
      {report.reasons?.map((one) => (
        <p key={`${one.column} ${one.reason}`} className="small muted">
          {`${plural(one.count, 'row')}: ${one.column} ${one.reason}`} <span className="mono">{one.example}</span>
        </p>
      ))}
    </div>
  );
}
