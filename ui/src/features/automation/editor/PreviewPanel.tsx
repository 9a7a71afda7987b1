import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request, useGraphQL } from '@/api';
import type { ApiError, Json } from '@/api';
import { Button, Content, Field, Form, Select, dateTime, useNow } from '@/shared';
import { RunDetail } from '../queries';
import { runStates } from '../words';
import { previewOf, shownOf } from './preview';
import { DryRun, PastRuns } from './queries';

/** Renders a template with the inputs and outputs of a past run. Nothing is run or sent. */
export function PreviewPanel({
  account,
  workflow,
  reason,
}: {
  account: string;
  workflow: string | undefined;
  reason: string | undefined;
}) {
  const now = useNow();
  const runs = useGraphQL(PastRuns, { account, id: workflow ?? '' }, { enabled: workflow !== undefined });
  const [chosen, setChosen] = useState<string>();
  const [template, setTemplate] = useState('{{ Inputs | to_nice_json }}');
  const preview = useMutation<ReturnType<typeof shownOf>, ApiError, string>({
    mutationFn: async (run) => {
      const found = await request(RunDetail, { account, workflow: workflow ?? '', id: run });
      const past = found.workflow_get_execution;
      if (!past) throw new Error('The run no longer exists.');
      const inputs: Json = past.inputs ?? {};
      const asked = { account_id: account, definition: previewOf(past, template), inputs };
      return shownOf((await request(DryRun, { request: asked })).workflow_trigger_dryrun);
    },
  });
  if (workflow === undefined)
    return (
      <p className="muted">Save the workflow and run it once. You can then try templates with the data of that run.</p>
    );
  return (
    <Content
      of={{ ...runs, data: runs.data?.workflow_list_executions?.executions ?? undefined }}
      what="The runs could not be read"
    >
      {(all) => {
        const run = all.find(({ id }) => id === chosen) ?? all[0];
        if (!run) return <p className="muted">No runs yet. Run the workflow once to try templates with its data.</p>;
        return (
          <Form
            className="stack"
            onSubmit={() => {
              preview.mutate(run.id);
            }}
          >
            <Select
              label="Run"
              value={run.id}
              options={all.map((one) => ({
                value: one.id,
                label: `${dateTime(one.start_time ?? '', now)}, ${(runStates[one.status]?.name ?? one.status).toLowerCase()}`,
              }))}
              onChange={setChosen}
            />
            <Field
              label="Template"
              help="Inputs, Tasks, Vars and the filters of templates, as in a parameter of a task."
            >
              {(control) => (
                <textarea
                  {...control}
                  className="in area mono"
                  rows={3}
                  spellCheck={false}
                  value={template}
                  onChange={(event) => {
                    setTemplate(event.target.value);
                  }}
                />
              )}
            </Field>
            <div className="row">
              <Button type="submit" reason={reason} busy={preview.isPending && 'Rendering'}>
                Show
              </Button>
            </div>
            {preview.error && (
              <span className="err" role="alert">
                {preview.error.message}
              </span>
            )}
            {preview.data &&
              ('text' in preview.data ? (
                <pre className="wf-log" tabIndex={0} aria-label="Rendered template">
                  {preview.data.text}
                </pre>
              ) : (
                <span className="err" role="alert">
                  {preview.data.problem}
                </span>
              ))}
          </Form>
        );
      }}
    </Content>
  );
}
