import { SearchBox, Select, count, fromField, toField, zone } from '@/shared';
import { levels, minute } from './lines';
import type { Level } from './lines';
import type { Go, LogsSearch } from './search';
import { help, levelNames } from './words';

/** Account, time, level and search; `many` is the number of lines per level, if known. */
export function LogFilters({
  account,
  accounts,
  search,
  from,
  to,
  many,
  onGo,
}: {
  account: string;
  accounts: readonly { id: string; account_name: string }[];
  search: LogsSearch;
  from: number;
  to: number;
  many: (level: Level) => number | undefined;
  onGo: Go;
}) {
  const label = (level: Level) => {
    const lines = many(level);
    return lines === undefined ? levelNames[level] : `${levelNames[level]} ${count(lines)}`;
  };
  return (
    <>
      <Select
        label="Account"
        value={account}
        options={accounts.map(({ id, account_name: name }) => ({ value: id, label: name }))}
        onChange={(next) => {
          onGo({ account: next, from: undefined, to: undefined, line: undefined });
        }}
      />
      <Time
        label={`From (${zone()})`}
        value={toField(new Date(from))}
        onChange={(value) => {
          onGo({ from: utc(value), to: minute(to), line: undefined });
        }}
      />
      <Time
        label={`To (${zone()})`}
        value={toField(new Date(to))}
        onChange={(value) => {
          onGo({ from: minute(from), to: utc(value), line: undefined });
        }}
      />
      <Select
        label="Level"
        value={search.level ?? ''}
        options={[
          { value: '', label: 'All' },
          ...levels.map((value) => ({ value: value as string, label: label(value) })),
        ]}
        onChange={(level) => {
          onGo({ level });
        }}
      />
      <span className="end-bar" title={help}>
        <SearchBox
          label="Search log lines"
          value={search.q ?? ''}
          onChange={(q) => {
            onGo({ q, line: undefined });
          }}
        />
      </span>
    </>
  );
}

/** The typed time in UTC, so that a link means the same hour everywhere. */
function utc(typed: string): string {
  return minute(fromField(typed).getTime());
}

function Time({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      type="datetime-local"
      className="in time"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => {
        if (event.target.value !== '') onChange(event.target.value.slice(0, 16));
      }}
    />
  );
}
