import { Link } from '@tanstack/react-router';
import { keepingUp, useGraphQL } from '@/api';
import { Panel, range, useToday, withSign } from '@/shared';
import { Digest } from './queries';
import { ToExplorer } from './ToExplorer';
import { digestOf } from './week';
import type { Sentence } from './week';

/** Changes of the last whole week and their causes, with the sentences of the weekly message. Nothing before the first one. */
export function WeekPanel({ sign }: { sign: string }) {
  const today = useToday();
  const insights = useGraphQL(Digest, {}, keepingUp);
  const digest = digestOf(insights.data?.insight ?? []);
  if (!digest) return null;
  return (
    <Panel
      title="Last week"
      meta={`${range(digest.from, digest.to, today)} against ${range(digest.comparedFrom, digest.comparedTo, today)}, billed`}
      actions={<Link to="/settings/notifications">Send weekly</Link>}
    >
      <ul>
        {digest.sentences.map((one) => (
          <Line key={one.id} one={one} title={withSign(one.title, sign)} days={{ from: digest.from, to: digest.to }} />
        ))}
      </ul>
    </Panel>
  );
}

function Line({ one, title, days }: { one: Sentence; title: string; days: { from: string; to: string } }) {
  return (
    <li className="li">
      <div className={one.isTotal ? 'grow t' : 'grow'}>{title}</div>
      {one.hasCosts && (
        <span className="go">
          <ToExplorer
            range={days}
            {...(one.service === null ? {} : { only: { field: 'service', value: one.service } })}
            currency={one.currency ?? undefined}
            compared
          >
            Charges<span className="sr"> of: {title}</span>
          </ToExplorer>
        </span>
      )}
    </li>
  );
}
