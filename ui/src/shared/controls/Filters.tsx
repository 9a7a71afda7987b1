import { Plus, Search, X } from 'lucide-react';
import { useState } from 'react';
import { Loading } from '../panel/states';
import { Button } from './Button';
import { Check } from './Check';
import { Popup } from './Popup';

/** A field that can be filtered by some of its values. */
export interface FilterField {
  id: string;
  label: string;
  /** The available values, loaded when the field is opened. `hint` is shown on the right, an amount for example. */
  useValues: (enabled: boolean) => {
    values: { value: string; label: string; hint?: string }[] | undefined;
    error: Error | null;
  };
}

/** A field and its values; store it in the address. `not` turns "is any of" into "is none of". */
export interface Filter {
  field: string;
  values: string[];
  not?: boolean;
}

/** The chips of the filters that apply, and "+ Filter". */
export function Filters({
  fields,
  value,
  onChange,
}: {
  fields: readonly FilterField[];
  value: readonly Filter[];
  onChange: (filters: Filter[]) => void;
}) {
  const put = (filter: Filter) => {
    const rest = value.filter((other) => other.field !== filter.field);
    onChange(filter.values.length > 0 ? [...rest, filter] : rest);
  };
  return (
    <>
      {value.map((filter) => {
        const field = fields.find((f) => f.id === filter.field);
        return field && <Chip key={filter.field} field={field} filter={filter} onChange={put} />;
      })}
      <AddFilter fields={fields.filter((field) => !value.some((filter) => filter.field === field.id))} onChange={put} />
    </>
  );
}

function Chip({ field, filter, onChange }: { field: FilterField; filter: Filter; onChange: (filter: Filter) => void }) {
  const [open, setOpen] = useState(false);
  const { values } = field.useValues(true);
  const names = filter.values.map((value) => values?.find((v) => v.value === value)?.label ?? value);
  const text = names.length > 2 ? `${names[0] ?? ''} and ${String(names.length - 1)} more` : names.join(', ');
  const is = filter.not ? 'is not' : 'is';
  return (
    <span className="chip on joined">
      <Popup
        label={`Filter by ${field.label}`}
        open={open}
        onOpen={setOpen}
        trigger={
          <button type="button" className="bare cut" title={`${field.label} ${is} ${names.join(', ')}`}>
            <span className="k">{field.label}</span> {is} {text}
          </button>
        }
      >
        <Values
          field={field}
          filter={filter}
          onApply={(next) => {
            setOpen(false);
            onChange(next);
          }}
        />
      </Popup>
      <button
        type="button"
        className="bare"
        aria-label={`Remove filter ${field.label}`}
        onClick={() => {
          onChange({ ...filter, values: [] });
        }}
      >
        <X className="i" />
      </button>
    </span>
  );
}

function AddFilter({ fields, onChange }: { fields: readonly FilterField[]; onChange: (filter: Filter) => void }) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<FilterField | null>(null);
  const [search, setSearch] = useState('');
  const listed = fields.filter((field) => field.label.toLowerCase().includes(search.toLowerCase()));
  return (
    <Popup
      label="Add a filter"
      open={open}
      onOpen={(next) => {
        setOpen(next);
        setChosen(null);
        setSearch('');
      }}
      trigger={
        <button type="button" className="chip add">
          <Plus className="i" />
          Filter
        </button>
      }
    >
      {chosen ? (
        <Values
          key={chosen.id}
          field={chosen}
          filter={{ field: chosen.id, values: [] }}
          onApply={(filter) => {
            setOpen(false);
            setChosen(null);
            onChange(filter);
          }}
        />
      ) : (
        <div className="menu list">
          {fields.length > 12 && (
            <span className="inbox">
              <Search className="i s" />
              <input
                className="in"
                autoFocus
                placeholder="Find a field"
                aria-label="Find a field"
                value={search}
                onChange={(event) => {
                  setSearch(event.target.value);
                }}
              />
            </span>
          )}
          {listed.map((field) => (
            <button
              key={field.id}
              type="button"
              className="it"
              onClick={() => {
                setChosen(field);
              }}
            >
              {field.label}
            </button>
          ))}
          {fields.length > 0 && listed.length === 0 && <span className="it muted">No field matches</span>}
          {fields.length === 0 && <span className="it muted">Every field is filtered already</span>}
        </div>
      )}
    </Popup>
  );
}

function Values({ field, filter, onApply }: { field: FilterField; filter: Filter; onApply: (filter: Filter) => void }) {
  const { values, error } = field.useValues(true);
  const [draft, setDraft] = useState(filter);
  const [search, setSearch] = useState('');
  const shown = (values ?? []).filter((value) => value.label.toLowerCase().includes(search.toLowerCase()));
  return (
    <div className="filtervalues">
      <div className="fv-head">
        <select
          className="sel"
          aria-label="Condition"
          value={draft.not ? 'not' : 'is'}
          onChange={(event) => {
            setDraft({ ...draft, not: event.target.value === 'not' });
          }}
        >
          <option value="is">{field.label} is any of</option>
          <option value="not">{field.label} is none of</option>
        </select>
        <span className="inbox">
          <Search className="i s" />
          <input
            className="in"
            autoFocus
            placeholder="Find a value"
            aria-label="Find a value"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
            }}
          />
        </span>
      </div>
      <div className="menu list">
        {error && <span className="err">{error.message}</span>}
        {!values && !error && <Loading lines={3} />}
        {values && shown.length === 0 && <span className="it muted">No value matches</span>}
        {shown.slice(0, 200).map((value) => (
          <span key={value.value} className="it">
            <Check
              label={value.label}
              checked={draft.values.includes(value.value)}
              onChange={(checked) => {
                setDraft({
                  ...draft,
                  values: checked ? [...draft.values, value.value] : draft.values.filter((v) => v !== value.value),
                });
              }}
            />
            {value.hint && <span className="end num">{value.hint}</span>}
          </span>
        ))}
        {shown.length > 200 && <span className="it muted">{String(shown.length - 200)} more, type to find them</span>}
      </div>
      <div className="pf">
        <span className="row end">
          <Button
            size="small"
            kind="primary"
            onClick={() => {
              onApply(draft);
            }}
          >
            Apply
          </Button>
        </span>
      </div>
    </div>
  );
}
