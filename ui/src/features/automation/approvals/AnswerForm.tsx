import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { request, useWhyNot } from '@/api';
import type { ApiError } from '@/api';
import { Button, Field, Keys, toast, useCommands } from '@/shared';
import { optionWords, problemOfAnswer, reasonHint } from './approval';
import { AnswerApproval } from './queries';
import type { Approval } from './queries';
import { texts } from './words';

/** The decision: a reason, and a button for each option. Y chooses the first, N the second. */
export function AnswerForm({ approval }: { approval: Approval }) {
  const client = useQueryClient();
  const whyNot = useWhyNot();
  const [comment, setComment] = useState('');
  const [tried, setTried] = useState<string | null>(null);
  const answer = useMutation<string, ApiError, string>({
    mutationFn: async (status) => {
      const said = await request(AnswerApproval, {
        request: {
          id: approval.id,
          status,
          comments: comment.trim() === '' ? null : comment.trim(),
          plan_id: approval.plan_id,
        },
      });
      return said.workflow_answer_approval?.message ?? 'Your answer was saved';
    },
    onSuccess: (text) => {
      toast({ tone: 'ok', text });
    },
    // A plan that has changed meanwhile is shown as it is now.
    onSettled: () => client.invalidateQueries({ queryKey: ['graphql'] }),
  });
  const reason = approval.may_answer
    ? whyNot({ fields: ['workflow_answer_approval'] })
    : (approval.reason ?? undefined);
  const problem = tried === null ? undefined : problemOfAnswer(approval, tried, comment);
  const say = (option: string) => {
    setTried(option);
    if (problemOfAnswer(approval, option, comment) === undefined) answer.mutate(option);
  };
  useCommands(
    approval.options.slice(0, 2).map((option, at) => ({
      id: `approval ${option}`,
      title: `${optionWords(option).verb}: ${approval.message}`,
      group: 'Do' as const,
      keys: at === 0 ? 'y' : 'n',
      disabled: reason,
      run: () => {
        say(option);
      },
    })),
  );
  return (
    <div className="foot stack tight">
      <Field label="Reason" hint={reasonHint(approval)} error={problem ?? answer.error?.message}>
        {(control) => (
          <textarea
            {...control}
            className="in area"
            maxLength={4000}
            placeholder="For example: wait until the quarter is closed"
            disabled={reason !== undefined}
            value={comment}
            onChange={(event) => {
              setComment(event.target.value);
            }}
          />
        )}
      </Field>
      <div className="row wrapping">
        {approval.options.map((option, at) => (
          <Button
            key={option}
            kind={at === 0 ? 'primary' : option === 'reject' ? 'destructive' : 'default'}
            reason={reason}
            busy={answer.isPending && answer.variables === option && 'Sending'}
            disabled={answer.isPending}
            onClick={() => {
              say(option);
            }}
          >
            {at === 0 ? <Check className="i" /> : option === 'reject' && <X className="i" />}
            {optionWords(option).verb}
            {at < 2 && <Keys keys={at === 0 ? 'y' : 'n'} />}
          </Button>
        ))}
        <span className="small muted">{reason ?? texts.final}</span>
      </div>
    </div>
  );
}
