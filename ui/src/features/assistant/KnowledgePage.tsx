import { useNavigate, useSearch } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { BookOpen, FileUp, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, request, useGraphQL, useWhyNot } from '@/api';
import { takesDrops } from '@/host';
import {
  Button,
  Content,
  DataTable,
  Dialog,
  Empty,
  NothingImported,
  FileDrop,
  Page,
  Panel,
  SearchBox,
  Status,
  bytes,
  dateTime,
  plural,
  toast,
  useNow,
} from '@/shared';
import type { Column } from '@/shared';
import type { ResultOf } from '@/api';
import { Bases, Passages, RemoveBase } from './queries';
import { AccountSelect } from './AccountSelect';
import { useAccount } from './useAccount';
import './assistant.css';

type Base = NonNullable<NonNullable<NonNullable<ResultOf<typeof Bases>['ai_list_kb']>['data']>[number]>;

/** Documents for the assistant, with a search that needs no model. */
export function KnowledgePage() {
  const search = useSearch({ from: '/assistant/knowledge-bases' });
  const navigate = useNavigate({ from: '/assistant/knowledge-bases' });
  const { accounts, all, account } = useAccount(search.account);
  return (
    <Page
      title="Knowledge bases"
      crumb="Assistant & knowledge"
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
            <Shelf key={account.id} account={account.id} />
          ) : (
            <NothingImported
              icon={BookOpen}
              words={{
                title: 'No account yet',
                text: 'Documents belong to an account. Import a bill first.',
                action: 'Import files',
              }}
            />
          )
        }
      </Content>
    </Page>
  );
}

function Shelf({ account }: { account: string }) {
  const client = useQueryClient();
  const [waits, setWaits] = useState(false);
  const bases = useGraphQL(Bases, { account }, { refetchInterval: waits ? 2_000 : false });
  const rows = (bases.data?.ai_list_kb?.data ?? []).filter((base) => base !== null);
  // PDFs are processed in the background: the page polls until they are done.
  const isReading = rows.some((base) => base.status === 'processing');
  if (isReading !== waits) setWaits(isReading);
  const [removing, setRemoving] = useState<Base | null>(null);
  const whyNot = useWhyNot();
  const now = useNow();
  const renew = () => client.invalidateQueries({ queryKey: ['graphql'] });
  const columns: Column<Base>[] = [
    {
      id: 'name',
      header: 'Knowledge base',
      value: (base) => base.name,
      cell: (base) => (
        <span>
          <b>{base.name}</b>
          <span className="small muted below">{base.data_filename}</span>
        </span>
      ),
    },
    { id: 'state', header: 'State', value: (base) => base.status, cell: (base) => <State base={base} />, width: 260 },
    {
      id: 'size',
      header: 'Size',
      kind: 'number',
      value: (base) => base.data_size_bytes,
      cell: (base) => bytes(base.data_size_bytes ?? 0),
      width: 100,
    },
    {
      id: 'changed',
      header: 'Changed',
      value: (base) => base.updated_at,
      cell: (base) => (base.updated_at ? dateTime(base.updated_at, now) : '–'),
      width: 160,
    },
    {
      id: 'remove',
      header: 'Remove',
      hideHeader: true,
      sortable: false,
      csv: null,
      value: () => null,
      width: 56,
      cell: (base) => (
        <Button
          size="small"
          kind="quiet"
          iconOnly
          aria-label={`Remove ${base.name}`}
          reason={whyNot({ fields: ['ai_delete_kb'] })}
          onClick={() => {
            setRemoving(base);
          }}
        >
          <Trash2 className="i s" />
        </Button>
      ),
    },
  ];
  return (
    <div className="stack">
      <Drop account={account} onAdded={renew} />
      <Content of={bases} what="Knowledge bases could not be read">
        {() => (
          <Panel label="Knowledge bases">
            <DataTable
              label="Knowledge bases"
              columns={columns}
              rows={rows}
              rowId={(base) => base.id}
              rowHeight={46}
              empty={
                <Empty icon={BookOpen} title="No documents yet">
                  Runbooks, contracts, notes: the assistant cites their passages, and you can search them here without a
                  model.
                </Empty>
              }
            />
          </Panel>
        )}
      </Content>
      {rows.length > 0 && <Try account={account} />}
      <p className="small muted">
        Search always uses plain words. With an embedding model on this machine, it also compares passages by meaning.
      </p>
      {removing && (
        <Dialog
          open
          title={`Remove ${removing.name}`}
          help="The document and its passages are removed. Answers that cite it keep their text."
          onClose={() => {
            setRemoving(null);
          }}
          actions={
            <Button
              kind="destructive"
              onClick={() => {
                request(RemoveBase, { account, id: removing.id })
                  .then(renew)
                  .catch((error: unknown) => {
                    toast({ tone: 'bad', text: (error as Error).message });
                  });
                setRemoving(null);
              }}
            >
              Remove
            </Button>
          }
        />
      )}
    </div>
  );
}

function State({ base }: { base: Base }) {
  if (base.status === 'processing') return <Status tone="info">Processing</Status>;
  if (base.status === 'archived') return <Status tone="off">Archived</Status>;
  if (base.status === 'error')
    return (
      <span>
        <Status tone="bad">Not read</Status>
        <span className="small muted below">{base.status_reason}</span>
      </span>
    );
  return (
    <span>
      <Status tone="ok">Ready</Status>
      <span className="small muted below">{base.status_reason ?? plural(base.passages, 'passage')}</span>
    </span>
  );
}

/** A name a knowledge base may have, from a file's. */
function nameOf(file: string): string {
  const name = file
    .replace(/\.[^.]+$/, '')
    .replace(/[^A-Za-z0-9 :_-]+/g, ' ')
    .trim();
  const named = /^[A-Za-z]/.test(name) ? name : `Document ${name}`;
  return (named.length < 3 ? `${named} document` : named).slice(0, 100).trim();
}

function Drop({ account, onAdded }: { account: string; onAdded: () => unknown }) {
  const [busy, setBusy] = useState(false);
  const add = async (files: readonly File[]) => {
    setBusy(true);
    for (const file of files) {
      const about = new URLSearchParams({ account_id: account, name: nameOf(file.name), file: file.name });
      try {
        await call(`/api/assistant/documents?${about.toString()}`, { method: 'POST', body: file });
        toast({ tone: 'ok', text: `Added ${file.name}` });
      } catch (error) {
        toast({ tone: 'bad', text: `${file.name}: ${(error as Error).message}` });
      }
    }
    setBusy(false);
    void onAdded();
  };
  return (
    <FileDrop look="broad" label="Documents to add" multiple onFiles={(files) => void add(files)}>
      {(choose) => (
        <>
          <FileUp className="i l" />
          <div className="grow">
            <b>{takesDrops ? 'Drop documents to add them' : 'Choose documents to add them'}</b>
            <p className="muted small">
              PDF, text, Markdown, CSV, JSON or XML, up to 10 MB each. Kept here, sent nowhere.
            </p>
          </div>
          <Button kind="primary" busy={busy && 'Adding'} onClick={choose}>
            Choose files
          </Button>
        </>
      )}
    </FileDrop>
  );
}

/** Searches the documents in the same way as the assistant. */
function Try({ account }: { account: string }) {
  const [text, setText] = useState('');
  const query = text.trim();
  const found = useGraphQL(Passages, { account, query }, { enabled: query.length > 1 });
  const passages = query.length > 1 ? (found.data?.ai_search_kb?.data?.passages ?? []) : [];
  return (
    <Panel
      padded
      title="Try a search"
      meta={query.length > 1 && found.data ? plural(passages.length, 'passage') : undefined}
    >
      <div className="stack">
        <SearchBox label="Search the documents" value={text} onChange={setText} />
        {passages.map((passage) => (
          <div key={passage.id} className="passage">
            <div className="row small muted">
              <Search className="i s" />
              {passage.kb_name}, {passage.place}
            </div>
            <p>{passage.text}</p>
          </div>
        ))}
        {query.length > 1 && !found.isFetching && passages.length === 0 && (
          <p className="muted">No passage contains any of these words.</p>
        )}
      </div>
    </Panel>
  );
}
