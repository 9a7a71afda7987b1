import { useMutation } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { request, useSession } from '@/api';
import type { ApiError } from '@/api';
import { Button, Field, Form } from '@/shared';
import { draftOf } from './draft';
import { Draft } from './queries';

/** Has a language model write a workflow from a description. It is text in the editor afterwards, checked as any other. */
export function DraftForm({
  account,
  reason,
  onDraft,
}: {
  account: string;
  reason: string | undefined;
  onDraft: (yaml: string) => void;
}) {
  const session = useSession();
  const [wish, setWish] = useState('');
  const draft = useMutation<string, ApiError, string>({
    mutationFn: async (query) => {
      const asked = { account_id: account, user_id: session.data?.email ?? '', query };
      const answer = await request(Draft, { request: asked });
      const written = answer.ai_generate_workflow?.data.response[0];
      if (written === undefined) throw new Error('The response contains no workflow.');
      return draftOf(written, query);
    },
    onSuccess: onDraft,
  });
  const isEmpty = wish.trim() === '';
  return (
    <Form
      className="stack tight"
      onSubmit={() => {
        if (!isEmpty) draft.mutate(wish.trim());
      }}
    >
      <Field
        label="Describe a workflow"
        help="A model from Settings, Model providers writes it. You review it before you save."
      >
        {(control) => (
          <textarea
            {...control}
            className="in area"
            rows={2}
            value={wish}
            onChange={(event) => {
              setWish(event.target.value);
            }}
          />
        )}
      </Field>
      <div className="row">
        <Button
          type="submit"
          size="small"
          reason={reason ?? (isEmpty ? 'Describe what it should do' : undefined)}
          busy={draft.isPending && 'Writing'}
        >
          <Sparkles className="i s" />
          Write workflow
        </Button>
      </div>
      {draft.error && (
        <span className="err" role="alert">
          {draft.error.message}
        </span>
      )}
    </Form>
  );
}
