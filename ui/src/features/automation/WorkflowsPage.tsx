import { getRouteApi } from '@tanstack/react-router';
import { Pause as PauseIcon, Play, Plus, SearchX, Workflow as WorkflowIcon } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { useSavedViews } from '@/api';
import { host } from '@/host';
import {
  Button,
  DataTable,
  Empty,
  NothingImported,
  ExportButton,
  Loading,
  Page,
  SearchBox,
  Segmented,
  ViewsMenu,
  count,
  useNarrow,
  useNow,
} from '@/shared';
import { columnsFor } from './columns';
import { OffBanner, useIsOn } from './OffBanner';
import { RunDialog } from './RunDialog';
import { workflowsSearch } from './search';
import type { WorkflowsSearch } from './search';
import { useReason, useRunReason, useSwitch } from './useChanges';
import type { Target } from './useChanges';
import { useWorkflows } from './useWorkflows';
import type { Row } from './useWorkflows';
import { texts } from './words';
import './automation.css';

// Loaded when a workflow is opened.
const WorkflowView = lazy(() => import('./WorkflowView').then((found) => ({ default: found.WorkflowView })));
// Loaded on first use: the editor includes a parser and CodeMirror.
const EditorPage = lazy(() => import('./editor/EditorPage').then((found) => ({ default: found.EditorPage })));

const route = getRouteApi('/automation/workflows');
/** Parameters of a single workflow, which saved views of the list do not include. */
const ofOne = ['account', 'id', 'run', 'task', 'edit'];

/** The workflows page: the list, or one workflow. */
export function WorkflowsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const go = (change: { [Key in keyof WorkflowsSearch]?: WorkflowsSearch[Key] | undefined }) => {
    const isOther = change.id !== undefined && change.id !== search.id;
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined && value !== ''),
        ),
      replace: !isOther && !('id' in change) && !('edit' in change),
    });
  };
  if (search.edit !== undefined && (search.edit === 'new' || search.id !== undefined))
    return (
      <Suspense fallback={<Waiting />}>
        <EditorPage
          key={search.edit === 'new' ? 'new' : search.id}
          account={search.account}
          {...(search.edit === 'yes' && search.id !== undefined ? { id: search.id } : {})}
          onAccount={(account) => {
            go({ account });
          }}
          onClose={(account, saved) => {
            const id = saved ?? (search.edit === 'yes' ? search.id : undefined);
            go({ edit: undefined, id, account: id === undefined ? undefined : account });
          }}
        />
      </Suspense>
    );
  if (search.id !== undefined && search.account !== undefined)
    return (
      <Suspense fallback={<Waiting />}>
        <WorkflowView key={search.id} account={search.account} id={search.id} search={search} go={go} />
      </Suspense>
    );
  return <List search={search} go={go} />;
}

/** Placeholder until a part of the page has loaded. */
function Waiting() {
  return (
    <Page title="Workflow" crumb="Automation / Workflows">
      <Loading lines={8} />
    </Page>
  );
}

function fits(row: Row, show: WorkflowsSearch['show']): boolean {
  if (show === undefined) return true;
  if (show === 'failed') return ['FAILED', 'TIMED_OUT'].includes(row.stored.last_execution_status ?? '');
  return row.stored.status === show.toUpperCase();
}

function List({
  search,
  go,
}: {
  search: WorkflowsSearch;
  go: (change: { [Key in keyof WorkflowsSearch]?: WorkflowsSearch[Key] | undefined }) => void;
}) {
  const { accounts, rows, error, refetch } = useWorkflows();
  const now = useNow();
  const narrow = useNarrow();
  const isOn = useIsOn();
  const reason = useReason();
  const runReason = useRunReason();
  const turn = useSwitch();
  const navigate = route.useNavigate();
  const saved = useSavedViews('automation/workflows');
  const [running, setRunning] = useState<Row | null>(null);
  const words = search.q?.toLowerCase() ?? '';
  const named = rows?.filter(({ stored, account }) => `${stored.name} ${account}`.toLowerCase().includes(words));
  const shown = named?.filter((row) => fits(row, search.show));
  const targetOf = ({ stored }: Row): Target => ({ id: stored.id, account_id: stored.account_id, name: stored.name });
  const columns = [
    ...columnsFor(narrow ? 'narrow' : 'wide', now, isOn),
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      sortable: false,
      csv: null,
      value: () => null,
      width: 84,
      cell: (row: Row) => (
        <RowActions
          row={row}
          reason={runReason}
          onRun={() => {
            setRunning(row);
          }}
          onSwitch={() => {
            turn(targetOf(row), row.stored.status !== 'ACTIVE');
          }}
        />
      ),
    },
  ];
  const many = (show: WorkflowsSearch['show']) => count(named?.filter((row) => fits(row, show)).length ?? 0);
  return (
    <Page
      title="Workflows"
      crumb="Automation"
      actions={
        <>
          {rows && rows.length > 0 && (
            <>
              <ViewsMenu
                saved={saved}
                search={search}
                passing={ofOne}
                holds="State and search"
                example="Failed last"
                onOpen={(found) => {
                  void navigate({ search: workflowsSearch(found), replace: true });
                }}
              />
              <ExportButton
                name="workflows"
                columns={columnsFor('wide', now, isOn)}
                rows={shown ?? []}
                save={(file, text, type) => host.saveFile(file, text, type)}
              />
            </>
          )}
          <Button
            kind="primary"
            reason={reason}
            onClick={() => {
              go({ edit: 'new' });
            }}
          >
            <Plus className="i" />
            New workflow
          </Button>
        </>
      }
      filters={
        rows &&
        rows.length > 0 && (
          <>
            <Segmented
              label="Which workflows"
              value={search.show ?? 'all'}
              options={[
                { value: 'all' as const, label: 'All', count: many(undefined) },
                { value: 'active' as const, label: 'Active', count: many('active') },
                { value: 'paused' as const, label: 'Paused', count: many('paused') },
                { value: 'failed' as const, label: 'Failed last', count: many('failed') },
              ]}
              onChange={(show) => {
                go({ show: show === 'all' ? undefined : show });
              }}
            />
            <span className="end-bar">
              <SearchBox
                label="Filter workflows"
                value={search.q ?? ''}
                onChange={(q) => {
                  go({ q });
                }}
              />
            </span>
          </>
        )
      }
    >
      <div className="stack">
        <OffBanner />
        <section className="panel" aria-label="Workflows">
          <DataTable
            label="Workflows"
            columns={columns}
            rows={shown}
            error={error}
            retry={refetch}
            rowId={(row) => row.id}
            rowHeight={46}
            primary
            defaultSort={[{ id: 'name', desc: false }]}
            onOpen={(row) => {
              go({ id: row.id, account: row.accountId });
            }}
            empty={
              <Nothing
                hasAccount={accounts === undefined || accounts.length > 0}
                hasAny={(rows?.length ?? 0) > 0}
                onClear={() => {
                  go({ show: undefined, q: undefined });
                }}
              />
            }
          />
        </section>
      </div>
      {running && (
        <RunDialog
          workflow={targetOf(running)}
          fields={(running.stored.definition.inputs ?? []).filter((field) => field !== null)}
          onBegun={(run) => {
            go({ id: running.id, account: running.accountId, run });
          }}
          onClose={() => {
            setRunning(null);
          }}
        />
      )}
    </Page>
  );
}

function Nothing({ hasAccount, hasAny, onClear }: { hasAccount: boolean; hasAny: boolean; onClear: () => void }) {
  if (hasAny)
    return (
      <Empty
        icon={SearchX}
        title={texts.noMatch.title}
        action={<Button onClick={onClear}>{texts.noMatch.action}</Button>}
      >
        {texts.noMatch.text}
      </Empty>
    );
  if (!hasAccount) return <NothingImported icon={WorkflowIcon} words={texts.noAccount} />;
  return (
    <Empty icon={WorkflowIcon} title={texts.empty.title}>
      {texts.empty.text}
    </Empty>
  );
}

function RowActions({
  row: { stored },
  reason,
  onRun,
  onSwitch,
}: {
  row: Row;
  reason: string | undefined;
  onRun: () => void;
  onSwitch: () => void;
}) {
  const isActive = stored.status === 'ACTIVE';
  const verb = isActive ? 'Pause' : 'Activate';
  return (
    <span className="row">
      <Button
        size="small"
        kind="quiet"
        iconOnly
        aria-label={`Run ${stored.name}`}
        title={reason ?? 'Run now'}
        disabled={reason !== undefined || stored.status === 'INACTIVE'}
        onClick={(event) => {
          event.stopPropagation();
          onRun();
        }}
      >
        <Play className="i s" />
      </Button>
      <Button
        size="small"
        kind="quiet"
        iconOnly
        aria-label={`${verb} ${stored.name}`}
        title={reason ?? (isActive ? 'Pause: it runs by hand only' : 'Activate: its triggers start it')}
        disabled={reason !== undefined}
        onClick={(event) => {
          event.stopPropagation();
          onSwitch();
        }}
      >
        {isActive ? <PauseIcon className="i s" /> : <WorkflowIcon className="i s" />}
      </Button>
    </span>
  );
}
