import { useMemo, useState } from 'react';
import { useGraphQL } from '@/api';
import type { Json } from '@/api';
import { Button, Content, SidePanel, plural } from '@/shared';
import { findIn, likeOf, soughtOf } from './manifest';
import { FoundValues, Yaml } from './ManifestSection';
import { Manifests } from './queries';
import { yaml as words } from './words';

/** Objects that are looked through at once. */
const most = 500;

interface Row {
  id: string;
  type: string | null;
  name: string | null;
  external_resource_id: string | null;
  meta: Json;
}

/** All imported objects of a cluster, searched by path or by text. */
export function FindObjects({
  cluster,
  name,
  text,
  onText,
  onClose,
}: {
  cluster: string;
  name: string;
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
}) {
  return (
    <SidePanel label="Search YAML" onClose={onClose} head={<h2 className="ttl">Search YAML in {name}</h2>}>
      <section className="sec">
        <input
          className="in wide"
          type="search"
          aria-label="Path or text"
          placeholder={words.hint}
          value={text}
          autoFocus
          onChange={(event) => {
            onText(event.target.value);
          }}
        />
        <p className="small muted">{words.help}</p>
      </section>
      {text !== '' && <Matches cluster={cluster} text={text} />}
    </SidePanel>
  );
}

function Matches({ cluster, text }: { cluster: string; text: string }) {
  const query = useGraphQL(Manifests, { cluster, like: likeOf(soughtOf(text)), limit: most });
  return (
    <section className="sec">
      <Content of={query} what="The objects could not be searched" lines={6}>
        {({ cloud_resourses: rows }) => <MatchList rows={rows} text={text} />}
      </Content>
    </section>
  );
}

function MatchList({ rows, text }: { rows: readonly Row[]; text: string }) {
  const found = useMemo(() => {
    const sought = soughtOf(text);
    return rows.filter(({ meta }) => findIn(meta, sought, 1).length > 0);
  }, [rows, text]);
  return (
    <>
      <p className="small muted" role="status">
        {found.length === 0 ? words.nothing : plural(found.length, 'object')}
        {rows.length === most &&
          ` Only the first ${String(most)} objects with this text were read: narrow the search to find the rest.`}
      </p>
      {found.map((row) => (
        <Match key={row.id} row={row} text={text} />
      ))}
    </>
  );
}

function Match({ row, text }: { row: Row; text: string }) {
  const [isOpen, setOpen] = useState(false);
  const called = row.external_resource_id ?? row.name ?? '';
  return (
    <div className="k8s-found">
      <h3 className="mono wrap">{called}</h3>
      <FoundValues manifest={row.meta} text={text} />
      <Button
        size="small"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        {isOpen ? 'Hide YAML' : 'Show YAML'}
      </Button>
      {isOpen && <Yaml of={row.meta} name={called} />}
    </div>
  );
}
