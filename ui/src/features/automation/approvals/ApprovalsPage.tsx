import { getRouteApi } from '@tanstack/react-router';
import { UserCheck } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Content, Empty, Page, SearchBox, Segmented, count, useNow } from '@/shared';
import { ApprovalCard } from './ApprovalCard';
import { ApprovalList } from './ApprovalList';
import { Approvals } from './queries';
import type { Approval } from './queries';
import type { ApprovalsSearch } from './search';
import { texts } from './words';
import '../automation.css';
import './approvals.css';

const route = getRouteApi('/automation/approvals');
/** How often the queue is looked at, ms. */
const again = 5_000;

/** The approvals page: runs waiting for a decision, and past decisions. */
export function ApprovalsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const query = useGraphQL(
    Approvals,
    { status: search.show === 'answered' ? 'answered' : 'open' },
    { refetchInterval: again },
  );
  const all = query.isPlaceholderData ? undefined : query.data?.workflow_list_approvals?.approvals;
  const many = (of: { total_count: number } | null | undefined) => (of ? count(of.total_count) : undefined);
  const words = search.q?.toLowerCase() ?? '';
  const rows = (all ?? []).filter(({ message, workflow_name: name }) =>
    `${message} ${name}`.toLowerCase().includes(words),
  );
  const go = (change: { [Key in keyof ApprovalsSearch]?: ApprovalsSearch[Key] | undefined }) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        ),
      replace: true,
    });
  };
  // The first one is open by default.
  const open = rows.find(({ id }) => id === search.id) ?? rows[0];
  const at = rows.findIndex(({ id }) => id === open?.id);
  const step = (by: number) => {
    const next = rows[at + by];
    return at >= 0 && next
      ? () => {
          go({ id: next.id });
        }
      : undefined;
  };
  return (
    <Page
      title="Approvals"
      crumb="Automation"
      flush
      filters={
        <>
          <Segmented
            label="Which approvals"
            value={search.show ?? 'open'}
            options={[
              { value: 'open' as const, label: 'Waiting', count: many(query.data?.waiting) },
              { value: 'answered' as const, label: 'Decided', count: many(query.data?.decided) },
            ]}
            onChange={(show) => {
              go({ show: show === 'answered' ? show : undefined, id: undefined });
            }}
          />
          <span className="end-bar">
            <SearchBox
              label="Filter approvals"
              value={search.q ?? ''}
              onChange={(q) => {
                go({ q });
              }}
            />
          </span>
        </>
      }
    >
      <section className="approvals" aria-label="Approvals">
        <Content of={{ ...query, data: all }} what="Approvals could not be read" lines={8}>
          {(found) =>
            found.length === 0 ? (
              <Nothing isAnswered={search.show === 'answered'} />
            ) : (
              <>
                <ApprovalList
                  rows={rows}
                  openId={open?.id}
                  now={now}
                  onOpen={({ id }: Approval) => {
                    go({ id });
                  }}
                />
                {open && (
                  <ApprovalCard key={open.id} approval={open} now={now} onPrevious={step(-1)} onNext={step(1)} />
                )}
              </>
            )
          }
        </Content>
      </section>
    </Page>
  );
}

function Nothing({ isAnswered }: { isAnswered: boolean }) {
  const { title, text } = isAnswered ? texts.noneDecided : texts.noneWaits;
  return (
    <div className="nothing">
      <Empty icon={UserCheck} title={title}>
        {text}
      </Empty>
    </div>
  );
}
