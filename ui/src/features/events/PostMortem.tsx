import { Copy, Download, FileDown } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { post, useGraphQL, useLack, useOriginInFront, useTickets } from '@/api';
import type { Rest, ResultOf } from '@/api';
import { host } from '@/host';
import { Button, Content, Dialog, bytesOf, dateTimeZone, toast, useNow } from '@/shared';
import type { Causes } from '@/shared';
import { linkAt } from '@/shared/place';
import { findingsOf } from './evidence';
import { useEventCosts } from './costs';
import { postMortem } from './postmortem';
import type { PostMortemSource, ReadFailure } from './postmortem';
import { EventRootCause } from './causeQueries';
import { EventResolutions, EventTimeline, EventTriage } from './queries';
import type { OneEvent } from './queries';
import { lasting, rowOf, startOf } from './row';
import { markOf } from './Tickets';
import { reasonOf, textOf } from './timeline';
import { relations, states, triage } from './words';

type One = NonNullable<ResultOf<typeof OneEvent>['events_by_pk']>;

/** The post-mortem of an event: Markdown prefilled with its data, to be edited and exported, also as PDF. */
export function PostMortemDialog({ event, onClose }: { event: One; onClose: () => void }) {
  const now = useNow();
  const [written, setWritten] = useState<string>();
  const known = useKnown(event, now);
  const origin = useOriginInFront();
  // Without the address of an instance elsewhere the link would lead a colleague to this computer.
  const link = origin === null ? null : linkAt(origin);
  const isRead = known !== undefined && link !== null;
  // What is written stays when a part is read again.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const first = useMemo(() => (isRead ? postMortem(known, link, now) : undefined), [isRead]);
  const text = written ?? first ?? '';
  const name = `post-mortem-${startOf(event).slice(0, 10)}-${event.id.slice(0, 8)}`;
  const lack = useLack()({ area: 'events' });
  const pdf = useMutation({
    mutationFn: async (markdown: string) => {
      const file = await post<Rest.PdfDocument>(`/api/events/${event.id}/post-mortem`, {
        markdown,
      });
      await host.saveFile(`${name}.pdf`, bytesOf(file.base64), file.media_type);
    },
    onSuccess: onClose,
    onError: ({ message }) => {
      toast({ tone: 'bad', text: `The PDF could not be created: ${message}` });
    },
  });
  return (
    <Dialog
      title="Post-mortem"
      help="Prefilled with the data of the event. Edit it, then copy it or save it as a file: it is not stored here."
      open
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            disabled={text === ''}
            onClick={() => {
              void host.copy(text).then(() => {
                toast({ tone: 'ok', text: 'Copied the post-mortem' });
              });
            }}
          >
            <Copy className="i s" />
            Copy
          </Button>
          <Button
            reason={lack}
            disabled={text.trim() === ''}
            busy={pdf.isPending && 'Creating the PDF'}
            onClick={() => {
              pdf.mutate(text);
            }}
          >
            <FileDown className="i s" />
            Save as PDF
          </Button>
          <Button
            kind="primary"
            disabled={text === ''}
            onClick={() => {
              void host.saveFile(`${name}.md`, text, 'text/markdown;charset=utf-8').then(onClose);
            }}
          >
            <Download className="i s" />
            Save as Markdown
          </Button>
        </>
      }
    >
      <Content of={{ data: first, error: null, refetch: () => undefined }} what="The post-mortem" lines={12}>
        {() => (
          <textarea
            className="in mono post-mortem"
            aria-label="Post-mortem as Markdown"
            rows={22}
            spellCheck={false}
            autoFocus
            value={text}
            onChange={(change) => {
              setWritten(change.target.value);
            }}
          />
        )}
      </Content>
    </Dialog>
  );
}

/** The data of an event, once each part has loaded or failed. */
function useKnown(event: One, now: Date): PostMortemSource | undefined {
  const { id } = event;
  const account = event.cloud_account?.id;
  const timeline = useGraphQL(EventTimeline, { id });
  const resolutions = useGraphQL(EventResolutions, { id });
  const together = useGraphQL(EventTriage, { id });
  const causes = useGraphQL(
    EventRootCause,
    { account: account ?? '', event: id, generate: false },
    { enabled: account !== undefined },
  );
  const tickets = useTickets(markOf(id));
  const start = startOf(event);
  const { query: costs, cost } = useEventCosts(event, now);
  const parts = [timeline, resolutions, together, tickets, costs, causes];
  if (parts.some((part) => part.isLoading)) return undefined;
  const unread = (part: { error: Error | null }): ReadFailure => ({ unread: part.error?.message ?? 'no answer' });
  const entries = timeline.data?.event_get_timeline?.timeline?.filter((entry) => entry !== null);
  const written = resolutions.data?.event_resolution;
  const found = together.data?.event_get_triage?.correlated_events;
  const row = rowOf(event);
  return {
    title: event.title,
    description: event.description,
    facts: [
      ['Severity', row.severity],
      ['State', states[row.state].name],
      ['Triage', triage[row.triage].name],
      ['Subject', row.subject],
      ['Account', row.account],
      ['Source', row.source],
      ['Started', `${dateTimeZone(start, now)}`],
      ['Ended', event.ends_at === null ? 'Not yet' : `${dateTimeZone(event.ends_at, now)}`],
      ['Duration', lasting(start, event.ends_at ?? now)],
      ...(event.computed_priority === null
        ? []
        : [['Priority', `${event.computed_priority}, ${String(event.computed_score ?? 0)} of 100`] as const]),
    ],
    resolution: written?.map(({ data }) => reasonOf(data)).find((reason) => reason !== null) ?? null,
    causes:
      account === undefined
        ? { unread: 'it has no account' }
        : ((causes.data?.ai_get_rca?.data as unknown as Causes | undefined) ?? unread(causes)),
    timeline:
      entries?.map((entry) => ({
        at: entry.timestamp,
        text: textOf(entry),
        reason: reasonOf(written?.find((one) => one.id === entry.ref_id)?.data) ?? reasonOf(entry.metadata),
      })) ?? unread(timeline),
    findings: findingsOf(event.evidences),
    related:
      found
        ?.filter((one) => one !== null)
        .map((one) => ({
          title: one.correlated_title,
          why: `${relations[one.correlation_type] ?? one.correlation_type}, ${one.correlation_reason}`,
          at: one.correlated_starts_at,
        })) ?? (together.error ? unread(together) : []),
    cost: cost ?? (costs.error ? unread(costs) : null),
    tickets: (tickets.data?.tenant[0]?.tickets ?? []).map(({ ticket_id: name, url, status }) => ({
      name: name ?? 'Ticket',
      url,
      status,
    })),
  };
}
