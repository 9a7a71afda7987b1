import { Cpu, Eye, Send, Square } from 'lucide-react';
import { useState } from 'react';
import { post } from '@/api';
import { Button, Dialog, Keys, Select, bytes, money, month, plural, toast } from '@/shared';
import { pretty } from './About';
import type { Model } from './types';
import type { Standing } from './useReady';

interface Preview {
  name: string;
  model: string;
  host: string;
  leaves_machine: boolean;
  size_bytes: number;
  replaced: { name: string; token: string }[];
  payload: string;
}

const keyOf = (model: Model | undefined) => `${model?.llm_provider ?? ''}\n${model?.llm_model ?? ''}`;

/** Where a question is written; Stop stands in the place of Send. */
export function Composer({
  account,
  accounts,
  conversation,
  standing,
  model,
  isBusy,
  onAccount,
  onModel,
  onAsk,
  onStop,
}: {
  account: string;
  accounts: readonly { id: string; account_name: string }[];
  conversation: string | undefined;
  standing: Standing;
  /** The one a person chose for the conversation; none is the usual one. */
  model: Model | undefined;
  isBusy: boolean;
  onAccount: (id: string) => void;
  onModel: (model: Model) => void;
  onAsk: (question: string) => void;
  onStop: () => void;
}) {
  const [text, setText] = useState('');
  const [preview, setPreview] = useState<Preview | null>(null);
  const models =
    model && !standing.models.some((one) => keyOf(one) === keyOf(model))
      ? [...standing.models, { ...model, name: `${model.llm_model}, no longer set up` }]
      : standing.models;
  const answering = models.find((one) => model && keyOf(one) === keyOf(model)) ?? models[0];
  const missing = text.trim() ? undefined : 'Write a question first';
  const send = () => {
    const question = text.trim();
    if (!question || isBusy) return;
    setText('');
    onAsk(question);
  };
  const look = () => {
    post<Preview>('/api/assistant/preview', {
      account_id: account,
      message: text.trim(),
      ...(conversation ? { conversation_id: conversation } : {}),
      ...model,
    })
      .then(setPreview)
      .catch((error: unknown) => {
        toast({ tone: 'bad', text: (error as Error).message });
      });
  };
  return (
    <div className="composer">
      <div className="thread-in">
        <div className="cbox">
          <textarea
            rows={2}
            className="cin"
            aria-label="Ask"
            placeholder="Ask about costs, events, clusters or your documents"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault();
                send();
              }
              if (event.key === 'Escape' && isBusy) onStop();
            }}
          />
          <div className="row">
            <Select
              label="Account"
              value={account}
              options={accounts.map(({ id, account_name: label }) => ({ value: id, label }))}
              onChange={onAccount}
            />
            {models.length > 1 && (
              <Select
                label="Model"
                hideLabel
                value={keyOf(answering)}
                options={models.map((one) => ({ value: keyOf(one), label: one.name }))}
                onChange={(key) => {
                  const found = models.find((one) => keyOf(one) === key);
                  if (found) onModel({ llm_provider: found.llm_provider, llm_model: found.llm_model });
                }}
              />
            )}
            <Button size="small" kind="quiet" onClick={look} reason={missing}>
              <Eye className="i s" />
              Show what is sent
            </Button>
            <span className="end">
              {isBusy ? (
                <Button size="small" onClick={onStop}>
                  <Square className="i s" />
                  Stop <Keys keys="Escape" />
                </Button>
              ) : (
                <Button size="small" kind="primary" onClick={send} reason={missing}>
                  <Send className="i s" />
                  Ask
                </Button>
              )}
            </span>
          </div>
        </div>
        <div className="split small muted">
          <span className="row">
            <Cpu className="i s" />
            <span className="cut">{answering?.name ?? `${standing.model}, ${standing.provider}`}</span>
          </span>
          {standing.limit !== null && (
            <span className={standing.isSpent ? 'num spent' : 'num'}>
              {standing.isSpent && 'Budget spent: '}
              {money(standing.used, 'USD')} of {money(standing.limit, 'USD')} in {month(`${standing.period}-01`)}
              {standing.hasUnpriced && ', without models that have no price'}
            </span>
          )}
        </div>
      </div>
      {preview && (
        <Dialog
          open
          title="What is sent"
          help={
            preview.leaves_machine
              ? `${bytes(preview.size_bytes)} to ${preview.name} at ${preview.host}. ${plural(preview.replaced.length, 'name')} replaced.`
              : `${bytes(preview.size_bytes)} to ${preview.name} at ${preview.host}, on this machine.`
          }
          onClose={() => {
            setPreview(null);
          }}
        >
          {preview.replaced.map(({ name, token }) => (
            <div className="row small" key={token}>
              <span className="mono">{name}</span> is sent as <span className="mono">{token}</span>
            </div>
          ))}
          <pre className="payload">{pretty(preview.payload)}</pre>
        </Dialog>
      )}
    </div>
  );
}
