import { ChevronDown, ChevronRight } from 'lucide-react';
import { getNamedType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { useMemo, useState } from 'react';
import { Button, SearchBox } from '@/shared';
import { TypeLink } from './Docs';
import { areasOf, partsOf, search } from './schema';
import type { Place, RootField } from './schema';

/** All root fields, by area; the search covers types and fields. */
export function SchemaTree({ schema, onGo }: { schema: GraphQLSchema; onGo: (place: Place) => void }) {
  const [text, setText] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<string> | null>(null);
  const [openField, setOpenField] = useState<string | null>(null);
  const areas = useMemo(() => areasOf(schema), [schema]);
  const found = useMemo(() => search(schema, text), [schema, text]);
  const root = schema.getQueryType()?.name ?? '';
  // Initially only the area with costs is open: all areas would fill three screens.
  const isFolded = (title: string) => (folded ? folded.has(title) : title !== areas[0]?.title);
  const toggle = (title: string) => {
    const next = new Set(folded ?? areas.slice(1).map((area) => area.title));
    if (!next.delete(title)) next.add(title);
    setFolded(next);
  };
  return (
    <>
      <div className="find-type">
        <SearchBox label="Find a type or field" value={text} onChange={setText} />
      </div>
      <div className="tree-body">
        {text.trim() ? (
          <Found places={found} text={text} root={root} onGo={onGo} />
        ) : (
          areas.map((area) => (
            <section key={area.title} aria-label={area.title}>
              <button
                type="button"
                className="tg"
                aria-expanded={!isFolded(area.title)}
                onClick={() => {
                  toggle(area.title);
                }}
              >
                {isFolded(area.title) ? <ChevronRight className="i s" /> : <ChevronDown className="i s" />}
                {area.title}
              </button>
              {!isFolded(area.title) &&
                area.fields.map((field) => (
                  <Entry
                    key={field.name}
                    field={field}
                    open={field.name === openField}
                    onOpen={() => {
                      setOpenField(field.name === openField ? null : field.name);
                    }}
                    onDocs={() => {
                      onGo({ type: root, field: field.name });
                    }}
                    onGo={onGo}
                  />
                ))}
            </section>
          ))
        )}
      </div>
    </>
  );
}

/** A table or listing; open, it shows its fields. */
function Entry({
  field,
  open,
  onOpen,
  onDocs,
  onGo,
}: {
  field: RootField;
  open: boolean;
  onOpen: () => void;
  onDocs: () => void;
  onGo: (place: Place) => void;
}) {
  const type = getNamedType(field.type);
  return (
    <>
      <button type="button" className="tk mono" title={field.name} aria-expanded={open} onClick={onOpen}>
        {field.name}
      </button>
      {open && (
        <div className="tf">
          {type.description && <p className="small muted">{type.description}</p>}
          <Button size="small" onClick={onDocs}>
            Arguments and writes
          </Button>
          <dl className="mono">
            {partsOf(type).map((part) => (
              <div key={part.name} title={part.description}>
                <dt className="cut">{part.name}</dt>
                <dd className="cut">{part.type && <TypeLink type={part.type} onGo={onGo} />}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </>
  );
}

function Found({
  places,
  text,
  root,
  onGo,
}: {
  places: readonly Place[];
  text: string;
  root: string;
  onGo: (place: Place) => void;
}) {
  if (places.length === 0) return <p className="muted none">No type or field is called “{text.trim()}”.</p>;
  return (
    <ul aria-label="Found">
      {places.map((place) => (
        <li key={`${place.type}.${place.field ?? ''}`}>
          <button
            type="button"
            className="tk mono found"
            title={[place.type, place.field].filter(Boolean).join('.')}
            onClick={() => {
              onGo(place);
            }}
          >
            {place.field ? (
              <>
                {place.field}
                {place.type !== root && <span className="faint"> {place.type}</span>}
              </>
            ) : (
              <>
                {place.type}
                <span className="faint"> type</span>
              </>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
