import { useGraphQL } from '@/api';
import { Content, Fact, plural, timeSeconds } from '@/shared';
import { PodLines } from './queries';
import { troubleOf } from './row';
import type { Pod } from './row';
import { why } from './words';

/** Lines that are shown. */
const few = 6;
const day = 86_400_000;

/** The selector of a pod's log lines before it was last seen. */
export function linesOf({ name, namespace, last_seen: seen }: Pick<Pod, 'name' | 'namespace' | 'last_seen'>) {
  const at = Date.parse(`${seen.replace(/Z$/, '')}Z`);
  const label = (value: string) => value.replace(/["\\]/g, (one) => `\\${one}`);
  return {
    query: `{pod="${label(name)}", namespace=~"|${label(escaped(namespace))}"}`,
    start_time: at - day,
    end_time: at + day,
    limit: few,
  };
}

/** Escapes special characters of patterns. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Why a pod does not run: the reason of the cluster, an explanation, and its last log lines. */
export function Trouble({ pod, cluster }: { pod: Pod; cluster: string }) {
  const trouble = troubleOf(pod);
  const query = useGraphQL(
    PodLines,
    { request: { account_id: cluster, ...linesOf(pod) } },
    { enabled: trouble !== null },
  );
  if (trouble === null) return null;
  const { meaning, message, containers, end } = trouble;
  return (
    <>
      <section className="sec">
        <h3>{containers.length > 0 || end === null ? why.title : why.ended}</h3>
        {meaning.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {message && <p className="mono small wrap">{message}</p>}
        <dl className="kv">
          {containers.map(({ name, state, restarts }) => (
            <Fact key={name} name={name}>
              {state}
              {restarts !== null && restarts > 0 && `, ${plural(restarts, 'restart')}`}
            </Fact>
          ))}
          <Fact name="Ended before">{end}</Fact>
        </dl>
      </section>
      <section className="sec">
        <h3>{why.lines}</h3>
        <Content of={query} what="Its log lines could not be read" lines={3}>
          {({ logs_query: lines }) =>
            !lines || lines.length === 0 ? (
              <p className="muted">{why.noLines}</p>
            ) : (
              <div className="pod-lines mono small" tabIndex={0} role="group" aria-label={why.lines}>
                {lines.toReversed().map(
                  (line, at) =>
                    line && (
                      <p key={at}>
                        <span className="muted">{timeSeconds(line.timestamp)}</span>{' '}
                        {/^(err|fatal|crit|panic)/i.test(line.severity) ? (
                          <b className="bad">{line.message}</b>
                        ) : (
                          line.message
                        )}
                      </p>
                    ),
                )}
              </div>
            )
          }
        </Content>
      </section>
    </>
  );
}
