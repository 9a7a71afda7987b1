import { Copy } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useGraphQL } from '@/api';
import type { Json } from '@/api';
import { host } from '@/host';
import { Button, Content, toast } from '@/shared';
import { findIn, nameOnlyOf, soughtOf, yamlOf } from './manifest';
import { Manifest } from './queries';
import { yaml as words } from './words';

/** The YAML of an object, to read and to copy. */
export function Yaml({ of, name }: { of: Json; name: string }) {
  const text = useMemo(() => yamlOf(of), [of]);
  const nameOnly = nameOnlyOf(of);
  return (
    <>
      {nameOnly && <p className="small muted wrap">{words.nameOnly(nameOnly.kind, nameOnly.name)}</p>}
      <pre className="code-text" tabIndex={0} aria-label={`YAML of ${name}`}>
        {text}
      </pre>
      <Button
        size="small"
        onClick={() => {
          void host.copy(text).then(() => {
            toast({ tone: 'ok', text: 'Copied the YAML' });
          });
        }}
      >
        <Copy className="i s" />
        Copy YAML
      </Button>
    </>
  );
}

/** Values that were found in an object. */
export function FoundValues({ manifest, text }: { manifest: Json; text: string }) {
  const found = useMemo(() => findIn(manifest, soughtOf(text), 20), [manifest, text]);
  return (
    <dl className="small">
      {found.map(({ path, value }) => (
        <div key={path}>
          <dt className="muted mono">{path}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
      {found.length === 0 && <p className="muted">{words.nothing}</p>}
    </dl>
  );
}

/** The object of a resource as it was imported, searched by path. */
export function ManifestSection({ resource }: { resource: string }) {
  const query = useGraphQL(Manifest, { id: resource });
  const [text, setText] = useState('');
  return (
    <section className="sec k8s-manifest">
      <h3>YAML</h3>
      <Content of={query} what="The object could not be read" lines={6}>
        {({ cloud_resourses: [row] }) =>
          row?.meta === undefined || row.meta === null ? (
            <p className="muted">{words.none}</p>
          ) : (
            <div className="stack">
              <p className="small muted">{words.from}</p>
              <input
                className="in"
                type="search"
                aria-label="Search this object"
                placeholder={words.hint}
                value={text}
                onChange={(event) => {
                  setText(event.target.value);
                }}
              />
              {text.trim() !== '' && <FoundValues manifest={row.meta} text={text} />}
              <Yaml of={row.meta} name="this object" />
            </div>
          )
        }
      </Content>
    </section>
  );
}
