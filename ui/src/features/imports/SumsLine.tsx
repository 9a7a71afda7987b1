import type { Amount, ImportSums } from '@/api';
import { money } from '@/shared';
import { byPeriods, isMixed, isSettled, periodName } from './sums';

/** The effect of one of several files, in a line; the sums of all files are above it. */
export function SumsLine({ sums }: { sums: ImportSums }) {
  const several = isMixed(sums);
  const replaced = byPeriods(sums.replaced);
  return (
    <dl className="sumsline small">
      <Part title="In the file" of={sums.file} several={several} />
      {isSettled(sums) && (
        <>
          <Part title="Added" of={sums.added} several={several} />
          <div>
            <dt>Replaced</dt>
            {replaced.length === 0 && <dd className="muted">nothing</dd>}
            {replaced.map((one) => (
              <dd key={`${one.period} ${one.currency}`}>
                {money(one.before, one.currency, { several })} → <b>{money(one.after, one.currency, { several })}</b>{' '}
                <span className="muted">{periodName(one.period)}</span>
              </dd>
            ))}
          </div>
          <Part title="Stored now" of={sums.stored} several={several} />
        </>
      )}
    </dl>
  );
}

function Part({ title, of, several }: { title: string; of: readonly Amount[]; several: boolean }) {
  return (
    <div>
      <dt>{title}</dt>
      {of.length === 0 && <dd className="muted">nothing</dd>}
      {of.map((amount) => (
        <dd key={`${amount.period ?? ''} ${amount.currency}`} title={`${amount.billed_cost} ${amount.currency}`}>
          <b className="num">{money(amount.billed_cost, amount.currency, { several })}</b>
          {amount.period && <span className="muted"> {periodName(amount.period)}</span>}
        </dd>
      ))}
    </div>
  );
}
