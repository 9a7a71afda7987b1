import { CircleX, Puzzle, Undo2 } from 'lucide-react';
import type { ImportReport } from '@/api';
import { count } from '@/shared';

/** Explains the state of an import that is neither done nor failed. */
export function StateNote({ report }: { report: ImportReport }) {
  switch (report.state) {
    case 'waiting_for_parts':
      return <MissingParts report={report} />;
    case 'nothing_read':
      return (
        <div className="note bad">
          <CircleX className="i" />
          <div>
            <b>No row of this file could be read</b>
            <p>
              It was recognised{report.format && ` as ${report.format.title}`}, but each of its{' '}
              {count(report.rows_read)} rows has an error. Nothing was imported or replaced. Correct the errors below,
              then import the file again.
            </p>
          </div>
        </div>
      );
    case 'undone':
      return (
        <div className="note">
          <Undo2 className="i" />
          <div>
            <b>This import was undone</b>
            <p>No data of this import is stored. The figures below show its changes before that.</p>
          </div>
        </div>
      );
    default:
      return null;
  }
}

function missingWords(missing: number, parts: number): string {
  if (parts === 1) return 'The only part of this delivery is missing';
  return `${count(missing)} of ${count(parts)} parts of this delivery ${missing === 1 ? 'is' : 'are'} missing`;
}

function MissingParts({ report }: { report: ImportReport }) {
  const parts = report.delivery?.parts ?? [];
  const missing = parts.filter((part) => !part.is_present);
  const manifest = report.delivery?.manifest;
  return (
    <div className="note warn">
      <Puzzle className="i" />
      <div>
        <b>
          {missing.length > 0 ? missingWords(missing.length, parts.length) : 'All parts of this delivery are present'}
        </b>
        <p>
          {manifest ? (
            <>
              The manifest <span className="mono">{manifest.file_name}</span> lists them.{' '}
            </>
          ) : null}
          Nothing was changed.{' '}
          {missing.length > 0
            ? 'Drop the missing files here; the delivery is imported as a whole when it is complete.'
            : 'Some of its files wait for a decision; the delivery is imported as a whole afterwards.'}
        </p>
        {missing.length > 0 && (
          <ul className="mono parts" aria-label="Missing parts">
            {missing.map((part) => (
              <li key={part.file_name}>{part.file_name}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
