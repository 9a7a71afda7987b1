import { Fragment, useState } from 'react';
import type { Amount, ImportSums } from '@/api';
import { Button, count, money, subtract } from '@/shared';
import { byPeriods, isMixed, isSettled, periodName, periodsOf } from './sums';
import type { ReplacedPeriod } from './sums';

/** The effect of files on stored costs: their sum, added, replaced, and stored amounts. Always expanded. */
export function Sums({ sums, files = 1 }: { sums: ImportSums; files?: number }) {
  const several = isMixed(sums);
  // One period is shown in a line; several in a table, each amount once.
  const hasPeriods = Math.max(sums.added.length, sums.stored.length) > 1;
  const settled = isSettled(sums);
  return (
    <div className="moved">
      <dl className="moved-figs">
        <Amounts title={files > 1 ? `In the ${count(files)} files` : 'In the file'} of={sums.file} several={several} />
        {settled && !hasPeriods && <Amounts title="Added" of={sums.added} several={several} nothing="Nothing" />}
        {settled && sums.replaced.length === 0 && (
          <div>
            <dt>Replaced</dt>
            <dd className="muted">Nothing</dd>
          </div>
        )}
        {settled && !hasPeriods && <Amounts title="Stored now" of={sums.stored} several={several} nothing="No costs" />}
      </dl>
      {hasPeriods && <Periods sums={sums} several={several} />}
      {sums.replaced.length > 0 && <Replaced periods={byPeriods(sums.replaced)} several={several} />}
    </div>
  );
}

/** Periods that are written out; a file of years would fill the page. */
const periodsShown = 6;

function Amounts({
  title,
  of,
  several,
  nothing = '–',
}: {
  title: string;
  of: readonly Amount[];
  several: boolean;
  nothing?: string;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? of : of.slice(0, periodsShown);
  return (
    <div>
      <dt>{title}</dt>
      {of.length === 0 && <dd className="muted">{nothing}</dd>}
      {shown.map((amount) => (
        <dd key={`${amount.period ?? ''} ${amount.currency}`}>
          <b className="num" title={`${amount.billed_cost} ${amount.currency}`}>
            {money(amount.billed_cost, amount.currency, { several })}
          </b>
          {amount.period && <span className="small muted"> {periodName(amount.period)}</span>}
        </dd>
      ))}
      {shown.length < of.length && (
        <dd>
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              setAll(true);
            }}
          >
            Show all {count(of.length)} periods
          </Button>
        </dd>
      )}
    </div>
  );
}

/** One row per period: the amount added and the amount stored now. */
function Periods({ sums, several }: { sums: ImportSums; several: boolean }) {
  const [all, setAll] = useState(false);
  const periods = periodsOf(sums);
  const shown = all ? periods : periods.slice(0, periodsShown);
  const amount = (of: Amount | undefined) =>
    of ? (
      <td className="n" title={`${of.billed_cost} ${of.currency}`}>
        {money(of.billed_cost, of.currency, { several })}
      </td>
    ) : (
      <td className="n muted">–</td>
    );
  return (
    <div className="tw" tabIndex={0} role="group" aria-label="Added and stored by period">
      <table className="tbl compact replaced">
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col" className="n">
              Added
            </th>
            <th scope="col" className="n">
              Stored now
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ period, currency, added, stored }) => (
            <tr key={`${period} ${currency}`}>
              <td>{period === '' ? 'Without a period' : periodName(period)}</td>
              {amount(added)}
              {amount(stored)}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < periods.length && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            setAll(true);
          }}
        >
          Show all {count(periods.length)} periods
        </Button>
      )}
    </div>
  );
}

/** Accounts of one period listed before "show all". */
const accountsShown = 8;

/** Replaced amounts: the total of each period, and its accounts, before and after. */
function Replaced({ periods, several }: { periods: readonly ReplacedPeriod[]; several: boolean }) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : periods.reduce((sum, { accounts }) => sum + Math.max(0, accounts.length - accountsShown), 0);
  return (
    <div className="tw" tabIndex={0} role="group" aria-label="What was replaced">
      <table className="tbl compact replaced">
        <thead>
          <tr>
            <th scope="col">Replaced</th>
            <th scope="col" className="n">
              Before
            </th>
            <th scope="col" className="n">
              After
            </th>
            <th scope="col" className="n">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.map((one) => (
            <Fragment key={`${one.period} ${one.currency}`}>
              <tr className="sum">
                <th scope="row">{periodName(one.period)}</th>
                <BeforeAfter {...one} several={several} />
              </tr>
              {one.accounts.slice(0, all ? undefined : accountsShown).map((account) => (
                <tr key={account.account}>
                  <td className="account">
                    {account.account_name !== account.account && account.account_name}{' '}
                    <span className="mono muted">{account.account}</span>
                  </td>
                  <BeforeAfter {...account} several={several} />
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            setAll(true);
          }}
        >
          Show {count(hidden)} more accounts
        </Button>
      )}
    </div>
  );
}

/** Three cells: before, after, and the difference. */
export function BeforeAfter({
  before,
  after,
  currency,
  several,
}: {
  before: string;
  after: string;
  currency: string;
  several: boolean;
}) {
  return (
    <>
      <td className="n muted" title={`${before} ${currency}`}>
        {money(before, currency, { several })}
      </td>
      <td className="n" title={`${after} ${currency}`}>
        {money(after, currency, { several })}
      </td>
      <td className="n muted">{money(subtract(after, before), currency, { several, sign: true })}</td>
    </>
  );
}
