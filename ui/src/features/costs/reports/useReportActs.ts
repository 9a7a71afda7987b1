import { useMutation } from '@tanstack/react-query';
import { request, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { toast } from '@/shared';
import { useUndoableActs } from '../useUndoableActs';
import type { Done } from '../useUndoableActs';
import { draftOf, rowOf } from './draft';
import type { Draft } from './draft';
import { AddReport, ChangeReport, SendReport } from './queries';
import type { Report } from './queries';
import { words } from './words';

export type Act =
  { kind: 'add'; draft: Draft } | { kind: 'change'; report: Report; draft: Draft } | { kind: 'remove'; report: Report };

/** Adds, changes, removes and sends reports; all but sending can be undone while the toast is shown. Returns the id of the resulting report. */
export function useReportActs() {
  const { act, reason, readAgain } = useUndoableActs<Act>({
    field: 'insert_scheduled_report_one',
    words,
    nameOf: (act) => (act.kind === 'remove' ? act.report.name : act.draft.name.trim()),
    perform,
  });
  const send = useMutation<string, ApiError, Report>({
    mutationFn: async (report) => {
      const answer = await request(SendReport, { id: report.id });
      await readAgain();
      const told = report.channel_id === null ? words.panel.kept : words.panel.sent;
      toast({ tone: 'ok', text: told(report.name) });
      return answer.report_send.run_id;
    },
  });
  const sendReason = useWhyNot()({ fields: ['report_send'] });
  return { act, send, reason, sendReason };
}

/** Removed reports are marked, so that their history comes back with them. */
const remove = (id: string) => request(ChangeReport, { id, report: { removed_at: new Date().toISOString() } });

async function perform(act: Act): Promise<Done> {
  if (act.kind === 'add') {
    const answer = await request(AddReport, { report: rowOf(act.draft) });
    const id = answer.insert_scheduled_report_one?.id ?? null;
    return { id, back: () => (id === null ? Promise.resolve() : remove(id)), text: words.done.added };
  }
  const { id } = act.report;
  if (act.kind === 'change') {
    await request(ChangeReport, { id, report: rowOf(act.draft) });
    const before = rowOf(draftOf(act.report));
    return { id, back: () => request(ChangeReport, { id, report: before }), text: words.done.changed };
  }
  await remove(id);
  const back = () => request(ChangeReport, { id, report: { removed_at: null } });
  return { id: null, back, text: words.done.removed };
}
