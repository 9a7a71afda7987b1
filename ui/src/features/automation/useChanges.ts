import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request, useSession, useWhyNot } from '@/api';
import type { ApiError, Json } from '@/api';
import { toast } from '@/shared';
import { Cancel, Pause, Remove, Resume, Retrigger, RunFromTask, Trigger } from './queries';
import { texts } from './words';

/** A workflow that something is done to. */
export interface Target {
  id: string;
  account_id: string;
  name: string;
}

const writers = ['tenant_admin', 'account_admin'];

function useReasonOf(field: string): string | undefined {
  const whyNot = useWhyNot();
  const roles = useSession().data?.roles;
  const may = roles === undefined || roles.some((role) => writers.includes(role));
  return may ? whyNot({ fields: [field] }) : texts.mayNot;
}

/** Why the person cannot change workflows; undefined when they can. */
export const useReason = () => useReasonOf('workflow_update');

/** Why the user cannot run or activate workflows; undefined if allowed. */
export const useRunReason = () => useReasonOf('workflow_trigger');

function useRead() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['graphql'] });
}

interface Begin {
  of: Target;
  inputs?: Json;
  /** The run that is repeated. */
  repeats?: string;
  /** The task that it is repeated from. */
  from?: string;
  /** A test run: tasks with a pinned output return it instead of running. */
  usesPinned?: boolean;
}

/** Starts or repeats a run; returns its id. */
export function useBegin(onBegun: (run: string) => void) {
  const read = useRead();
  return useMutation<string | undefined, ApiError, Begin>({
    mutationFn: async ({ of, inputs, repeats, from, usesPinned }) => {
      const given = inputs === undefined ? {} : { inputs };
      if (repeats === undefined) {
        const begun = await request(Trigger, {
          request: { account_id: of.account_id, id: of.id, ...given, ...(usesPinned ? { uses_pinned: true } : {}) },
        });
        return begun.workflow_trigger?.execution_id;
      }
      if (from !== undefined) {
        const begun = await request(RunFromTask, {
          request: { account_id: of.account_id, workflow_id: of.id, execution_id: repeats, task_id: from, ...given },
        });
        return begun.workflow_run_from_task?.execution_id;
      }
      const begun = await request(Retrigger, {
        request: { account_id: of.account_id, workflow_id: of.id, execution_id: repeats, ...given },
      });
      return begun.workflow_retrigger_execution?.execution_id;
    },
    onSuccess: async (run, { of }) => {
      await read();
      toast({ tone: 'ok', text: `Started a run of ${of.name}` });
      if (run !== undefined) onBegun(run);
    },
  });
}

/** Cancels a run: no further task starts. */
export function useCancel() {
  const read = useRead();
  return useMutation<unknown, ApiError, { of: Target; run: string }>({
    mutationFn: ({ of, run }) =>
      request(Cancel, { request: { account_id: of.account_id, id: of.id, execution_id: run } }),
    onSuccess: async () => {
      await read();
      toast({ tone: 'ok', text: 'Canceled the run' });
    },
  });
}

/** Pauses or activates a workflow; either can be undone. */
export function useSwitch() {
  const read = useRead();
  const set = async (of: Target, isActive: boolean) => {
    const variables = { account: of.account_id, id: of.id };
    await (isActive ? request(Resume, variables) : request(Pause, variables));
    await read();
  };
  const failed = (of: Target) => (error: unknown) => {
    toast({ tone: 'bad', text: `${of.name} was not changed: ${(error as Error).message}` });
  };
  return (of: Target, isActive: boolean) => {
    set(of, isActive).then(() => {
      toast({
        tone: 'ok',
        text: isActive ? `${of.name} is active: its triggers start it` : `${of.name} is paused: it runs by hand only`,
        action: {
          label: 'Undo',
          run: () => {
            set(of, !isActive).catch(failed(of));
          },
        },
      });
    }, failed(of));
  };
}

/** Removes a workflow with its runs. */
export function useRemove(onRemoved: () => void) {
  const read = useRead();
  return useMutation<unknown, ApiError, Target>({
    mutationFn: (of) => request(Remove, { account: of.account_id, id: of.id }),
    onSuccess: async (_, of) => {
      onRemoved();
      await read();
      toast({ tone: 'ok', text: `Removed ${of.name}` });
    },
  });
}
