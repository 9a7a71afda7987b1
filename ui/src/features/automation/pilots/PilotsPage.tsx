import { getRouteApi } from '@tanstack/react-router';
import { BookOpen, Plus, SearchX, Workflow } from 'lucide-react';
import { useMemo } from 'react';
import { useGraphQL } from '@/api';
import { host } from '@/host';
import {
  Button,
  DataTable,
  Empty,
  ExportButton,
  Page,
  Panel,
  SearchBox,
  Segmented,
  Tile,
  count,
  useNarrow,
  useNow,
} from '@/shared';
import type { Column } from '@/shared';
import { OffBanner, useIsOn } from '../OffBanner';
import { texts as automationTexts } from '../words';
import { AddPilot } from './AddPilot';
import { pilotColumns } from './pilotColumns';
import { PilotPanel } from './PilotPanel';
import { playbookColumns } from './playbookColumns';
import { PlaybookPanel } from './PlaybookPanel';
import { AutomaticWork, PilotFigures } from './queries';
import type { Pilot, Playbook } from './queries';
import { RowActions } from './RowActions';
import { noStart } from './search';
import type { PilotsSearch } from './search';
import { usePilotChanges, usePilotReason } from './usePilotChanges';
import { texts } from './words';
import './pilots.css';

const route = getRouteApi('/automation/autopilot');
/** How often the lists are looked at, ms. */
const again = 15_000;
const week = 7 * 86_400_000;

function showOf(status: string): PilotsSearch['show'] {
  switch (status) {
    case 'Active':
    case 'ACTIVE':
      return 'active';
    case 'Dryrun':
      return 'dry';
    default:
      return 'off';
  }
}

/** The page of auto-pilots and playbooks: their state, last runs, and why they do not run. */
export function PilotsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const narrow = useNarrow();
  const isOn = useIsOn();
  const reason = usePilotReason();
  const change = usePilotChanges();
  const query = useGraphQL(AutomaticWork, {}, { refetchInterval: again });
  const go = (to: { [Key in keyof PilotsSearch]?: PilotsSearch[Key] | undefined }) => {
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...to }).filter(([, value]) => value !== undefined && value !== ''),
        ),
      replace: !('pilot' in to) && !('playbook' in to),
    });
  };
  const words = search.q?.toLowerCase() ?? '';
  const fits = (one: Pilot | Playbook) => `${one.name} ${one.cloud_account.account_name}`.toLowerCase().includes(words);
  const named = query.data && {
    pilots: query.data.auto_pilot.filter(fits),
    playbooks: query.data.auto_playbook.filter(fits),
  };
  const isShown = (one: Pilot | Playbook) => search.show === undefined || showOf(one.status) === search.show;
  const pilots = named?.pilots.filter(isShown);
  const playbooks = named?.playbooks.filter(isShown);
  const many = (show: PilotsSearch['show']) =>
    count(
      [...(named?.pilots ?? []), ...(named?.playbooks ?? [])].filter(
        ({ status }) => show === undefined || showOf(status) === show,
      ).length,
    );
  const off = isOn ? undefined : automationTexts.off.title;
  const pilotActs = (pilot: Pilot) => {
    const isActing = pilot.status === 'Active' || pilot.status === 'Dryrun';
    const waits = pilot.status === 'DRAFT' ? texts.waits : undefined;
    return {
      isOn: isActing,
      // A dry run changes nothing, so it is allowed while automation is off.
      runReason: reason ?? waits ?? (isActing ? (pilot.status === 'Active' ? off : undefined) : texts.isPaused),
      turnReason: reason ?? waits,
      onRun: () => {
        change.mutate({ kind: 'run-pilot', of: pilot });
      },
      onTurn: () => {
        change.mutate({ kind: 'turn-pilot', of: pilot, to: isActing ? 'Disabled' : 'Active' });
      },
    };
  };
  const playbookActs = (playbook: Playbook) => {
    const isActive = playbook.status === 'ACTIVE';
    return {
      isOn: isActive,
      runReason: reason ?? (isActive ? off : texts.isPaused),
      turnReason: reason,
      onRun: () => {
        change.mutate({ kind: 'run-playbook', of: playbook });
      },
      onTurn: () => {
        change.mutate({ kind: 'turn-playbook', of: playbook, to: isActive ? 'DISABLED' : 'ACTIVE' });
      },
    };
  };
  const openPilot = query.data?.auto_pilot.find(({ id }) => id === search.pilot);
  const openPlaybook = query.data?.auto_playbook.find(({ id }) => id === search.playbook);
  const close = () => {
    go({ pilot: undefined, playbook: undefined });
  };
  const side = openPilot ? (
    <PilotPanel
      key={openPilot.id}
      pilot={openPilot}
      busy={change.isPending}
      onClose={close}
      {...pilotActs(openPilot)}
    />
  ) : openPlaybook ? (
    <PlaybookPanel
      key={openPlaybook.id}
      playbook={openPlaybook}
      busy={change.isPending}
      onClose={close}
      {...playbookActs(openPlaybook)}
    />
  ) : undefined;
  const room = narrow || side ? 'narrow' : 'wide';
  return (
    <Page
      title="Auto-pilot"
      crumb="Automation"
      side={side}
      actions={
        <>
          {pilots && pilots.length > 0 && (
            <ExportButton
              name="auto-pilots"
              columns={pilotColumns('file', now)}
              rows={pilots}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          )}
          <Button
            kind="primary"
            reason={reason}
            onClick={() => {
              go({ add: 'vertical_rightsize' });
            }}
          >
            <Plus className="i" />
            Add auto-pilot
          </Button>
        </>
      }
      filters={
        <>
          <Segmented
            label="Which auto-pilots"
            value={search.show ?? 'all'}
            options={[
              { value: 'all' as const, label: 'All', count: many(undefined) },
              { value: 'active' as const, label: 'Active', count: many('active') },
              { value: 'dry' as const, label: 'Dry run', count: many('dry') },
              { value: 'off' as const, label: 'Off', count: many('off') },
            ]}
            onChange={(show) => {
              go({ show: show === 'all' ? undefined : show });
            }}
          />
          <span className="end-bar">
            <SearchBox
              label="Filter by name"
              value={search.q ?? ''}
              onChange={(q) => {
                go({ q });
              }}
            />
          </span>
        </>
      }
    >
      <div className="stack">
        <OffBanner />
        <Figures now={now} />
        <Panel title="Auto-pilots" meta={narrow ? undefined : texts.pilots}>
          <DataTable
            label="Auto-pilots"
            columns={[...pilotColumns(room, now), actions((pilot: Pilot) => pilotActs(pilot))]}
            rows={pilots}
            error={query.error}
            retry={query.refetch}
            rowId={({ id }) => id}
            rowHeight={46}
            primary
            defaultSort={[{ id: 'name', desc: false }]}
            openId={openPilot?.id ?? null}
            onOpen={({ id }) => {
              go({ pilot: id, playbook: undefined });
            }}
            empty={<Nothing hasAny={(query.data?.auto_pilot.length ?? 0) > 0} of={texts.noPilots} icon={Workflow} />}
          />
        </Panel>
        <Panel title="Playbooks" meta={narrow ? undefined : texts.playbooks}>
          <DataTable
            label="Playbooks"
            columns={[...playbookColumns(room, now), actions((playbook: Playbook) => playbookActs(playbook))]}
            rows={playbooks}
            error={query.error}
            retry={query.refetch}
            rowId={({ id }) => id}
            rowHeight={46}
            defaultSort={[{ id: 'name', desc: false }]}
            openId={openPlaybook?.id ?? null}
            onOpen={({ id }) => {
              go({ playbook: id, pilot: undefined });
            }}
            empty={
              <Nothing hasAny={(query.data?.auto_playbook.length ?? 0) > 0} of={texts.noPlaybooks} icon={BookOpen} />
            }
          />
        </Panel>
      </div>
      {search.add !== undefined && reason === undefined && (
        <AddPilot
          start={search}
          onAdded={(pilot) => {
            go({ ...noStart, pilot, playbook: undefined });
          }}
          onClose={() => {
            go(noStart);
          }}
        />
      )}
    </Page>
  );
}

type Acts = Omit<Parameters<typeof RowActions>[0], 'name'>;

function actions<Row extends { name: string }>(acts: (row: Row) => Acts): Column<Row> {
  return {
    id: 'actions',
    header: 'Actions',
    hideHeader: true,
    sortable: false,
    csv: null,
    value: () => null,
    width: 84,
    cell: (row) => <RowActions name={row.name} {...acts(row)} />,
  };
}

function Figures({ now }: { now: Date }) {
  const today = now.toISOString().slice(0, 10);
  const variables = useMemo(
    () => ({ week: new Date(Date.parse(`${today}T00:00:00Z`) - week).toISOString().slice(0, 19) }),
    [today],
  );
  const { data } = useGraphQL(PilotFigures, variables, { refetchInterval: again });
  if (!data) return null;
  const of = (one: { aggregate: { count: number } | null }) => count(one.aggregate?.count ?? 0);
  return (
    <section className="kpis pilot-kpis" aria-label="Auto-pilot results">
      <Tile label="Done" title="Recommendations applied by auto-pilots" value={of(data.done)}>
        applied by auto-pilots
      </Tile>
      <Tile
        label="In progress"
        title="Recommendations that wait for approval or are being applied"
        value={of(data.under_way)}
      >
        waiting for approval or verification
      </Tile>
      <Tile
        label="Skipped"
        title="Recommendations that auto-pilots could not apply; each shows the reason"
        value={of(data.left)}
      >
        each shows the reason
      </Tile>
      <Tile label="Failed in 7 days" title="Recommendations whose change failed" value={of(data.failed)}>
        each shows the reason
      </Tile>
    </section>
  );
}

function Nothing({
  hasAny,
  of,
  icon,
}: {
  hasAny: boolean;
  of: { title: string; text: string };
  icon: typeof Workflow;
}) {
  if (hasAny) return <Empty icon={SearchX} title={texts.noMatch} />;
  return (
    <Empty icon={icon} title={of.title}>
      {of.text}
    </Empty>
  );
}
