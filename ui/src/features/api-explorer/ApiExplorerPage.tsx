import { graphql as graphqlSupport } from 'cm6-graphql';
import { AlignLeft, KeyRound, Play, Save, Square, Terminal } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useOriginInFront, useSession } from '@/api';
import type { Session } from '@/api';
import { host } from '@/host';
import { Button, Keys, Page, toast, useCommands, useStore } from '@/shared';
import type { ReadAnswer } from './answer';
import { bodyOf, faultOfVariables } from './ask';
import { curl, tokenVariable } from './curl';
import { Editor } from '@/shared/editor/Editor';
import type { EditorHandle } from '@/shared/editor/Editor';
import { Inputs } from './Inputs';
import * as shelf from './library';
import { operationAt, prettify } from './operation';
import { nameOf, QueryTabs } from './QueryTabs';
import { Result } from './Result';
import { SaveDialog } from './SaveDialog';
import { useSchema } from './schema';
import type { Place } from './schema';
import { Sidebar } from './Sidebar';
import { useLinkedQuery } from './useLinkedQuery';
import { useRun } from './useRun';
import './api-explorer.css';

/** Write a query, run it with the own session, read the answer with every digit. */
export function ApiExplorerPage() {
  const session = useSession().data;
  // The frame renders pages for signed-in users only.
  return session ? <Explorer key={`${session.email} ${session.tenant.id}`} session={session} /> : null;
}

function Explorer({ session }: { session: Session }) {
  const schema = useSchema(`${session.email} ${session.tenant.id}`);
  const store = useMemo(() => shelf.openLibrary(`quarterdeck.api.${session.tenant.id}.${session.email}`), [session]);
  useLinkedQuery(store);
  const library = useStore(store);
  const [answers, setAnswers] = useState<Readonly<Record<string, ReadAnswer>>>({});
  const [trail, setTrail] = useState<readonly Place[]>([]);
  const [naming, setNaming] = useState(false);
  const editor = useRef<EditorHandle | null>(null);
  const focusNext = useRef(false);
  const keepHandle = useCallback((handle: EditorHandle | null) => {
    editor.current = handle;
    if (handle && focusNext.current) {
      focusNext.current = false;
      handle.focus();
    }
  }, []);
  const tab = library.tabs.find(({ id }) => id === library.activeId) ?? { id: '', query: '', variables: '' };
  const fault = faultOfVariables(tab.variables);
  const { running, run, stop } = useRun((draft, answer) => {
    const { status, ms, bytes } = answer;
    const at = new Date().toISOString();
    setAnswers((all) => ({ ...all, [tab.id]: answer }));
    store.set((all) => shelf.remember(all, { ...draft, at, status, ms, bytes, errors: answer.faults.length }));
  });

  const operation = () => operationAt(tab.query, editor.current?.cursor() ?? 0);
  const runQuery = () => {
    if (tab.query.trim() && !fault) void run({ query: tab.query, variables: tab.variables }, operation());
  };
  const origin = useOriginInFront();
  const copyCurl = () => {
    if (origin === null) return;
    void host.copy(curl(origin, bodyOf(tab.query, tab.variables, operation()))).then(() => {
      toast({ tone: 'ok', text: `Copied. Put a token from /api/auth/token into ${tokenVariable} before you run it.` });
    });
  };
  const layOut = () => {
    try {
      store.set((all) => shelf.write(all, { query: prettify(tab.query) }));
    } catch (error) {
      toast({ tone: 'bad', text: `The query cannot be formatted: ${(error as Error).message}` });
    }
  };
  const kept = library.saved.find(({ id }) => id === tab.savedId);
  const saveAs = (name: string) => {
    store.set((all) => shelf.save(all, name, crypto.randomUUID()));
    setNaming(false);
    toast({ tone: 'ok', text: `Saved ${name}` });
  };
  const saveQuery = () => {
    if (kept) saveAs(kept.name);
    else setNaming(true);
  };
  const unrunnable = fault ?? (tab.query.trim() ? undefined : 'Write a query first');
  const newTab = () => {
    const before = store.get().activeId;
    store.set((all) => shelf.open(all, { query: '', variables: '' }, crypto.randomUUID()));
    // Each tab has its own editor, created after this.
    if (store.get().activeId === before) editor.current?.focus();
    else focusNext.current = true;
  };
  useCommands([
    { id: 'api-run', title: 'Run query', group: 'Do', keys: 'mod+Enter', icon: Play, run: runQuery },
    { id: 'api-save', title: 'Save query', group: 'Do', keys: 'mod+s', icon: Save, run: saveQuery },
    { id: 'api-curl', title: 'Copy query as curl', group: 'Do', icon: Terminal, run: copyCurl },
    { id: 'api-pretty', title: 'Format query', group: 'Do', keys: 'mod+shift+f', icon: AlignLeft, run: layOut },
    { id: 'api-new', title: 'New query', group: 'Do', icon: Play, run: newTab },
    {
      id: 'api-edit',
      title: 'Edit query',
      group: 'Do',
      keys: 'e',
      run: () => {
        editor.current?.focus();
      },
    },
  ]);
  const known = schema.data;
  const language = useMemo(
    () =>
      graphqlSupport(known, {
        onShowInDocs: (field, type, parent) => {
          const place = parent && field ? { type: bare(parent), field } : type ? { type: bare(type) } : undefined;
          if (place) setTrail((before) => [...before, place]);
        },
      }),
    [known],
  );
  return (
    <Page
      title="API explorer"
      flush
      actions={
        <>
          <span className="row small muted whose" title={`${session.email}, ${session.roles.join(', ')}`}>
            <KeyRound className="i s" />
            Your session
          </span>
          <Button disabled={origin === null} onClick={copyCurl}>
            <Terminal className="i" />
            <span className="words">Copy as curl</span>
          </Button>
          <Button onClick={saveQuery}>
            <Save className="i" />
            <span className="words">Save</span>
          </Button>
          {running ? (
            <Button kind="primary" onClick={stop}>
              <Square className="i" />
              Stop
            </Button>
          ) : (
            <Button kind="primary" onClick={runQuery} reason={unrunnable}>
              <Play className="i" />
              Run <Keys keys="mod+Enter" />
            </Button>
          )}
        </>
      }
    >
      <div className="apix">
        <Sidebar
          schema={schema}
          library={library}
          trail={trail}
          onTrail={setTrail}
          onOpen={(draft) => {
            store.set((all) => shelf.open(all, draft, crypto.randomUUID()));
          }}
          onRemove={(saved) => {
            store.set((all) => shelf.remove(all, saved.id));
            const back = () => {
              store.set((all) => ({ ...all, saved: [...all.saved, saved] }));
            };
            toast({ tone: 'ok', text: `Deleted ${saved.name}`, action: { label: 'Undo', run: back } });
          }}
          onClear={() => {
            const { history } = store.get();
            store.set((all) => ({ ...all, history: [] }));
            const back = () => {
              store.set((all) => ({ ...all, history }));
            };
            toast({ tone: 'ok', text: 'Cleared the history', action: { label: 'Undo', run: back } });
          }}
        />
        <section className="col write" aria-label="Query">
          <QueryTabs
            library={library}
            onChoose={(id) => {
              store.set((all) => ({ ...all, activeId: id }));
            }}
            onClose={(id) => {
              store.set((all) => shelf.close(all, id, crypto.randomUUID()));
            }}
            onNew={newTab}
          />
          <div className="ed">
            <Editor
              key={tab.id}
              label="Query"
              language="graphql"
              value={tab.query}
              extension={language}
              hint="{ tenant { name } }"
              handle={keepHandle}
              onChange={(query) => {
                store.set((all) => shelf.write(all, { query }));
              }}
            />
            <Button size="small" kind="quiet" className="pretty" title="Format the query" onClick={layOut}>
              <AlignLeft className="i s" />
              Prettify
            </Button>
          </div>
          <Inputs
            tabId={tab.id}
            variables={tab.variables}
            fault={fault}
            onChange={(variables) => {
              store.set((all) => shelf.write(all, { variables }));
            }}
          />
        </section>
        <Result
          answer={answers[tab.id]}
          running={running}
          onGo={(line, column) => {
            editor.current?.go(line, column);
          }}
        />
      </div>
      {naming && (
        <SaveDialog
          suggestion={nameOf(library, tab)}
          onSave={saveAs}
          onClose={() => {
            setNaming(false);
          }}
        />
      )}
    </Page>
  );
}

/** The name of a type without list and null marks. */
function bare(type: string): string {
  return type.replace(/[[\]!]/g, '');
}
