import { getRouteApi } from '@tanstack/react-router';
import { FileClock, Lock, Plus } from 'lucide-react';
import { useExtent, useGraphQL, useSeesTenant } from '@/api';
import {
  Button,
  Content,
  DataTable,
  Empty,
  Page,
  Panel,
  Status,
  dateTime,
  useCommands,
  useNow,
  timeWidth,
} from '@/shared';
import type { Column } from '@/shared';
import { useScopeFields } from '../scopeFields';
import { ReportPanel } from './ReportPanel';
import { Reports } from './queries';
import type { Report } from './queries';
import type { ReportsSearch } from './search';
import { runState } from './state';
import { useReportActs } from './useReportActs';
import { words } from './words';
import './reports.css';

const route = getRouteApi('/costs/reports');

/** Scheduled reports. */
export function ReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const seesTenant = useSeesTenant();
  const found = useGraphQL(Reports, {}, { refetchInterval: 5000, enabled: seesTenant });
  const { reason } = useReportActs();
  const put = (to: ReportsSearch) => {
    void navigate({ search: to, replace: search.id !== undefined });
  };
  const add = () => {
    put({ id: 'new' });
  };
  useCommands(
    reason === undefined
      ? [{ id: 'report-add', title: words.add, group: 'Do', keys: 'shift+n', icon: Plus, run: add }]
      : [],
  );
  const all = found.data?.scheduled_report ?? [];
  const open = all.find(({ id }) => id === search.id);
  const isNew = search.id === 'new' && reason === undefined;
  const isBeside = open !== undefined || isNew;
  const addButton = (kind: 'primary' | 'default') => (
    <Button kind={kind} reason={reason} onClick={add}>
      <Plus className="i" />
      {words.add}
    </Button>
  );
  const columns: Column<Report>[] = [
    {
      id: 'name',
      header: words.columns.name,
      value: ({ name }) => name,
      cell: (row) => <NameCell report={row} />,
    },
    // The panel shows it for the open report and leaves no room for it here.
    ...(isBeside
      ? []
      : [
          {
            id: 'to',
            header: words.columns.to,
            width: 180,
            least: 120,
            value: (row: Report) => row.channel?.name ?? words.keptHere,
          },
        ]),
    {
      id: 'next',
      header: words.columns.next,
      width: isBeside ? timeWidth : 170,
      least: timeWidth,
      value: (row) => row.next_due_at,
      cell: (row) =>
        row.next_due_at === null ? (
          <Status tone="off">{words.paused}</Status>
        ) : (
          <span className="num" title={`${row.schedule} ${row.timezone}`}>
            {dateTime(row.next_due_at, now)}
          </span>
        ),
    },
    {
      id: 'last',
      header: words.columns.last,
      width: isBeside ? 212 : 240,
      least: 204,
      value: (row) => row.runs[0]?.due_at ?? null,
      cell: (row) => {
        const run = row.runs[0];
        if (!run) return <span className="faint">{words.never}</span>;
        const { tone, text } = runState(run);
        return (
          <>
            <Status tone={tone}>{text}</Status> <span className="num muted">{dateTime(run.due_at, now)}</span>
          </>
        );
      },
    },
  ];
  return (
    <Page
      title={words.title}
      crumb={words.crumb}
      actions={addButton('primary')}
      side={
        (open ?? isNew) && (
          <WithFields
            key={open?.id ?? 'new'}
            report={open}
            run={open?.runs.find(({ id }) => id === search.run)}
            channels={found.data?.notice_channel ?? []}
            onRun={(run) => {
              put({ ...(search.id === undefined ? {} : { id: search.id }), ...(run === undefined ? {} : { run }) });
            }}
            onClose={() => {
              put({});
            }}
            onDone={(id) => {
              put(id === null ? {} : { id });
            }}
          />
        )
      }
    >
      {seesTenant ? (
        <Content of={found} what={words.failed} lines={6}>
          {() => (
            <Panel label={words.table}>
              <DataTable
                label={words.table}
                columns={columns}
                rows={[...all]}
                rowId={({ id }) => id}
                primary
                {...(open ? { openId: open.id } : {})}
                onOpen={({ id }) => {
                  put({ id });
                }}
                defaultSort={[{ id: 'name', desc: false }]}
                empty={
                  <Empty icon={FileClock} title={words.none} action={addButton('default')}>
                    {words.noneHelp}
                  </Empty>
                }
              />
            </Panel>
          )}
        </Content>
      ) : (
        <Empty icon={Lock} title={words.ofTenant}>
          {words.ofTenantHelp}
        </Empty>
      )}
    </Page>
  );
}

/** Its name and kind; of one that was not sent the last time, why. */
export function NameCell({ report: { name, kind, runs } }: { report: Pick<Report, 'name' | 'kind' | 'runs'> }) {
  const why = runs[0] && runState(runs[0]).why;
  return (
    <div className="wrapped">
      <span className="strong">{name}</span> <span className="muted">{words.kinds[kind]}</span>
      {why && <div className="small muted">{why}</div>}
    </div>
  );
}

/** The panel with the values available for its charges. */
function WithFields(props: Omit<Parameters<typeof ReportPanel>[0], 'fields'>) {
  const last = useExtent().data?.days?.to ?? '2000-01-01';
  return <ReportPanel {...props} fields={useScopeFields(last).fields} />;
}
