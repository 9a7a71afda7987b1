import { useGraphQL } from '@/api';
import { Status, money, plural, share } from '@/shared';
import { AccountNames } from '../queries';
import { listingRows } from '@/api';
import type { PreviewAnswer } from './queries';
import { valuesOf } from './sums';
import { words } from './words';

const panel = words.panel;

/** The effect of the drafted rules on the month: each value, the charges without one, and their services. */
export function TagPreview({
  answer,
  error,
  monthName,
  several,
}: {
  answer: PreviewAnswer | undefined;
  error: string | undefined;
  monthName: string;
  several: boolean;
}) {
  const lines = valuesOf(answer?.rows ?? []);
  const without = answer?.without ?? [];
  const ids = [...new Set(without.map((source) => source.account_id))];
  const found = useGraphQL(AccountNames, { ids, limit: ids.length }, { enabled: ids.length > 0 });
  const names = new Map(
    listingRows(found.data?.cloud_accounts_v2).map((account) => [
      account.id,
      account.account_name ?? account.account_number,
    ]),
  );
  return (
    <section className="sec" aria-live="polite" aria-label={panel.preview}>
      <h3>{panel.preview}</h3>
      <p className="small muted">{panel.previewHelp(monthName)}</p>
      {error !== undefined && <Status tone="bad">{error}</Status>}
      {answer && lines.length === 0 && <p className="small muted">{panel.nothing}</p>}
      <ul>
        {lines.map((line) => (
          <li key={`${line.currency ?? ''} ${line.value ?? ''}`} className="li">
            {line.value === null ? (
              <span className="grow cut muted">{panel.without}</span>
            ) : (
              <span className="grow cut">{line.value}</span>
            )}
            <span className="num muted">{plural(line.charges, 'charge')}</span>
            <span className="num muted">{line.share === null ? '' : share(line.share)}</span>
            <span className="num">{money(line.amount, line.currency, { several })}</span>
          </li>
        ))}
      </ul>
      {without.length > 0 && (
        <>
          <h3>{panel.sources}</h3>
          <ul>
            {without.map((source) => (
              <li key={`${source.currency ?? ''} ${source.account_id} ${source.service_name ?? ''}`} className="li">
                <span className="grow cut">
                  {source.service_name ?? panel.noService} <span className="muted">{names.get(source.account_id)}</span>
                </span>
                <span className="num muted">{plural(source.charges, 'charge')}</span>
                <span className="num">{money(source.amount, source.currency, { several })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
