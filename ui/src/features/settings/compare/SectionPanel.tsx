import { CircleAlert } from 'lucide-react';
import { Loading, Panel, plural, useNow } from '@/shared';
import { CompareTable } from './CompareTable';
import { lines } from './line';
import type { SideAnswer } from './line';
import type { Section } from './sections';
import type { Side } from './side';

/** A section of both sides, and why one of them lacks it. */
export function SectionPanel({
  section,
  a,
  b,
  told,
  versions,
  onlyDifferences,
}: {
  section: Section;
  a: Side;
  b: Side;
  told: { a: SideAnswer; b: SideAnswer };
  /** Versions that differ from this computer's. */
  versions: { a: string | null; b: string | null };
  onlyDifferences: boolean;
}) {
  const now = useNow();
  const all = lines({ ...told, versions, missing: section.missing, now });
  const shown = onlyDifferences ? all.filter(({ mark }) => mark !== 'same') : all;
  const hidden = all.length - shown.length;
  const whys = [why(a, told.a, versions.a), why(b, told.b, versions.b)].filter((one) => one !== null);
  return (
    <Panel title={section.title} meta={hidden > 0 ? `${plural(hidden, 'row')} the same` : undefined}>
      {whys.map((one) => (
        <div key={one} className="note warn">
          <CircleAlert className="i" />
          <div>{one}</div>
        </div>
      ))}
      {all.length === 0 && (told.a === undefined || told.b === undefined) ? (
        <Loading lines={2} label={`Reading ${section.title}`} />
      ) : shown.length > 0 ? (
        <CompareTable label={section.title} lines={shown} a={a} b={b} />
      ) : (
        <p className="pb muted">{all.length > 0 ? 'No differences' : nothing(told)}</p>
      )}
    </Panel>
  );
}

function nothing({ a, b }: { a: SideAnswer; b: SideAnswer }): string {
  return a?.state === 'answered' && b?.state === 'answered' ? 'Nothing on either instance' : 'Nothing to compare';
}

/** Why a side lacks this section, unless the card above states it. */
function why(side: Side, told: SideAnswer, version: string | null): string | null {
  if (told === undefined || ['answered', 'signed_out', 'away'].includes(told.state)) return null;
  const { state, why } = told as Exclude<typeof told, { state: 'answered' }>;
  if (state !== 'lacks') return `${side.name}: ${why}`;
  return version === null
    ? `Your role in ${side.name} does not show this (${why}).`
    : `${side.name} runs version ${version}. That version or your role there does not show this (${why}).`;
}
