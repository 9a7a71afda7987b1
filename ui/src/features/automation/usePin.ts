import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '@/api';
import type { ApiError, Json } from '@/api';
import { toast } from '@/shared';
import { ExportYaml, ImportYaml } from './editor/queries';
import { withPin } from './pin';
import type { Target } from './useChanges';

/** Maximum length of a pinned output in characters: it is stored in the YAML of the workflow. */
export const longestPin = 64 * 1024;

/** Pins the output of a task for test runs and dry runs, or removes the pin; either can be undone. */
export function usePin() {
  const client = useQueryClient();
  const write = async (of: Target, yaml: string) => {
    await request(ImportYaml, { request: { account_id: of.account_id, id: of.id, yaml } });
    await client.invalidateQueries({ queryKey: ['graphql'] });
  };
  return useMutation<string, ApiError, { of: Target; task: string; output: Json | undefined }>({
    mutationFn: async ({ of, task, output }) => {
      const stored = await request(ExportYaml, { account: of.account_id, id: of.id });
      const before = stored.workflow_export?.yaml ?? '';
      const after = withPin(before, task, output);
      if (after === undefined) throw new Error(`${of.name} no longer has the task ${task}`);
      await write(of, after);
      return before;
    },
    onSuccess: (before, { of, task, output }) => {
      const undo = () => {
        write(of, before).catch((error: unknown) => {
          toast({ tone: 'bad', text: `${of.name} could not be restored: ${(error as Error).message}` });
        });
      };
      toast({
        tone: 'ok',
        text:
          output === undefined
            ? `${task} runs again in test runs`
            : `Pinned the output of ${task}: test runs and dry runs use it`,
        action: { label: 'Undo', run: undo },
      });
    },
  });
}
