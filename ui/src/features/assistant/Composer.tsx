import { Link } from '@tanstack/react-router';
import { Cpu, Eye, Info, Paperclip, Send, Square, X } from 'lucide-react';
import { useState } from 'react';
import { post } from '@/api';
import { Button, Dialog, Keys, Select, bytes, money, month, plural, toast } from '@/shared';
import { pretty } from './About';
import type { Reference } from './reference';
import type { Model } from './types';
import type { Choice, Standing } from './useReady';
import type { Rest } from '@/api';

type Preview = Rest.SendPreview;

const keyOf = (model: Model | undefined) => `${model?.llm_provider ?? ''}\n${model?.llm_model ?? ''}`;

/** The model name; with the provider if the name is ambiguous. */
function labelOf(one: Choice, all: readonly Choice[]): string {
  const isAlone = all.filter((other) => other.llm_model === one.llm_model).length === 1;
  return isAlone ? one.llm_model : one.name;
}

/** The question input. Stop replaces Send while an answer is written. */
export function Composer({
  draft,
  account,
  accounts,
  conversation,
  standing,
  model,
  isBusy,
  reference,
  what,
  onForget,
  onShowAbout,
  onAccount,
  onModel,
  onAsk,
  onStop,
}: {
  /** A prefilled question. */
  draft: string | undefined;
  account: string;
  accounts: readonly { id: string; account_name: string }[];
  conversation: string | undefined;
  standing: Standing;
  /** The model chosen for the conversation; undefined uses the default. */
  model: Model | undefined;
  isBusy: boolean;
  /** The row the next question is about. */
  reference: Reference | undefined;
  what: string | undefined;
  onForget: () => void;
  /** Shows the evidence of an answer, where there is no room next to it. */
  onShowAbout: () => void;
  onAccount: (id: string) => void;
  onModel: (model: Model) => void;
  onAsk: (question: string) => void;
  onStop: () => void;
}) {
  const [text, setText] = useState(draft ?? '');
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
      ...(reference ? { references: [reference] } : {}),
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
          {reference && (
            <div className="row">
              <span className="chip about">
                <Paperclip className="i s" />
                <span className="cut">{what ?? `One ${reference.type}`}</span>
                <button
                  type="button"
                  className="bare"
                  aria-label={`Remove this ${reference.type} from the question`}
                  onClick={onForget}
                >
                  <X className="i s" />
                </button>
              </span>
            </div>
          )}
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
                options={models.map((one) => ({ value: keyOf(one), label: labelOf(one, models) }))}
                onChange={(key) => {
                  const found = models.find((one) => keyOf(one) === key);
                  if (found) onModel({ llm_provider: found.llm_provider, llm_model: found.llm_model });
                }}
              />
            )}
            <Button
              size="small"
              kind="quiet"
              iconOnly
              aria-label="Show what is sent"
              title={missing ?? 'Show what is sent'}
              disabled={missing !== undefined}
              onClick={look}
            >
              <Eye className="i s" />
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
            <Button size="small" kind="quiet" className="show-about" onClick={onShowAbout}>
              <Info className="i s" />
              About this answer
            </Button>
          </span>
          {standing.limit !== null && (
            <Link
              to="/settings/privacy"
              search={{ tab: 'budgets', account }}
              className={standing.isSpent ? 'num spent' : 'num'}
              title={
                standing.hasUnpriced ? 'Models without a price are not counted: Settings, Privacy & budgets' : undefined
              }
            >
              {standing.isSpent && 'Budget spent: '}
              {money(standing.used, null)} of {money(standing.limit, null)} in {month(`${standing.period}-01`)}
              {standing.hasUnpriced && '*'}
            </Link>
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
