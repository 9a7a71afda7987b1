import { parseTime, plural } from '@/shared';
import type { Approval } from './queries';

/** A line of a plan: removed, added, or unchanged. */
export interface PlanLine {
  sign: '+' | '-' | '';
  text: string;
}

/** The lines of a plan; those of a difference carry their sign. */
export function planLines(plan: string): PlanLine[] {
  return plan
    .replace(/\n+$/, '')
    .split('\n')
    .map((line): PlanLine => {
      const [, sign, text] = /^([+-])(?![+-]{2})(.*)$/.exec(line) ?? [];
      // A YAML list also starts lines with a sign, but followed by a space and without a diff around it.
      if (sign !== undefined && isDifference(plan)) return { sign: sign === '+' ? '+' : '-', text: text ?? '' };
      return { sign: '', text: line };
    });
}

function isDifference(plan: string): boolean {
  return /^(@@ |--- |\+\+\+ |\+)/m.test(plan);
}

/** Until when an answer counts: "expires in 46 h". */
export function dueWords(due: string | null, now: Date): string | undefined {
  if (due === null) return undefined;
  const minutes = Math.round((parseTime(due).getTime() - now.getTime()) / 60_000);
  if (minutes <= 0) return 'timed out';
  if (minutes < 120) return `expires in ${String(minutes)} min`;
  return `expires in ${String(Math.round(minutes / 60))} h`;
}

/** The approvers: "2 people out of ana@example.com, tenant_admin, not the author". */
export function policyWords({ minimum, approvers, excludes_author: excludes }: Approval): string {
  const many = plural(minimum, 'person', 'people');
  const who = approvers.length === 0 ? 'who can change workflows of the account' : `out of ${approvers.join(', ')}`;
  return `${many} ${who}${excludes ? ', not the author' : ''}`;
}

/** The state of an approval, in words. */
export function standingWords(approval: Approval): string {
  if (approval.status === 'EXPIRED') return 'Expired';
  if (approval.status === 'CANCELED') return 'Canceled';
  if (approval.status !== 'OPEN') {
    const by = approval.answered_by === null ? '' : ` by ${approval.answered_by}`;
    return `${optionWords(approval.answer ?? 'answered').done}${by}`;
  }
  return approval.may_answer ? 'Waits for you' : 'Waits for others';
}

const known: Record<string, { verb: string; done: string }> = {
  approve: { verb: 'Approve', done: 'Approved' },
  reject: { verb: 'Reject', done: 'Rejected' },
};

/** The button label of an option, and its label once chosen. */
export function optionWords(option: string): { verb: string; done: string } {
  const words = option.charAt(0).toUpperCase() + option.slice(1).replaceAll('_', ' ');
  return known[option] ?? { verb: words, done: words };
}

/** Why a decision cannot be sent: every option but the first needs a reason. */
export function problemOfAnswer(approval: Approval, option: string, comment: string): string | undefined {
  const needs = option !== approval.options[0];
  return needs && comment.trim() === ''
    ? `Enter a reason: it is required to ${optionWords(option).verb.toLowerCase()}`
    : undefined;
}

/** The options that need a reason: "required to reject, saved with the answer". */
export function reasonHint({ options }: Pick<Approval, 'options'>): string {
  const needing = options.slice(1).map((option) => optionWords(option).verb.toLowerCase());
  const last = needing.pop();
  if (last === undefined) return 'saved with the answer';
  const all = needing.length === 0 ? last : `${needing.join(', ')} or ${last}`;
  return `required to ${all}, saved with the answer`;
}
