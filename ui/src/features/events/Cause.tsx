import { useGraphQL } from '@/api';
import { Content, Hypotheses, Panel, lookedAt } from '@/shared';
import type { Causes } from '@/shared';
import { EventRootCause } from './queries';

/** The likely causes of an event. */
export function Cause({ account, event }: { account: string; event: string }) {
  const query = useGraphQL(EventRootCause, { account, event });
  return (
    <Panel title="Likely cause" meta="Worked out by rules, no model used">
      <Content of={query} what="The causes could not be worked out" lines={3}>
        {({ ai_get_rca: answer }) => {
          const causes = answer?.data as unknown as Causes;
          return (
            <>
              <Hypotheses of={causes} />
              {causes.investigation.hypotheses.length === 0 && <p className="inside muted">{lookedAt(causes)}</p>}
            </>
          );
        }}
      </Content>
    </Panel>
  );
}
