import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useGraphQL, useSeesTenant } from '@/api';
import type { ImportReport, ResultOf } from '@/api';
import { host } from '@/host';
import {
  Button,
  Check,
  Content,
  DataTable,
  Empty,
  ExportButton,
  SearchBox,
  bytes,
  count,
  dateTimeZone,
  sortFromText,
  sortRows,
  sortToText,
  useNarrow,
  useNow,
} from '@/shared';
import type { Column } from '@/shared';
import { BundleFilesOf, Bundles } from './queries';
import type { KubernetesSearch } from './search';
import { files as words, noMatch } from './words';

export type Bundle = ResultOf<typeof Bundles>['imports'][number];
type ArchiveFiles = NonNullable<ImportReport['files']>;
export type ArchiveFile = ArchiveFiles['listed'][number];
type Go = (change: { [Key in keyof KubernetesSearch]?: KubernetesSearch[Key] | undefined }) => void;

/** The newest bundle of a cluster; `undefined` if there is none, or if the user may not see imports. */
export function useBundle(cluster: { id: string; account_number: string | null }) {
  const report = { accounts: [{ number: cluster.account_number ?? cluster.id }] };
  const query = useGraphQL(Bundles, { report }, { enabled: useSeesTenant() });
  return query.data?.imports[0];
}

/** How many files it has, where they were listed. */
export const filesIn = (bundle: Bundle) => (typeof bundle.file_count === 'number' ? bundle.file_count : undefined);

/** Which files of a bundle a search leaves. */
export function filesOf(all: readonly ArchiveFile[], { q = '', trouble }: KubernetesSearch): ArchiveFile[] {
  const parts = q.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((file) => {
    const text = `${file.name} ${outcomeOf(file)}`.toLowerCase();
    return (!trouble || file.read_as == null) && parts.every((part) => text.includes(part));
  });
}

const outcomeOf = (file: ArchiveFile) => file.read_as ?? file.left_out ?? '';

/** The files of the newest bundle: the format of each, or why it was not read. */
export function BundleFiles({ bundle, search, onGo }: { bundle: Bundle; search: KubernetesSearch; onGo: Go }) {
  const now = useNow();
  const query = useGraphQL(BundleFilesOf, { id: bundle.id });
  const by = bundle.user?.display_name;
  return (
    <>
      <p className="small muted k8s-bundle">
        <b className="wrap">{bundle.file_name}</b>, {bytes(bundle.size_bytes)}, imported{' '}
        {bundle.finished_at && dateTimeZone(bundle.finished_at, now)}
        {by != null && ` by ${by}`}. <Link to="/imports">Imports</Link>
      </p>
      <Content of={query} what="The files of the bundle could not be read" lines={8}>
        {({ imports: [found] }) => {
          const files = (found?.files ?? null) as ArchiveFiles | null;
          if (!files)
            return (
              <Empty icon={SearchX} title={words.unknown.title}>
                {words.unknown.text}
              </Empty>
            );
          return <Listed files={files} search={search} onGo={onGo} />;
        }}
      </Content>
    </>
  );
}

function Listed({ files, search, onGo }: { files: ArchiveFiles; search: KubernetesSearch; onGo: Go }) {
  const narrow = useNarrow();
  const columns = useMemo(() => columnsFor(narrow), [narrow]);
  const sort = sortFromText(search.sort ?? 'name').filter(({ id }) => columns.some((column) => column.id === id));
  const rows = useMemo(
    () => filesOf(files.listed, { q: search.q, trouble: search.trouble } as KubernetesSearch),
    [files, search.q, search.trouble],
  );
  return (
    <>
      <div className="k8s-bar" role="group" aria-label="Filters">
        <Check
          label={`Not read ${count(files.left_out)}`}
          checked={search.trouble ?? false}
          onChange={(trouble) => {
            onGo({ trouble: trouble ? true : undefined });
          }}
        />
        {files.count > files.listed.length && (
          <span className="small muted">{words.more(count(files.listed.length), count(files.count))}</span>
        )}
        <span className="end-bar row">
          <ExportButton
            name="bundle files"
            size="small"
            columns={columnsFor(false)}
            rows={sortRows(columns, rows, sort)}
            save={(file, text, type) => host.saveFile(file, text, type)}
          />
          <SearchBox
            label="Filter files"
            value={search.q ?? ''}
            onChange={(q) => {
              onGo({ q });
            }}
          />
        </span>
      </div>
      <div className="list">
        <DataTable
          label="Files of the bundle"
          columns={columns}
          rows={rows}
          rowId={(file) => file.name}
          rowHeight={46}
          primary
          fill
          sort={sort.slice(0, 1)}
          onSort={(next) => {
            const text = sortToText(next);
            onGo({ sort: text === 'name' ? undefined : text });
          }}
          empty={
            <Empty
              icon={SearchX}
              title={noMatch.title}
              action={
                <Button
                  onClick={() => {
                    onGo({ q: undefined, trouble: undefined });
                  }}
                >
                  {noMatch.action}
                </Button>
              }
            />
          }
        />
      </div>
    </>
  );
}

/** The name of a file, and its folder without the root folder of the bundle. */
export function partsOf(path: string): { name: string; folder: string } {
  const parts = path.split('/');
  return { name: parts.at(-1) ?? path, folder: parts.slice(1, -1).join('/') };
}

function columnsFor(narrow: boolean): Column<ArchiveFile>[] {
  const outcome = (file: ArchiveFile) => (
    <span className={file.read_as == null ? 'muted cut' : 'cut'} title={outcomeOf(file)}>
      {file.read_as ?? `${words.leftOut}: ${outcomeOf(file)}`}
    </span>
  );
  const name: Column<ArchiveFile> = {
    id: 'name',
    header: 'File',
    value: (file) => file.name,
    cell: (file) => {
      const { name, folder } = partsOf(file.name);
      return (
        <>
          <div className="cut t" title={file.name}>
            {name}
          </div>
          <div className="cut small muted">{narrow ? outcome(file) : folder}</div>
        </>
      );
    },
  };
  const size: Column<ArchiveFile> = {
    id: 'size',
    header: 'Size',
    kind: 'number',
    width: narrow ? 76 : 96,
    value: (file) => file.size_bytes,
    cell: (file) => bytes(file.size_bytes),
  };
  if (narrow) return [name, size];
  return [name, size, { id: 'outcome', header: 'Read as', width: 330, least: 200, value: outcomeOf, cell: outcome }];
}
