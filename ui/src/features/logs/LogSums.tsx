import { host } from '@/host';
import { Button, ExportButton, count, dateTime, dateTimeZone, parseTime, useNow } from '@/shared';
import type { Column } from '@/shared';
import { minute, sourceOf } from './lines';
import type { Line } from './lines';
import type { Go } from './search';
import { mostLines } from './useLines';
import type { useLines } from './useLines';

/** How many lines were found and how many are stored; all stored time, and the lines as a file. */
export function LogSums({
  of: { stored, end, isSound, all, lines },
  total,
  onGo,
}: {
  of: ReturnType<typeof useLines>;
  /** The number of lines found, if known. */
  total: number | undefined;
  onGo: Go;
}) {
  const now = useNow();
  const [first, last] = [stored?.min?.timestamp, stored?.max?.timestamp];
  return (
    <p className="sums num" role="status">
      {!isSound && <span className="st bad">“From” is not before “To”. Choose an earlier start.</span>}
      {lines && isSound && (
        <span>
          <b>{count(total ?? lines.length)}</b> {(total ?? lines.length) === 1 ? 'line' : 'lines'}
          {all?.length === mostLines &&
            (total === undefined
              ? ` of the newest ${count(mostLines)}. Choose a shorter time for the others`
              : total > mostLines && `, the newest ${count(mostLines)} are listed`)}
        </span>
      )}
      {stored && (
        <span className="muted hide-n">
          {count(stored.count)} stored
          {first && last ? `, ${dateTime(first, now)} to ${dateTimeZone(last, now)}` : ''}
        </span>
      )}
      {stored && stored.count > 0 && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            onGo({ from: minute(parseTime(first ?? '').getTime()), to: minute(end), line: undefined });
          }}
        >
          All stored time
        </Button>
      )}
      {lines && lines.length > 0 && isSound && (
        <ExportButton
          name="log lines"
          size="small"
          columns={exported}
          rows={lines}
          save={(file, text, type) => host.saveFile(file, text, type)}
        />
      )}
    </p>
  );
}

/** The columns of an export. */
const exported: Column<Line>[] = [
  { id: 'time', header: 'Time', value: (line) => line.time },
  { id: 'level', header: 'Level', value: (line) => line.level },
  { id: 'source', header: 'Source', value: sourceOf },
  { id: 'text', header: 'Text', value: (line) => line.text },
  { id: 'labels', header: 'Labels', value: (line) => JSON.stringify(Object.fromEntries(line.labels)) },
];
