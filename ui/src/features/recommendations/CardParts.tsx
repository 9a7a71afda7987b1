import { ExternalLink } from 'lucide-react';
import { ruleTitle } from '@/api';
import { Status, dateTimeZone, money, month, range, useNow, useToday } from '@/shared';
import type { Numeric } from '@/shared';
import { partOf } from './card';
import type { Card, Figure, Proof } from './card';
import type { Row } from './row';

/** The calculation of the saving, its figures, other sources with the same advice, and the proof in later bills. */
export function CardParts({ row }: { row: Row }) {
  const { card, currency } = row;
  const now = useNow();
  return (
    <>
      <Proved row={row} />
      {card.monthlyCost !== null && <Calculation card={card} currency={currency} savings={row.savings} />}
      {card.figures.length > 0 && (
        <section className="sec">
          <h3>Figures</h3>
          <dl className="kv">
            {card.figures.map((figure) => (
              <FigureLine key={figure.name} figure={figure} currency={currency} />
            ))}
          </dl>
        </section>
      )}
      {card.members.length > 0 && (
        <section className="sec">
          <h3>What it resolves</h3>
          <ul className="members">
            {card.members.map((member) => (
              <li key={member}>{member}</li>
            ))}
          </ul>
        </section>
      )}
      {card.witnesses.length > 0 && (
        <section className="sec">
          <h3>Reported by</h3>
          <dl className="kv">
            {card.witnesses.map((witness) => (
              <Pair key={`${witness.source} ${witness.rule}`} name={ruleTitle(witness.rule) ?? witness.source}>
                {witness.source}
                {witness.savings !== null && `, ${money(witness.savings, currency)} a month`}
              </Pair>
            ))}
          </dl>
        </section>
      )}
      {card.seenAt !== null && (
        <p className="muted small">The cluster as it was on {dateTimeZone(card.seenAt, now)}.</p>
      )}
      {card.limits !== null && <p className="muted small">{card.limits}</p>}
      {card.source !== null && (
        <p className="row small">
          <a className="row" href={card.source} target="_blank" rel="noreferrer">
            Rule reference <ExternalLink className="i s" />
          </a>
          {card.version !== null && <span className="muted">version {card.version} of the rule</span>}
        </p>
      )}
    </>
  );
}

function Pair({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </>
  );
}

function FigureLine({ figure: { name, value, unit }, currency }: { figure: Figure; currency: string }) {
  const isMoney = unit !== '' && unit === currency;
  return <Pair name={name}>{isMoney ? money(value, currency) : [String(value), unit].filter(Boolean).join(' ')}</Pair>;
}

function Calculation({ card, currency, savings }: { card: Card; currency: string; savings: Numeric | null }) {
  const now = useToday();
  return (
    <section className="sec">
      <h3>How the saving is worked out</h3>
      <dl className="kv">
        <Pair name="Cost per month">
          {money(card.monthlyCost, currency)}
          {card.period && <span className="muted"> by the bill of {range(card.period.from, card.period.to, now)}</span>}
        </Pair>
        {card.share !== null && <Pair name="Part that is saved">× {partOf(card.share)}</Pair>}
        {card.targetCost !== null && <Pair name="Cost afterwards">− {money(card.targetCost, currency)}</Pair>}
        <Pair name="Saving per month">= {money(savings, currency)}</Pair>
        {card.usage.length > 0 && <Pair name="Charges counted">{card.usage.join(', ')}</Pair>}
      </dl>
    </section>
  );
}

const verdicts = {
  verified: { tone: 'ok', text: 'Saving verified' },
  partial: { tone: 'warn', text: 'Saved in part' },
  none: { tone: 'bad', text: 'No saving in the bill' },
} as const satisfies Record<Proof['verdict'], unknown>;

/** The saving shown by later bills after closing. */
function Proved({ row: { card, savings } }: { row: Row }) {
  const { proof } = card;
  const now = useToday();
  if (!proof) return card.notVerified === null ? null : <p className="muted">Not proved yet. {card.notVerified}</p>;
  const { tone, text } = verdicts[proof.verdict];
  const amount = (value: Numeric | null) => money(value, proof.currency);
  const months = proof.months.length > 0 ? proof.months : [proof];
  return (
    <section className="sec" aria-label="Proof of the saving">
      <h3>Proof of the saving</h3>
      <p>
        <Status tone={tone}>{text}</Status> {amount(proof.saved)} in {month(`${proof.month}-01`, now)}; estimated were{' '}
        {amount(savings)}.
      </p>
      <div className="scroll" tabIndex={0} role="group" aria-label="Months after closing">
        <table className="tbl compact">
          <thead>
            <tr>
              {['Month', 'Before', 'After', 'Saved'].map((name, i) => (
                <th key={name} className={i === 0 ? '' : 'n'} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((one) => (
              <tr key={one.month}>
                <th scope="row">{month(`${one.month}-01`, now)}</th>
                <td className="n num">{amount(one.before)}</td>
                <td className="n num">{amount(one.after)}</td>
                <td className="n num">{amount(one.saved)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
