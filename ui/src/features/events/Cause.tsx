import { useGraphQL } from '@/api';
import { Content, Panel, plural } from '@/shared';
import { likelihoods } from './cause';
import type { Causes } from './cause';
import { EventRootCause } from './queries';

/** The likely causes, each with what speaks for and against it. */
export function Cause({ account, event }: { account: string; event: string }) {
  const query = useGraphQL(EventRootCause, { account, event });
  return (
    <Panel title="Likely cause" meta="Worked out by rules, no model used">
      <Content of={query} what="The causes could not be worked out" lines={3}>
        {({ ai_get_rca: answer }) => {
          const { summary, investigation } = answer?.data as unknown as Causes;
          const title = (id: string) => investigation.evidence.find((known) => known.id === id)?.title;
          const looked = Object.entries(investigation.looked_at).filter(([, many]) => many > 0);
          return (
            <>
              {investigation.hypotheses.length === 0 && (
                <p className="inside muted">
                  {summary}{' '}
                  {looked.length > 0 &&
                    `Looked at ${looked.map(([what, many]) => `${plural(many, 'row')} of ${what}`).join(', ')}.`}
                </p>
              )}
              {investigation.hypotheses.map((one) => (
                <div className={one.rank === 1 ? 'hyp lead' : 'hyp'} key={one.rank}>
                  <span className="rk">{one.rank}</span>
                  <div>
                    <b>{one.claim}</b>
                    <div className="muted small">{one.reason}</div>
                    <div className="row wrapping small">
                      {one.evidence.map((id) => (
                        <span className="ev" key={id}>
                          <b>{id}</b>
                          {title(id)}
                        </span>
                      ))}
                      {one.against.map((id) => (
                        <span className="ev no" key={id}>
                          <b>{id}</b>
                          {title(id)} against
                        </span>
                      ))}
                    </div>
                    <div className="small">{one.next}</div>
                  </div>
                  <div className="likely small">
                    <b className="num">{one.score} of 100</b>
                    <div className="scorebar">
                      <span style={{ width: `${String(one.score)}%` }} />
                    </div>
                    <span className="muted">{likelihoods[one.likelihood]}</span>
                  </div>
                </div>
              ))}
            </>
          );
        }}
      </Content>
    </Panel>
  );
}
