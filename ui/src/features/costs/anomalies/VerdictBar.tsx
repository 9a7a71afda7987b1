import { useQueryClient } from '@tanstack/react-query';
import { Ban, CircleCheck, Clock } from 'lucide-react';
import { useState } from 'react';
import { request, useSession, useWhyNot } from '@/api';
import { Button, Dialog, Field, Form, isDay, toast } from '@/shared';
import { GiveVerdict } from './queries';
import { verdictNames } from './row';
import type { Row, Verdict } from './row';

const changers = ['tenant_admin', 'account_admin'];

/** The user's verdict on an anomaly. Each verdict can be undone. */
export function VerdictBar({ row }: { row: Row }) {
  const client = useQueryClient();
  const reason = useReason();
  const [busy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const say = async (verdict: Verdict | null, until?: string) => {
    setBusy(true);
    try {
      await request(GiveVerdict, {
        request: { anomaly_id: row.id, verdict, expected_until: until ?? null },
      });
      await client.invalidateQueries({ queryKey: ['graphql'] });
      if (verdict === null) toast({ tone: 'ok', text: `${row.name}: no verdict, as before` });
      else {
        toast({
          tone: 'ok',
          text: `${row.name}: ${verdictNames[verdict].toLowerCase()}`,
          action: {
            label: 'Undo',
            run: () => {
              void say(row.verdict);
            },
          },
        });
      }
    } catch (error) {
      toast({
        tone: 'bad',
        text: `The verdict was not saved: ${error instanceof Error ? error.message : String(error)}`,
      });
    } finally {
      setBusy(false);
    }
  };
  // Until there is a verdict, the one that most anomalies get is the primary button.
  const front = row.verdict ?? 'useful';
  const button = (verdict: Verdict, label: string, Icon: typeof Ban, press: () => void) => (
    <Button
      kind={front === verdict ? 'primary' : 'default'}
      aria-pressed={row.verdict === verdict}
      disabled={busy}
      reason={reason}
      onClick={press}
    >
      <Icon className="i" />
      {label}
    </Button>
  );
  const toggle = (verdict: Verdict) => () => {
    void say(row.verdict === verdict ? null : verdict);
  };
  return (
    <>
      <span className="muted">Your verdict</span>
      {button('useful', 'Real', CircleCheck, toggle('useful'))}
      {button('expected', 'Expected until…', Clock, () => {
        if (row.verdict === 'expected') void say(null);
        else setAsking(true);
      })}
      {button('wrong', 'False alarm', Ban, toggle('wrong'))}
      {isAsking && (
        <UntilDialog
          row={row}
          onClose={() => {
            setAsking(false);
          }}
          onSay={(until) => {
            setAsking(false);
            void say('expected', until);
          }}
        />
      )}
    </>
  );
}

/** Requests the day until which similar anomalies are expected. */
function UntilDialog({ row, onClose, onSay }: { row: Row; onClose: () => void; onSay: (until: string) => void }) {
  const [until, setUntil] = useState(row.to);
  const [tried, setTried] = useState(false);
  const isGood = isDay(until) && until >= row.from;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${row.name} is expected`}
      help="Similar anomalies are not reported until that day. After it, they are checked again."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="expected">
            Expected
          </Button>
        </>
      }
    >
      <Form
        id="expected"
        onSubmit={() => {
          setTried(true);
          if (isGood) onSay(until);
        }}
      >
        <Field
          label="Last day"
          error={tried && !isGood ? `Enter a day from ${row.from} on, such as ${row.to}` : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="date"
              min={row.from}
              className="in"
              autoFocus
              autoComplete="off"
              value={until}
              onChange={(event) => {
                setUntil(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}

function useReason(): string | undefined {
  const session = useSession().data;
  const whyNot = useWhyNot()({ fields: ['anomaly_feedback'] });
  if (whyNot !== undefined) return whyNot;
  if (!session || session.roles.some((role) => changers.includes(role))) return undefined;
  return `A verdict needs the role tenant_admin or account_admin; an administrator of ${session.tenant.name} can give it to you`;
}
