import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request, useSession, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { toast } from '@/shared';
import { draftOf, rowOf } from './draft';
import type { Draft } from './draft';
import { AddReport, ChangeReport, SendReport } from './queries';
import type { Report } from './queries';
import { words } from './words';

export type Act =
  { kind: 'add'; draft: Draft } | { kind: 'change'; report: Report; draft: Draft } | { kind: 'remove'; report: Report };

/** Adds, changes, removes and sends reports; all but sending can be undone while the toast is there. Answers the id of what is there afterwards. */
export function useReportActs() {
  const client = useQueryClient();
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: ['insert_scheduled_report_one'] });
  const mayWrite = !session || session.roles.includes('tenant_admin');
  const reason = whyNot ?? (mayWrite ? undefined : words.readOnly);
  const readAgain = () => client.invalidateQueries({ queryKey: ['graphql'] });
  const act = useMutation<string | null, ApiError, Act>({
    mutationFn: async (act) => {
      const { id, back, text } = await perform(act);
      await readAgain();
      const name = act.kind === 'remove' ? act.report.name : act.draft.name.trim();
      const undo = () => {
        back()
          .then(readAgain)
          .then(() => toast({ tone: 'ok', text: words.done.undone(name) }))
          .catch((error: unknown) => {
            toast({ tone: 'bad', text: (error as Error).message });
          });
      };
      toast({ tone: 'ok', text: text(name), action: { label: words.done.undo, run: undo } });
      return id;
    },
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
  return { act, send, reason };
}

interface Done {
  id: string | null;
  /** Brings back what was before. */
  back: () => Promise<unknown>;
  text: (name: string) => string;
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
