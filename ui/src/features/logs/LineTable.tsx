import { SearchX } from 'lucide-react';
import { Button, DataTable, Empty, Status, onWall, parseTime, timeSeconds, useNarrow, zone, zoneShort } from '@/shared';
import type { Column } from '@/shared';
import { levels, sourceOf } from './lines';
import type { Line } from './lines';
import { levelNames, levelTones } from './words';

/** "2026-11-20 06:30:04.123456" where the person is: to the part of a second that the line has. */
export function fullTime(text: string): string {
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  return `${onWall(parseTime(text)).toISOString().slice(0, 19).replace('T', ' ')}${fraction}`;
}

/** The lines that were found, newest first. */
export function LineTable({
  lines,
  error,
  retry,
  openId,
  onOpen,
  onClear,
}: {
  lines: readonly Line[] | undefined;
  error: Error | null;
  retry: () => unknown;
  openId: string | null;
  onOpen: (line: Line) => void;
  onClear: () => void;
}) {
  const narrow = useNarrow();
  const time: Column<Line> = {
    id: 'time',
    header: `Time (${zone()})`,
    width: narrow ? 114 : 190,
    value: (line) => line.time,
    cell: (line) => (
      <span className="mono small" title={`${fullTime(line.time)} ${zoneShort(parseTime(line.time))}`}>
        {narrow ? timeSeconds(line.time) : fullTime(line.time)}
      </span>
    ),
  };
  const level: Column<Line> = {
    id: 'level',
    header: 'Level',
    width: 104,
    value: (line) => levels.indexOf(line.level),
    cell: (line) => <Status tone={levelTones[line.level]}>{levelNames[line.level]}</Status>,
  };
  const text: Column<Line> = {
    id: 'text',
    header: 'Message',
    value: (line) => line.text,
    cell: (line) => (
      <span className="mono small cut block" title={line.text}>
        {line.text}
      </span>
    ),
  };
  const source: Column<Line> = { id: 'source', header: 'From', width: 190, value: sourceOf };
  return (
    <div className="list">
      <DataTable
        label="Log lines"
        columns={narrow ? [text, time] : openId === null ? [text, time, level, source] : [text, time, level]}
        rows={lines}
        rowId={(line) => line.id}
        error={error}
        retry={retry}
        rowHeight={30}
        primary
        fill
        defaultSort={[{ id: 'time', desc: true }]}
        openId={openId}
        onOpen={onOpen}
        empty={
          <Empty icon={SearchX} title="No line matches" action={<Button onClick={onClear}>Clear the search</Button>}>
            No log line in this period matches. Search all stored time with the button above.
          </Empty>
        }
      />
    </div>
  );
}
