import { CircleAlert, Plus, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button, Segmented, count } from '@/shared';
import { roleName } from '../roles';
import { textOf } from './draft';
import type { FormProps } from './form';
import { nearMissOf, problemsOf, rowsOf, textOfRows } from './mapping';
import type { Row } from './mapping';
import { Source } from './Source';

/** Groups to roles, as a table or as JSON. `rows` is null while the text is not a valid mapping. */
export function Mapping({
  rows,
  setRows,
  ...props
}: FormProps & { rows: Row[] | null; setRows: (rows: Row[]) => void }) {
  const { settings, view, draft, change, problem } = props;
  const [asText, setAsText] = useState(false);
  const text = textOf('SAML_GROUP_MAPPING', draft, settings);
  const shown = asText || rows === null ? 'json' : 'table';
  const error = view.mapping_problem ?? problem('SAML_GROUP_MAPPING');
  return (
    <section className="form-sec" aria-labelledby="mapping" id="setting-SAML_GROUP_MAPPING">
      <div className="split">
        <h2 id="mapping">4. Groups to roles</h2>
        <span className="row">
          <span className="env">SAML_GROUP_MAPPING</span>
          <Segmented
            label="Shown as"
            value={shown}
            options={[
              { value: 'table', label: 'Table' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={(next) => {
              setAsText(next === 'json');
            }}
          />
        </span>
      </div>
      <p className="help">
        Names must match exactly, capital letters included. A user in several groups receives every role.
      </p>
      {shown === 'table' && rows !== null ? (
        <Table {...props} rows={rows} setRows={setRows} />
      ) : (
        <textarea
          className="in mono paste"
          aria-label="Groups to roles, as JSON"
          aria-invalid={error !== undefined && error !== null}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            change({ SAML_GROUP_MAPPING: event.target.value });
          }}
        />
      )}
      {error && (
        <span className="err" role="alert">
          <CircleAlert className="i" />
          {error}
        </span>
      )}
      <span className="help">
        <Source name="SAML_GROUP_MAPPING" {...{ settings, draft, change }} />
      </span>
    </section>
  );
}

function Table({ settings, view, rows, setRows }: FormProps & { rows: Row[]; setRows: (rows: Row[]) => void }) {
  const problems = problemsOf(rows);
  const put = (at: number, row: Row) => {
    setRows(rows.map((other, index) => (index === at ? row : other)));
  };
  return (
    <div className="panel">
      <table className="tbl tight fix groups" aria-labelledby="mapping">
        <colgroup>
          <col className="w-group" />
          <col />
          <col className="w-users" />
          <col className="w-remove" />
        </colgroup>
        <thead>
          <tr>
            <th>Group at the provider</th>
            <th>Role</th>
            <th className="n">Users</th>
            <th>
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={4} className="whole muted">
                No group is mapped: everyone keeps the role of a new user.
              </td>
            </tr>
          )}
          {rows.map((row, at) => {
            const told = view.mapping.find((one) => one.group === row.group && one.role === row.role);
            const error = problems[at] ?? null;
            const hint = error ?? nearMissOf(rows, at) ?? told?.problem ?? null;
            const name = row.group || `row ${String(at + 1)}`;
            return (
              <tr key={at} id={`mapping-row-${String(at + 1)}`}>
                <td>
                  <input
                    className="in mono"
                    aria-label={`Group of row ${String(at + 1)}`}
                    aria-invalid={error !== null}
                    aria-describedby={hint ? `mapping-hint-${String(at)}` : undefined}
                    value={row.group}
                    onChange={(event) => {
                      put(at, { ...row, group: event.target.value });
                    }}
                  />
                  {hint && (
                    <div className={error ? 'err' : 'hint'} id={`mapping-hint-${String(at)}`}>
                      {error ? <CircleAlert className="i" /> : <TriangleAlert className="i" />}
                      {hint}
                    </div>
                  )}
                </td>
                <td>
                  <select
                    className="sel"
                    aria-label={`Role of ${name}`}
                    value={row.role}
                    onChange={(event) => {
                      put(at, { ...row, role: event.target.value });
                    }}
                  >
                    {!settings.roles.some((role) => role.name === row.role) && (
                      <option value={row.role}>{row.role || 'Choose a role'}</option>
                    )}
                    {settings.roles.map((role) => (
                      <option key={role.name} value={role.name}>
                        {roleName(role.name)}, {role.name}
                      </option>
                    ))}
                  </select>
                </td>
                <td className="n muted" title="Users who got the role from this group at their last sign-in">
                  {told?.people == null ? '–' : count(told.people)}
                </td>
                <td>
                  <Button
                    kind="quiet"
                    iconOnly
                    aria-label={`Remove ${name}`}
                    onClick={() => {
                      setRows(rows.filter((_, index) => index !== at));
                    }}
                  >
                    <Trash2 className="i" />
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="tablefoot">
        <Button
          size="small"
          onClick={() => {
            setRows([...rows, { group: '', role: 'tenant_admin_readonly' }]);
            // The new row exists once React has drawn it.
            requestAnimationFrame(() => {
              document.querySelector<HTMLInputElement>(`#mapping-row-${String(rows.length + 1)} input`)?.focus();
            });
          }}
        >
          <Plus className="i" />
          Add group
        </Button>
      </div>
    </div>
  );
}

/**
 * The rows of the table beside the text of the setting. The text cannot hold a group twice or without a name, the table can, until it
 * is put right; a text that changes elsewhere (JSON, Discard) makes the rows anew.
 */
export function useRows(
  text: string,
  saved: string,
  change: (text: string) => void,
): [rows: Row[] | null, setRows: (rows: Row[]) => void] {
  const [rows, setRows] = useState(() => rowsOf(text));
  const parsed = rowsOf(text);
  if ((rows === null) !== (parsed === null) || (rows && parsed && textOfRows(rows) !== textOfRows(parsed)))
    setRows(parsed);
  return [
    rows,
    (next) => {
      setRows(next);
      const written = textOfRows(next);
      const before = rowsOf(saved);
      // Whitespace of the saved text is not a change.
      change(before !== null && textOfRows(before) === written ? saved : written);
    },
  ];
}
