import { useMutation } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { request, useGraphQL, useWhyNot } from '@/api';
import { Button, Content, Hypotheses, Panel, lookedAt, time } from '@/shared';
import type { Causes } from '@/shared';
import { EventModels, EventRootCause } from './causeQueries';

/** The rules' analysis, or the words that a model has found for it. */
interface Analysis extends Causes {
  analysis: string;
  analysis_type: string;
}

/** The kind of an analysis made by rules; all other kinds are written by a model. */
const byRules = 'root_cause';

/** The likely causes of an event; *Explain* has a model describe them. */
export function Cause({ account, event }: { account: string; event: string }) {
  const query = useGraphQL(EventRootCause, { account, event, generate: false });
  const reason = useExplainReason(account);
  const explain = useMutation({
    mutationFn: async () => {
      const { ai_get_rca: answer } = await request(EventRootCause, { account, event, generate: true });
      return answer?.data as unknown as Analysis;
    },
  });
  const found = query.data?.ai_get_rca?.data as unknown as Analysis | undefined;
  const written = explain.data ?? (found?.analysis_type === byRules ? undefined : found);
  return (
    <>
      <Panel
        title="Likely cause"
        meta={`Worked out by rules${query.dataUpdatedAt > 0 ? ` at ${time(new Date(query.dataUpdatedAt))}` : ''}, no model used`}
        actions={
          written === undefined && (
            <Button
              size="small"
              busy={explain.isPending && 'Explaining'}
              reason={reason}
              onClick={() => {
                explain.mutate();
              }}
            >
              <Sparkles className="i s" />
              Explain
            </Button>
          )
        }
      >
        <Content of={{ ...query, data: found }} what="The causes could not be worked out" lines={3}>
          {(causes) => (
            <>
              <Hypotheses of={causes} />
              {causes.investigation.hypotheses.length === 0 && <p className="inside muted">{lookedAt(causes)}</p>}
            </>
          )}
        </Content>
      </Panel>
      {explain.error && (
        <div className="note bad" role="alert">
          <div className="grow">
            <div className="t">The causes could not be explained</div>
            <div className="muted wrap">{explain.error.message}</div>
          </div>
        </div>
      )}
      {written && (
        <Panel title="Explained" meta="Written by a model; sentences without evidence were left out" padded>
          <div className="stack" role="status">
            {written.analysis.split('\n').flatMap((line, at) =>
              line.trim() === ''
                ? []
                : [
                    <p className="read wrap" key={at}>
                      {line}
                    </p>,
                  ],
            )}
          </div>
        </Panel>
      )}
    </>
  );
}

/** Why no model is available; undefined if one is. */
function useExplainReason(account: string): string | undefined {
  const models = useGraphQL(EventModels, { account });
  const whyNot = useWhyNot()({ fields: ['ai_get_rca'] });
  const listed = models.data?.ai_list_models?.data as { models?: readonly object[] } | null | undefined;
  if (whyNot !== undefined) return whyNot;
  if (models.data === undefined) return models.error?.message ?? 'Looking for a model';
  return (listed?.models ?? []).length > 0 ? undefined : 'Needs a model: Settings, Model providers';
}
