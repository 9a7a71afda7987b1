import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request, useSession, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { toast } from '@/shared';
import { texts } from '../words';
import { RunPilot, RunPlaybook, SetPilotStatus, SetPlaybookStatus } from './queries';
import type { Pilot, Playbook } from './queries';

const writers = ['tenant_admin', 'account_admin'];

/** Something that is done to an auto-pilot or a playbook. */
export type Act =
  | { kind: 'run-pilot'; of: Pilot }
  | { kind: 'turn-pilot'; of: Pilot; to: 'Active' | 'Disabled' }
  | { kind: 'run-playbook'; of: Playbook }
  | { kind: 'turn-playbook'; of: Playbook; to: 'ACTIVE' | 'DISABLED' };

/** Why the person cannot change or run them; undefined when they can. */
export function usePilotReason(): string | undefined {
  const whyNot = useWhyNot();
  const roles = useSession().data?.roles;
  const may = roles === undefined || roles.some((role) => writers.includes(role));
  return may ? whyNot({ fields: ['auto_optimize_update_status'] }) : texts.mayNot;
}

async function carryOut(act: Act): Promise<string> {
  const { of } = act;
  switch (act.kind) {
    case 'run-pilot': {
      const ran = await request(RunPilot, { request: { id: of.id, account_id: of.account_id } });
      return `${of.name}: ${ran.auto_optimize_run_now?.message ?? 'it ran'}`;
    }
    case 'turn-pilot': {
      const turned = await request(SetPilotStatus, {
        request: { id: of.id, account_id: of.account_id, status: act.to },
      });
      const status = turned.auto_optimize_update_status?.status;
      if (status === 'DRAFT') return `${of.name} waits for approval by reviewers`;
      return act.to === 'Active' ? `${of.name} is active` : `${of.name} is paused`;
    }
    case 'run-playbook': {
      const ran = await request(RunPlaybook, { request: { id: of.id } });
      return `${of.name}: ${ran.auto_runbook_manually_run?.status ?? 'it runs'}`;
    }
    case 'turn-playbook':
      await request(SetPlaybookStatus, { request: { id: of.id, status: act.to } });
      return act.to === 'ACTIVE' ? `${of.name} is active` : `${of.name} is paused`;
  }
}

/** Runs, pauses and activates; shows the result. */
export function usePilotChanges() {
  const client = useQueryClient();
  return useMutation<string, ApiError, Act>({
    mutationFn: carryOut,
    onSuccess: async (told) => {
      await client.invalidateQueries({ queryKey: ['graphql'] });
      toast({ tone: 'ok', text: told });
    },
    onError: (error, { of }) => {
      toast({ tone: 'bad', text: `${of.name}: ${error.message}` });
    },
  });
}
