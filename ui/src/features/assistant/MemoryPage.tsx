import { useNavigate, useSearch } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { Brain, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { request, useGraphQL, useSession } from '@/api';
import type { ResultOf } from '@/api';
import {
  Button,
  Content,
  Dialog,
  Empty,
  NothingImported,
  Page,
  Panel,
  dateTime,
  plural,
  toast,
  useNow,
} from '@/shared';
import { Contexts, RemoveContext } from './queries';
import { NoteDialog } from './NoteDialog';
import { AccountSelect } from './AccountSelect';
import { useAccount } from './useAccount';
import './assistant.css';

type Context = NonNullable<NonNullable<NonNullable<ResultOf<typeof Contexts>['ai_list_gc']>['data']>[number]>;

/** Notes included in every question, and facts the assistant has learned. */
export function MemoryPage() {
  const search = useSearch({ from: '/assistant/memory' });
  const navigate = useNavigate({ from: '/assistant/memory' });
  const { accounts, all, account } = useAccount(search.account);
  const roles = useSession().data?.roles ?? [];
  const readOnly = roles.some((role) => role === 'tenant_admin' || role === 'account_admin')
    ? undefined
    : 'Only people who can change the account can change its notes';
  const [writing, setWriting] = useState<Context | 'new' | null>(null);
  return (
    <Page
      title="Memory"
      crumb="Assistant & knowledge"
      actions={
        account && (
          <Button
            kind="primary"
            reason={readOnly}
            onClick={() => {
              setWriting('new');
            }}
          >
            <Plus className="i" />
            Add note
          </Button>
        )
      }
      filters={
        account && (
          <AccountSelect
            of={all}
            chosen={account}
            onChoose={(id) => {
              void navigate({ search: { account: id } });
            }}
          />
        )
      }
    >
      <Content of={accounts} what="Accounts could not be read">
        {() =>
          account ? (
            <Notes key={account.id} account={account.id} readOnly={readOnly} onWrite={setWriting} />
          ) : (
            <NothingImported
              icon={Brain}
              words={{
                title: 'No account yet',
                text: 'The memory of the assistant belongs to an account. Import a bill first.',
                action: 'Import files',
              }}
            />
          )
        }
      </Content>
      {account && writing && (
        <NoteDialog
          account={account.id}
          note={writing === 'new' ? undefined : writing}
          onClose={() => {
            setWriting(null);
          }}
        />
      )}
    </Page>
  );
}

function Notes({
  account,
  readOnly,
  onWrite,
}: {
  account: string;
  readOnly: string | undefined;
  onWrite: (note: Context) => void;
}) {
  const client = useQueryClient();
  const found = useGraphQL(Contexts, { account });
  const now = useNow();
  const [removing, setRemoving] = useState<Context | null>(null);
  const remove = (note: Context) => {
    setRemoving(null);
    request(RemoveContext, { account, id: note.id })
      .then(() => client.invalidateQueries({ queryKey: ['graphql'] }))
      .catch((error: unknown) => {
        toast({ tone: 'bad', text: (error as Error).message });
      });
  };
  return (
    <Content of={found} what="The memory could not be read">
      {({ ai_list_gc: contexts, ai_list_memory: memories }) => {
        const notes = (contexts?.data ?? []).filter((note) => note !== null);
        const learned = (memories?.data ?? []).filter((one) => one !== null);
        return (
          <div className="stack memory-notes">
            <Panel
              title="Included in every question"
              meta={notes.length > 0 ? plural(notes.length, 'note') : undefined}
            >
              {notes.length === 0 ? (
                <Empty icon={Brain} title="No notes yet">
                  Facts the assistant should always know: which service belongs to whom, what a tag means, when a month
                  is closed. They are included in every question, including those to a model outside this computer.
                </Empty>
              ) : (
                notes.map((note) => (
                  <div className="row start note-line" key={note.id}>
                    <div className="grow">
                      <div className="row">
                        <b>{note.name}</b>
                        <span className="small muted">
                          {note.updated_at && dateTime(note.updated_at, now)}
                          {note.status !== 'active' && `, ${note.status}: not included`}
                        </span>
                      </div>
                      <p>{note.data_format === 'pdf' ? 'A PDF, which is not included.' : note.data}</p>
                    </div>
                    <Button
                      size="small"
                      kind="quiet"
                      iconOnly
                      aria-label={`Change ${note.name}`}
                      reason={
                        readOnly ?? (note.data_format === 'text' ? undefined : 'Only text notes can be changed here')
                      }
                      onClick={() => {
                        onWrite(note);
                      }}
                    >
                      <Pencil className="i s" />
                    </Button>
                    <Button
                      size="small"
                      kind="quiet"
                      iconOnly
                      aria-label={`Remove ${note.name}`}
                      reason={readOnly}
                      onClick={() => {
                        setRemoving(note);
                      }}
                    >
                      <Trash2 className="i s" />
                    </Button>
                  </div>
                ))
              )}
            </Panel>
            {learned.length > 0 && (
              <Panel title="Learned" meta={plural(learned.length, 'memory', 'memories')}>
                {learned.map((one) => (
                  <div className="note-line" key={one.id}>
                    <span className="small muted">
                      {one.memory_type?.replaceAll('_', ' ')}
                      {one.created_at && `, ${dateTime(one.created_at, now)}`}
                    </span>
                    <p>{one.content}</p>
                  </div>
                ))}
              </Panel>
            )}
            {removing && (
              <Dialog
                open
                title={`Remove ${removing.name}`}
                help="It is no longer included in questions. Earlier answers stay as they are."
                onClose={() => {
                  setRemoving(null);
                }}
                actions={
                  <Button
                    kind="destructive"
                    onClick={() => {
                      remove(removing);
                    }}
                  >
                    Remove
                  </Button>
                }
              />
            )}
          </div>
        );
      }}
    </Content>
  );
}
