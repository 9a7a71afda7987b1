import { SearchX } from 'lucide-react';
import { host } from '@/host';
import {
  Button,
  DataTable,
  Empty,
  ExportButton,
  Status,
  count,
  plural,
  dateTime,
  share,
  useNarrow,
  useNow,
  zone,
} from '@/shared';
import type { Column } from '@/shared';
import { levels } from './lines';
import type { Level } from './lines';
import type { Pattern, Summary } from './queries';
import { levelNames, levelTones, patterns as words } from './words';

/** Repeated patterns of the lines found; a row opens its lines. */
export function PatternTable({
  of,
  error,
  retry,
  onOpen,
  onClear,
}: {
  of: Summary | undefined;
  error: Error | null;
  retry: () => unknown;
  onOpen: (pattern: Pattern) => void;
  onClear: () => void;
}) {
  const now = useNow();
  const narrow = useNarrow();
  const total = of?.total ?? 0;
  const columns = columnsOf(total, now);
  return (
    <>
      {of && (
        <p className="sums num">
          <span>
            <b>{count(of.pattern_total)}</b> {of.pattern_total === 1 ? 'pattern' : 'patterns'} of{' '}
            {plural(total, 'line')}
            {of.pattern_total > of.patterns.length && `, the ${count(of.patterns.length)} with the most lines`}
            {of.unmatched > 0 && `; ${count(of.unmatched)} lines match no pattern`}
          </span>
          <span className="muted hide-n">{words.help}</span>
          {of.patterns.length > 0 && (
            <ExportButton
              name="log patterns"
              size="small"
              columns={columns}
              rows={of.patterns}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          )}
        </p>
      )}
      <div className="list">
        <DataTable
          label="Patterns of log lines"
          columns={narrow ? columns.slice(0, 2) : columns}
          rows={of?.patterns}
          rowId={(pattern) => pattern.template}
          error={error}
          retry={retry}
          rowHeight={30}
          primary
          fill
          defaultSort={[{ id: 'count', desc: true }]}
          onOpen={onOpen}
          empty={
            <Empty icon={SearchX} title={words.none} action={<Button onClick={onClear}>Clear the search</Button>} />
          }
        />
      </div>
    </>
  );
}

function columnsOf(total: number, now: Date): Column<Pattern>[] {
  const time = (id: 'first_at' | 'last_at', header: string): Column<Pattern> => ({
    id,
    header,
    width: 158,
    value: (pattern) => pattern[id],
    cell: (pattern) => <span className="muted num">{dateTime(pattern[id], now)}</span>,
  });
  return [
    {
      id: 'template',
      header: 'Pattern',
      value: (pattern) => pattern.template,
      cell: (pattern) => (
        <span className="mono small cut block" title={`For example: ${pattern.example}`}>
          {pattern.template}
        </span>
      ),
    },
    {
      id: 'count',
      header: 'Lines',
      kind: 'number',
      width: 84,
      value: (pattern) => pattern.count,
      cell: (pattern) => count(pattern.count),
    },
    {
      id: 'share',
      header: 'Share',
      kind: 'number',
      sortable: false,
      width: 72,
      value: (pattern) => (total === 0 ? null : pattern.count / total),
      cell: (pattern) => share(total === 0 ? null : pattern.count / total),
    },
    {
      id: 'level',
      header: 'Worst level',
      width: 112,
      value: (pattern) => levels.indexOf(pattern.level as Level),
      csv: (pattern) => pattern.level,
      cell: ({ level }) => <Status tone={levelTones[level as Level]}>{levelNames[level as Level]}</Status>,
    },
    time('first_at', `First (${zone()})`),
    time('last_at', `Last (${zone()})`),
  ];
}
