import { useNavigate, useSearch } from '@tanstack/react-router';
import { BookOpen, LogIn } from 'lucide-react';
import { Suspense, lazy, useDeferredValue, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Content, Status } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { NotForYou, isRefused } from '../NotForYou';
import { SettingsPage } from '../SettingsPage';
import { Tabs } from '../Tabs';
import { Configuration } from './Configuration';
import { setDraft, useDraft, withChanges } from './draft';
import type { Draft } from './draft';
import { Lab } from './Lab';
import { useRows } from './MappingSection';
import { rowsOf } from './mapping';
import { textOf } from './draft';
import { RefusalPanel, Refusals } from './Refusals';
import { problemsFound } from './problems';
import { SaveBar } from './SaveBar';
import { TestPanel } from './TestPanel';
import type { FormProps } from './form';
import { goTo, titleOf } from './form';
import { useChecked, useRefusals, useSettings, useStartTest } from './queries';
import type { SettingName, Settings } from './types';

// Loaded on first use.
const SetupGuide = lazy(() => import('./SetupGuide').then((found) => ({ default: found.SetupGuide })));

/** Settings, Single sign-on: from a metadata file to a tested, saved configuration. */
export function SignOnPage() {
  const settings = useSettings();
  if (settings.data) return <Loaded settings={settings.data} />;
  return (
    <SettingsPage title="Single sign-on (SAML 2.0)">
      {isRefused(settings.error) ? (
        <NotForYou />
      ) : (
        <Content of={settings} what="The settings of single sign-on could not be read">
          {() => null}
        </Content>
      )}
    </SettingsPage>
  );
}

function Loaded({ settings }: { settings: Settings }) {
  const search = useSearch({ from: '/settings/single-sign-on' });
  const navigate = useNavigate({ from: '/settings/single-sign-on' });
  const kept = useDraft();
  const draft = useMemo(() => withChanges(kept, {}, settings), [kept, settings]);
  // Typed text shows at once; the service validates it when there is time.
  const checked = useChecked(useDeferredValue(draft));
  const dirty = Object.keys(draft).length > 0;
  const view = (dirty && checked.data) || settings;
  const change = (changes: Draft) => {
    setDraft(withChanges(draft, changes, settings));
  };
  const [rows, setRows] = useRows(
    textOf('SAML_GROUP_MAPPING', draft, settings),
    settings.values.SAML_GROUP_MAPPING.value ?? '',
    (text) => {
      change({ SAML_GROUP_MAPPING: text });
    },
  );
  const [served, setServed] = useState<Partial<Record<SettingName, string>>>({});
  const [shown, setShown] = useState(false);
  const start = useStartTest();
  const form: FormProps = {
    settings,
    view,
    draft,
    change,
    problem: (name) => served[name] ?? view.values[name].problem ?? undefined,
  };
  const missing = view.missing.map((name) => titleOf(name as SettingName));
  const reason = missing.length > 0 ? `Missing: ${missing.join(', ')}` : undefined;
  const run = () => {
    setShown(true);
    // The provider responds to the instance itself, in a browser with a session there; the panel explains it.
    if (instanceInFront !== null) return;
    // Opened in the click handler, or the browser blocks it as a pop-up.
    const tab = window.open('', '_blank');
    start.mutate(draft, {
      onSuccess: ({ id, start: address }) => {
        // The test panel replaces the guide.
        void navigate({ search: { test: id }, replace: true });
        if (tab) tab.location.replace(address);
        else window.location.assign(address);
      },
      onError: () => {
        tab?.close();
      },
    });
  };
  const tab = search.tab ?? 'configuration';
  const contents: Record<typeof tab, ReactNode> = {
    configuration: <Configuration {...form} rows={rows} setRows={setRows} onTest={run} testing={start.isPending} />,
    refusals: (
      <Refusals
        open={search.open}
        onOpen={(open) => {
          void navigate({ search: open ? { tab: 'refusals', open } : { tab: 'refusals' }, replace: true });
        }}
      />
    ),
    lab: <Lab draft={draft} />,
  };
  return (
    <SettingsPage
      title="Single sign-on (SAML 2.0)"
      plain
      actions={
        <>
          <State settings={settings} />
          {tab === 'configuration' && (
            <Button
              onClick={() => {
                void navigate({
                  search: ({ guide, ...rest }) => (guide ? rest : { ...rest, guide: 'okta' }),
                  replace: true,
                });
              }}
            >
              <BookOpen className="i" />
              Setup guide
            </Button>
          )}
          {tab === 'configuration' && (
            <Button
              className="show-m"
              onClick={() => {
                setShown(true);
              }}
            >
              <LogIn className="i" />
              Test sign-in
            </Button>
          )}
        </>
      }
      foot={
        tab === 'configuration' && (
          <SaveBar
            draft={draft}
            dirty={dirty}
            problems={problemsFound(form, rows)}
            failedTest={dirty && view.last_test?.of_these_values === true && !view.last_test.passed}
            onServed={setServed}
            onDiscard={() => {
              setRows(rowsOf(settings.values.SAML_GROUP_MAPPING.value ?? '') ?? []);
            }}
            onGo={goTo}
          />
        )
      }
      side={
        tab === 'refusals' && search.open ? (
          <RefusalPanel
            id={search.open}
            onClose={() => {
              void navigate({ search: { tab: 'refusals' }, replace: true });
            }}
          />
        ) : tab === 'configuration' && search.guide ? (
          <Suspense fallback={null}>
            <SetupGuide
              id={search.guide}
              settings={view}
              onChoose={(guide) => {
                void navigate({ search: (known) => ({ ...known, guide }), replace: true });
              }}
              onClose={() => {
                void navigate({ search: (known) => ({ ...known, guide: undefined }), replace: true });
              }}
            />
          </Suspense>
        ) : tab === 'configuration' ? (
          <TestPanel
            id={search.test ?? settings.last_test?.id ?? null}
            shown={shown}
            starting={start.isPending}
            refusal={start.error?.message}
            reason={reason}
            onRun={run}
            onTake={(setting, value) => {
              change({ [setting]: value });
              goTo(`setting-${setting}`);
            }}
            onClose={() => {
              setShown(false);
            }}
          />
        ) : undefined
      }
    >
      <PageTabs
        tab={tab}
        onChange={(next) => {
          void navigate({ search: next === 'configuration' ? {} : { tab: next }, replace: true });
        }}
      />
      <div className={tab === 'refusals' ? 'settable' : 'setpad'} role="tabpanel" aria-label={tab}>
        {contents[tab]}
      </div>
    </SettingsPage>
  );
}

type TabName = 'configuration' | 'refusals' | 'lab';

function PageTabs({ tab, onChange }: { tab: TabName; onChange: (tab: TabName) => void }) {
  const refusals = useRefusals().data?.length;
  return (
    <Tabs
      label="Single sign-on"
      value={tab}
      options={[
        { value: 'configuration', label: 'Configuration' },
        { value: 'refusals', label: 'Recent refusals', count: refusals },
        { value: 'lab', label: 'Assertion lab' },
      ]}
      onChange={onChange}
    />
  );
}

function State({ settings }: { settings: Settings }) {
  if (settings.enabled && settings.configured)
    return (
      <span className="badge ok">
        <Status tone="ok">Enabled</Status>
      </span>
    );
  return <span className="badge">{settings.enabled ? 'Enabled, but not complete' : 'Off'}</span>;
}
