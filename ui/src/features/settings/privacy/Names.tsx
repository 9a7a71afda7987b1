import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import { request, useGraphQL } from '@/api';
import {
  Button,
  Content,
  DataTable,
  Empty,
  Field,
  Form,
  Panel,
  SearchBox,
  Segmented,
  Status,
  plural,
  toast,
} from '@/shared';
import type { Column } from '@/shared';
import { Preview, Replaced, useAct } from './queries';
import { problemOfWords, replacesOf, replacing, tokensIn, wordsOf } from './wording';
import type { Replaces } from './wording';

interface Attribute {
  name: string;
  value: string | null;
}

const choices = (['outside', 'always', 'never'] as const).map((value) => ({ value, label: replacing[value].label }));

/** When names are replaced, which ones, and by what. */
export function Names({
  account,
  attributes,
  readOnly,
}: {
  account: string | undefined;
  attributes: readonly Attribute[];
  readOnly: string | undefined;
}) {
  const valueOf = (name: string) => attributes.find((attribute) => attribute.name === name)?.value;
  const replaces = replacesOf(valueOf('assistant_replace_names'));
  const kept = JSON.parse(valueOf('assistant_replace_words') ?? '[]') as string[];
  return (
    <div className="stack privacy">
      <Panel title="When names are replaced" padded>
        <When replaces={replaces} readOnly={readOnly} />
      </Panel>
      <Panel title="Your own words" padded meta={kept.length > 0 ? plural(kept.length, 'word') : undefined}>
        <Words key={kept.join('\n')} kept={kept} readOnly={readOnly} />
      </Panel>
      {account && <Try account={account} />}
      <Given />
    </div>
  );
}

function When({ replaces, readOnly }: { replaces: Replaces; readOnly: string | undefined }) {
  const act = useAct();
  const decide = (value: Replaces) => {
    if (readOnly || value === replaces) return;
    act.mutate(
      { act: 'attribute', name: 'assistant_replace_names', value },
      {
        onSuccess: () => {
          toast({ tone: 'ok', text: `Names are replaced: ${replacing[value].label.toLowerCase()}` });
        },
      },
    );
  };
  return (
    <div className="stack tight">
      <Segmented label="When names are replaced" value={replaces} options={choices} onChange={decide} />
      <p className={replaces === 'never' ? 'warned' : 'muted'}>
        {replacing[replaces].meaning} {readOnly && `${readOnly}.`}
      </p>
      <p className="help">
        We replace account names and numbers, the tenant’s name, people, resources with their IDs and ARNs, workloads,
        namespaces and documents, and all e-mail addresses and numbers of twelve digits. A name always gets the same
        token, and answers show the names again.
      </p>
      {act.error && <Status tone="bad">{act.error.message}</Status>}
    </div>
  );
}

function Words({ kept, readOnly }: { kept: readonly string[]; readOnly: string | undefined }) {
  const before = kept.join('\n');
  const [text, setText] = useState(before);
  const [isLeft, setLeft] = useState(false);
  const act = useAct();
  const words = wordsOf(text);
  const problem = problemOfWords(words);
  const isChanged = words.join('\n') !== before;
  const save = () => {
    setLeft(true);
    if (problem) return;
    act.mutate(
      { act: 'attribute', name: 'assistant_replace_words', value: JSON.stringify(words) },
      {
        onSuccess: () => {
          toast({
            tone: 'ok',
            text: words.length === 0 ? 'Removed your words' : `Saved ${plural(words.length, 'word')}`,
          });
        },
      },
    );
  };
  return (
    <Form className="stack tight" onSubmit={save}>
      <Field
        label="Words and names, one per line"
        error={act.error?.message ?? (isLeft ? problem : undefined)}
        help="Code names of projects, customers, hosts. Each is replaced as a whole word, case-sensitive."
      >
        {(control) => (
          <textarea
            {...control}
            className="in mono"
            rows={4}
            spellCheck={false}
            placeholder={'Project Falcon\nExample Logistics'}
            readOnly={readOnly !== undefined}
            title={readOnly}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
            }}
            onBlur={() => {
              setLeft(true);
            }}
          />
        )}
      </Field>
      {isChanged && !readOnly && (
        <div className="row">
          <Button kind="primary" type="submit" busy={act.isPending && 'Saving'}>
            Save words
          </Button>
          <Button
            onClick={() => {
              setText(before);
              setLeft(false);
              act.reset();
            }}
          >
            Discard
          </Button>
        </div>
      )}
    </Form>
  );
}

interface ReplacementPreview {
  text: string;
  replaced: { name: string; token: string }[];
}

/** A text of one's own as a model elsewhere would read it. */
function Try({ account }: { account: string }) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const [shown, setShown] = useState<ReplacementPreview | null>(null);
  const [error, setError] = useState<string | null>(null);
  const look = () => {
    setTried(true);
    if (text.trim() === '') return;
    setError(null);
    request(Preview, { account, text })
      .then(({ ai_preview_replacement: answer }) => {
        setShown(answer?.data ?? null);
      })
      .catch((failure: unknown) => {
        setError((failure as Error).message);
      });
  };
  return (
    <Panel title="Try it" padded>
      <Form className="stack tight" onSubmit={look}>
        <Field
          label="Text"
          help="Nothing is sent: names are replaced on this page only."
          error={tried && text.trim() === '' ? 'Write a text first' : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              className="in"
              rows={3}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setShown(null);
              }}
            />
          )}
        </Field>
        <div className="row">
          <Button type="submit">
            <EyeOff className="i s" />
            Show what would be sent
          </Button>
        </div>
      </Form>
      {error && (
        <div role="alert" className="refusal">
          <Status tone="bad">{error}</Status>
        </div>
      )}
      <div role="status">
        {shown && (
          <div className="tried">
            <p className="covered">
              {tokensIn(
                shown.text,
                shown.replaced.map(({ token }) => token),
              ).map((piece, at) =>
                piece.isToken ? (
                  <mark key={at} className="mono">
                    {piece.text}
                  </mark>
                ) : (
                  <span key={at}>{piece.text}</span>
                ),
              )}
            </p>
            <p className="small muted">
              {shown.replaced.length === 0
                ? 'It contains no known names and would be sent unchanged.'
                : `${plural(shown.replaced.length, 'name')} replaced.`}
            </p>
            {shown.replaced.map(({ name, token }) => (
              <div className="row small" key={token}>
                <span className="mono wraps">{name}</span> is sent as <span className="mono">{token}</span>
              </div>
            ))}
          </div>
        )}
      </div>
    </Panel>
  );
}

type Line = { name: string; token: string };

const columns: Column<Line>[] = [
  {
    id: 'token',
    header: 'Sent as',
    value: (line) => line.token,
    width: 200,
    cell: (line) => <code>{line.token}</code>,
  },
  {
    id: 'name',
    header: 'Name',
    value: (line) => line.name,
    cell: (line) => (
      <span className="cut mono" title={line.name}>
        {line.name}
      </span>
    ),
  },
];

/** Names that were replaced by tokens, for looking up a token in the ledger. */
function Given() {
  const [search, setSearch] = useState('');
  const found = useGraphQL(Replaced, { search: search.trim() });
  const names = found.data?.ai_list_replaced_names?.data;
  return (
    <Panel
      title="Replaced so far"
      meta={names && names.total > 0 ? plural(names.total, 'name') : undefined}
      actions={
        (search !== '' || (names?.total ?? 0) > 0) && (
          <SearchBox label="Search names and tokens" value={search} onChange={setSearch} />
        )
      }
    >
      <Content of={found} what="The names could not be read">
        {() => (
          <DataTable
            label="Names that were replaced"
            columns={columns}
            rows={names?.names}
            rowId={(line) => line.token}
            rowHeight={30}
            empty={
              search === '' ? (
                <Empty icon={EyeOff} title="Nothing replaced yet">
                  When a question goes to a remote model, its names are replaced by tokens and listed here.
                </Empty>
              ) : (
                <Empty icon={EyeOff} title="Nothing matches">
                  Search for a name as it is written, or for a token such as account-1.
                </Empty>
              )
            }
          />
        )}
      </Content>
    </Panel>
  );
}
