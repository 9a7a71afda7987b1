import { Link } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';
import { ruleTitle } from '@/api';
import type { Json } from '@/api';
import { CardParts } from './CardParts';
import { nameOf, rowsOf, valueOf } from './evidence';
import type { Row } from './row';
import { whyOf } from './title';

const ResourceChart = lazy(() => import('./ResourceChart').then((found) => ({ default: found.ResourceChart })));

/** The reason in sentences, all options compared with the current state, and facts of the file. */
export function Reason({ row }: { row: Row }) {
  const { evidence, stored } = row;
  const facts = Object.entries(evidence.facts);
  const sentences = row.card.why === null ? whyOf(evidence) : [row.card.why];
  return (
    <>
      <p className="read">{sentences.length > 0 ? sentences.join(' ') : row.reason}</p>
      {evidence.options.length > 0 && <Options row={row} />}
      <CardParts row={row} />
      {stored.cloud_resourse && (
        <Suspense>
          <ResourceChart row={row} resource={stored.cloud_resourse.id} />
        </Suspense>
      )}
      {evidence.options.length === 0 &&
        facts.length === 0 &&
        row.card.monthlyCost === null &&
        row.card.figures.length === 0 && (
          <p className="muted">This recommendation has no options and no measurements.</p>
        )}
      {facts.length > 0 && (
        <section className="sec">
          <h3>Measured</h3>
          <dl className="kv">
            {facts.map(([key, value]) => (
              <Fact key={key} name={nameOf(key)} value={valueOf(key, value, evidence.currency)} />
            ))}
          </dl>
        </section>
      )}
      <section className="sec">
        <h3>About</h3>
        <dl className="kv">
          <dt>Resource</dt>
          <dd>
            {stored.cloud_resourse ? (
              <Link to="/inventory/resources" search={{ id: stored.cloud_resourse.id }}>
                {row.resource}
              </Link>
            ) : (
              row.resource
            )}
          </dd>
          {stored.account_object_id && <Fact name="Identifier" value={stored.account_object_id} exact />}
          <Fact name="Account" value={accountOf(row)} />
          <dt>Rule</dt>
          <dd>
            {ruleTitle(stored.rule_name) ?? 'None'}{' '}
            {stored.rule_name && <span className="mono muted">{stored.rule_name}</span>}
          </dd>
          {evidence.finding && <Fact name="Finding" value={evidence.finding} exact />}
          {evidence.source === 'aws_compute_optimizer' && (
            <Fact
              name="Source"
              value="An export of AWS Compute Optimizer; its estimates are at on-demand prices unless it says otherwise"
            />
          )}
        </dl>
      </section>
    </>
  );
}

function accountOf({ account, stored }: Row): string {
  const { account_number: number, cloud_provider: provider } = stored.cloud_account;
  return [provider, account, number === account ? null : number].filter(Boolean).join(', ');
}

function Fact({ name, value, exact = false }: { name: string; value: string; exact?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={exact ? 'mono' : ''}>{value}</dd>
    </>
  );
}

function Options({ row: { evidence } }: { row: Row }) {
  const { current, options, currency } = evidence;
  const exact = (key: string, value: Json | undefined) =>
    key.endsWith('_type') && value !== undefined ? 'n mono' : 'n num';
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label="Options">
      <table className="tbl compact">
        <thead>
          <tr>
            <th>
              <span className="sr">What</span>
            </th>
            <th className="n" scope="col">
              Now
            </th>
            {options.map((_, i) => (
              <th key={i} className="n" scope="col">
                {i === 0 ? 'Proposed' : `Option ${String(i + 1)}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(evidence).map((key) => (
            <tr key={key}>
              <th scope="row">{nameOf(key)}</th>
              <td className={exact(key, current[key])}>{valueOf(key, current[key], currency)}</td>
              {options.map((option, i) => (
                <td key={i} className={exact(key, option[key])}>
                  {valueOf(key, option[key], currency)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
