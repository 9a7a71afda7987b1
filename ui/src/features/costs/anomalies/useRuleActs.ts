import { request } from '@/api';
import { useUndoableActs } from '../useUndoableActs';
import type { Done } from '../useUndoableActs';
import { AddRule, ChangeRule, RemoveRule } from './rules/queries';
import { draftOf, given, metricNames } from './rules/rule';
import type { Draft, Rule } from './rules/rule';

export type Act =
  { kind: 'add'; draft: Draft } | { kind: 'change'; rule: Rule; draft: Draft } | { kind: 'switch'; rule: Rule };

const words = {
  readOnly: 'Detection rules need the role tenant_admin or account_admin',
  done: { undo: 'Undo', undone: (name: string) => `Undone: ${name} as before` },
};

/** Adds, changes and switches rules; each act can be undone while its toast is there. */
export function useRuleActs() {
  return useUndoableActs<Act>({
    field: 'anomaly_config_update',
    roles: ['tenant_admin', 'account_admin'],
    words,
    nameOf: (act) => `Rule for ${metricNames[act.kind === 'add' ? act.draft.metric : act.rule.anomaly_type]}`,
    perform,
  });
}

async function perform(act: Act): Promise<Done> {
  if (act.kind === 'add') {
    const { account, metric } = act.draft;
    const answer = await request(AddRule, {
      request: { account_id: account, anomaly_type: metric, ...given(act.draft) },
    });
    const id = answer.anomaly_config_create?.id ?? null;
    // Switched off first, which also removes its anomalies.
    const back = async () => {
      if (id === null) return;
      await request(ChangeRule, { request: { id, enabled: false } });
      await request(RemoveRule, { id });
    };
    return { id, back, text: (name) => `${name} added` };
  }
  const { id, enabled } = act.rule;
  if (act.kind === 'change') {
    await request(ChangeRule, { request: { id, ...given(act.draft) } });
    const before = given(draftOf(act.rule));
    return { id, back: () => request(ChangeRule, { request: { id, ...before } }), text: (name) => `${name} changed` };
  }
  await request(ChangeRule, { request: { id, enabled: !enabled } });
  const back = () => request(ChangeRule, { request: { id, enabled } });
  return { id, back, text: (name) => `${name} is ${enabled ? 'off' : 'on'}` };
}
