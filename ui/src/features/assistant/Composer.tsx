import { Cpu, Eye, Send, Square } from 'lucide-react';
import { useState } from 'react';
import { post } from '@/api';
import { Button, Dialog, Keys, Select, bytes, money, month, plural, toast } from '@/shared';
import { pretty } from './About';
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

/** Where a question is written; Stop stands in the place of Send. */
export function Composer({
  account,
  accounts,
  conversation,
  standing,
  isBusy,
  onAccount,
  onAsk,
  onStop,
}: {
  account: string;
  accounts: readonly { id: string; account_name: string }[];
  conversation: string | undefined;
  standing: Standing;
  isBusy: boolean;
  onAccount: (id: string) => void;
  onAsk: (question: string) => void;
  onStop: () => void;
}) {
  const [text, setText] = useState('');
  const [preview, setPreview] = useState<Preview | null>(null);
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
            <Button
              size="small"
              kind="quiet"
              onClick={look}
              reason={text.trim() ? undefined : 'Write a question first'}
            >
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
                <Button
                  size="small"
                  kind="primary"
                  onClick={send}
                  reason={text.trim() ? undefined : 'Write a question first'}
                >
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
            <span className="cut">
              {standing.provider}, <span className="mono">{standing.model}</span>
            </span>
          </span>
          {standing.limit !== null && (
            <span className="num nowrap">
              {money(standing.used, 'USD')} of {money(standing.limit, 'USD')} in {month(`${standing.period}-01`)}
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
