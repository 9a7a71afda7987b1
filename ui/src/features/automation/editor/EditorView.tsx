import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Save } from 'lucide-react';
import { Suspense, lazy, useEffect, useMemo, useRef, useState } from 'react';
import { request, useGraphQL } from '@/api';
import type { ApiError, Json } from '@/api';
import { host } from '@/host';
import { Button, FileButton, Loading, Page, Select, Status, Tabs, plural, toast, useCommands } from '@/shared';
import type { EditorHandle } from '@/shared/editor/Editor';
import { Canvas } from '../Canvas';
import type { Mark } from '../Canvas';
import { useReason } from '../useChanges';
import { runStates } from '../words';
import { knownOf } from './completion';
import { inputsOf, lineOf, startsOf, stepsOf } from './definition';
import { DraftForm } from './DraftForm';
import { DryRunPanel } from './DryRunPanel';
import { withTask } from './insert';
import { Mistakes } from './Mistakes';
import { Palette } from './Palette';
import { PreviewPanel } from './PreviewPanel';
import { ImportYaml, ReadYaml, TaskKinds } from './queries';
import type { DryRunAnswer, TaskKind } from './queries';
import { TaskForm } from './TaskForm';
import { TemplateGallery } from './TemplateGallery';
import { TokenOnce } from './TokenOnce';
import { useDraft } from './useDraft';
import { Versions } from './Versions';
import { yamlOf } from './yamlOf';
import './editor.css';

// Loaded after the page, because it is larger than the rest of it.
const YamlEditor = lazy(() => import('./YamlEditor').then((found) => ({ default: found.YamlEditor })));

/** Delay before typed text is validated, ms. */
const pause = 350;

interface Account {
  id: string;
  account_name: string;
}

type Tab = 'tasks' | 'form' | 'templates' | 'dry' | 'preview' | 'versions';

/** The tabs of the editor; a new workflow has no versions. */
function tabsOf(isNew: boolean): { value: Tab; label: string }[] {
  return [
    { value: 'tasks', label: 'Tasks' },
    { value: 'form', label: 'Parameters' },
    { value: 'templates', label: 'Templates' },
    { value: 'dry', label: 'Dry run' },
    { value: 'preview', label: 'Preview' },
    ...(isNew ? [] : [{ value: 'versions' as const, label: 'Versions' }]),
  ];
}

/** The workflow editor: YAML next to the canvas, validated by the service while typing. */
export function EditorView({
  accounts,
  account,
  id,
  stored,
  onAccount,
  onClose,
}: {
  accounts: readonly Account[];
  account: string;
  /** The workflow that is written over; a new one without. */
  id?: string;
  /** Its text as it is stored. */
  stored: string;
  onAccount: (id: string) => void;
  /** Leaves the editor; a workflow that was saved is shown. */
  onClose: (saved?: string) => void;
}) {
  const { text, setText, isChanged, forget } = useDraft(id ?? 'new', stored);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(text);
    }, pause);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  const read = useGraphQL(ReadYaml, { account, yaml: asked });
  const found = read.data?.workflow_read_yaml ?? undefined;
  const isCurrent = asked === text && !read.isPlaceholderData && found !== undefined;
  // While the text is not valid YAML, the canvas does not change.
  const last = useLast(found?.definition ?? null);
  const mistakes = found?.mistakes;
  const editor = useRef<EditorHandle | null>(null);
  const lines = useMemo(
    () => (mistakes ?? []).map((message) => ({ message, line: lineOf(message, asked, last) })),
    [mistakes, asked, last],
  );
  const doubts = found?.warnings;
  const warnings = useMemo(
    () => (doubts ?? []).map((message) => ({ message, line: lineOf(message, asked, last) })),
    [doubts, asked, last],
  );
  const [tab, setTab] = useState<Tab>(id === undefined ? 'templates' : 'tasks');
  const [dry, setDry] = useState<DryRunAnswer | null>(null);
  const [open, setOpen] = useState<string>();
  const steps = useMemo(() => stepsOf(last), [last]);
  const marks = useMemo(() => (dry ? marksOf(dry) : undefined), [dry]);
  const kinds = useGraphQL(TaskKinds, {}).data?.workflow_list_taskdefinitions?.tasks;
  const known = useMemo(
    () =>
      knownOf(
        last,
        (kinds ?? []).flatMap((kind) => kind?.name ?? []),
      ),
    [last, kinds],
  );
  const reason = useReason();
  const save = useSave(account, id, stored, () => {
    forget();
  });
  const isSound = isCurrent && found.is_sound;
  const whyNotSave = reason ?? (isCurrent ? (isSound ? undefined : plural(lines.length, 'error')) : 'Checking');
  const put = (next: string) => {
    setText(next);
    setDry(null);
  };
  const doSave = () => {
    if (whyNotSave === undefined)
      save.mutate(text, {
        onSuccess: (made) => {
          if (made.token === null) onClose(made.id);
        },
      });
  };
  useCommands([
    {
      id: 'workflow save',
      title: 'Save the workflow',
      group: 'Do',
      keys: 'mod+s',
      icon: Save,
      disabled: whyNotSave,
      run: doSave,
    },
  ]);
  const insert = (kind: TaskKind) => {
    const added = withTask(text, { name: kind.name, schema: kind.input_schema });
    put(added.yaml);
    // Deferred until the editor has the new text.
    setTimeout(() => editor.current?.go(added.line, 1));
  };
  const made = save.data;
  const name = found?.name ?? 'New workflow';
  return (
    <Page
      title={id === undefined ? 'New workflow' : `Edit ${name}`}
      crumb="Automation / Workflows"
      flush
      actions={
        <>
          {isChanged && <span className="small muted">Draft, not saved</span>}
          {id === undefined && (
            <Select
              label="Account"
              value={account}
              options={accounts.map((one) => ({ value: one.id, label: one.account_name }))}
              onChange={onAccount}
            />
          )}
          <FileButton
            label="Workflow as YAML"
            accept=".yaml,.yml,application/yaml"
            onFiles={([file]) => {
              void file?.text().then(put);
            }}
          >
            Import file…
          </FileButton>
          <Button
            onClick={() => {
              void host.saveFile(`${name}.yaml`, text, 'application/yaml');
            }}
          >
            <Download className="i" />
            Export
          </Button>
          <Button
            onClick={() => {
              onClose();
            }}
          >
            Close
          </Button>
          <Button kind="primary" reason={whyNotSave} busy={save.isPending && 'Saving'} onClick={doSave}>
            Save
          </Button>
        </>
      }
    >
      <div className="wf-editor">
        <section className="wf-text" aria-label="Text">
          <Suspense fallback={<Loading lines={8} />}>
            <YamlEditor
              value={text}
              onChange={put}
              mistakes={lines}
              known={known}
              handle={(made) => {
                editor.current = made;
              }}
            />
          </Suspense>
          {(save.error ?? read.error) && (
            <div className="note bad" role="alert">
              <div className="grow">
                <div className="t">{save.error ? 'The workflow was not saved' : 'The text could not be checked'}</div>
                <div className="muted">{(save.error ?? read.error)?.message}</div>
              </div>
            </div>
          )}
          <Mistakes
            isCurrent={isCurrent}
            of={lines}
            warnings={warnings}
            onLine={(line) => {
              editor.current?.go(line, 1);
            }}
          />
        </section>
        <section className="wf-side" aria-label="Canvas and tasks">
          <Canvas
            label="Tasks of the workflow"
            steps={steps}
            trigger={startsOf(last)}
            {...(marks ? { marks } : {})}
            open={open}
            onOpen={(step) => {
              setOpen(step);
              const line = lineOf(`tasks[${String(steps.findIndex((one) => one.id === step))}]`, text, {
                tasks: steps.map((one) => ({ id: one.id })),
              });
              if (line !== undefined) editor.current?.go(line, 1);
            }}
          />
          {made && made.token !== null ? (
            <TokenOnce
              made={{ id: made.id, name: made.name, token: made.token }}
              onClose={() => {
                onClose(made.id);
              }}
            />
          ) : (
            <>
              <div className="wf-tabs">
                <Tabs label="Editor help" value={tab} options={tabsOf(id === undefined)} onChange={setTab} />
              </div>
              <div className="wf-scroll" role="tabpanel">
                {tab === 'tasks' && <Palette onTask={insert} reason={reason} />}
                {tab === 'form' && (
                  <TaskForm
                    tasks={steps}
                    open={open}
                    definition={last}
                    yaml={text}
                    reason={reason}
                    onTask={setOpen}
                    onYaml={put}
                  />
                )}
                {tab === 'templates' && (
                  <div className="stack">
                    <DraftForm account={account} reason={reason} onDraft={put} />
                    <TemplateGallery
                      isChanged={isChanged}
                      onChoose={(template) => {
                        put(template.yaml);
                      }}
                    />
                  </div>
                )}
                {tab === 'dry' && (
                  <DryRunPanel
                    account={account}
                    definition={last}
                    fields={inputsOf(last)}
                    reason={reason ?? (isSound ? undefined : 'Fix the errors before a dry run')}
                    answer={dry}
                    onAnswer={setDry}
                  />
                )}
                {tab === 'preview' && <PreviewPanel account={account} workflow={id} reason={reason} />}
                {tab === 'versions' && id !== undefined && (
                  <Versions
                    workflow={id}
                    definition={last}
                    reason={reason}
                    onTake={(definition) => {
                      put(withDefinition(found?.name ?? name, definition));
                    }}
                  />
                )}
              </div>
            </>
          )}
        </section>
      </div>
    </Page>
  );
}

/** The latest value that was one. */
function useLast(value: Json): Json {
  const [last, setLast] = useState<Json>(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}

interface StoredWorkflow {
  id: string;
  name: string;
  token: string | null;
}

/** Saves the workflow; overwritten text can be restored. */
function useSave(account: string, id: string | undefined, before: string, onSaved: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const write = async (yaml: string): Promise<StoredWorkflow & { message: string }> => {
    const written = await request(ImportYaml, {
      request: { account_id: account, yaml, ...(id === undefined ? {} : { id }) },
    });
    if (!written.workflow_import) throw new Error('The response contains no workflow.');
    return written.workflow_import;
  };
  return useMutation<StoredWorkflow & { message: string }, ApiError, string>({
    mutationFn: write,
    onSuccess: async (made) => {
      onSaved();
      await client.invalidateQueries({ queryKey: ['graphql'] });
      const undo = () => {
        write(before).then(
          () => {
            void client.invalidateQueries({ queryKey: ['graphql'] });
            toast({ tone: 'ok', text: `Undone: ${made.name} as before` });
            void navigate({ to: '/automation/workflows', search: { account, id: made.id } });
          },
          (error: unknown) => {
            toast({ tone: 'bad', text: `${made.name} could not be restored: ${(error as Error).message}` });
          },
        );
      };
      toast({
        tone: 'ok',
        text: id === undefined ? `Saved ${made.name}, paused: activate it when it is ready` : `Saved ${made.name}`,
        ...(id === undefined ? {} : { action: { label: 'Undo', run: undo } }),
      });
    },
  });
}

/** A definition with the name of its workflow around it. */
function withDefinition(name: string, definition: string): string {
  const inside = definition.trimEnd().split('\n');
  return [yamlOf({ name }).trimEnd(), 'definition:', ...inside.map((line) => `  ${line}`), ''].join('\n');
}

/** The state of each task in a dry run, for the canvas. */
function marksOf(dry: DryRunAnswer): ReadonlyMap<string, Mark> {
  return new Map(
    (dry.tasks ?? []).flatMap((task): [string, Mark][] => {
      if (task === null) return [];
      const state = runStates[task.status];
      const text = `dry run: ${state?.name.toLowerCase() ?? task.status}`;
      return [
        [task.id, { tone: state?.tone ?? 'off', text, shown: <Status tone={state?.tone ?? 'off'}>{text}</Status> }],
      ];
    }),
  );
}
