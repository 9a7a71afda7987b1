import { ArrowLeft, X } from 'lucide-react';
import { getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { Fragment } from 'react';
import { Button } from '@/shared';
import { partsOf, siblingsOf } from './schema';
import type { Place, RootField } from './schema';

/** The documentation of a type or a field. `trail` is the navigation path, with the shown place last. */
export function Docs({
  schema,
  trail,
  onGo,
  onBack,
  onClose,
}: {
  schema: GraphQLSchema;
  trail: readonly Place[];
  onGo: (place: Place) => void;
  onBack: () => void;
  onClose: () => void;
}) {
  const place = trail.at(-1);
  const type = place && schema.getType(place.type);
  if (!place || !type) return null;
  const field =
    place.field !== undefined && (isObjectType(type) || isInterfaceType(type))
      ? type.getFields()[place.field]
      : undefined;
  const roots = [schema.getQueryType(), schema.getMutationType()];
  return (
    <section className="docs" aria-label={`Documentation of ${place.field ?? place.type}`}>
      <header className="row">
        <Button size="small" kind="quiet" iconOnly aria-label="Back" onClick={onBack}>
          <ArrowLeft className="i s" />
        </Button>
        <b className="mono grow">{place.field ?? place.type}</b>
        <Button size="small" kind="quiet" iconOnly aria-label="Close documentation" onClick={onClose}>
          <X className="i s" />
        </Button>
      </header>
      <div className="docs-body">
        {field ? (
          <FieldDocs field={field} onGo={onGo} />
        ) : (
          <>
            {type.description && <p>{type.description}</p>}
            <Parts
              title={isInputObjectType(type) || isObjectType(type) ? 'Fields' : 'Values'}
              parts={partsOf(type)}
              onGo={onGo}
            />
            {partsOf(type).length === 0 && !type.description && <p className="muted">A scalar type.</p>}
          </>
        )}
        {field && roots.includes(type as ReturnType<GraphQLSchema['getQueryType']>) && (
          <Siblings places={siblingsOf(schema, field.name)} onGo={onGo} />
        )}
      </div>
    </section>
  );
}

function FieldDocs({ field, onGo }: { field: RootField; onGo: (place: Place) => void }) {
  const returned = getNamedType(field.type);
  const args = field.args.map((arg) => ({
    name: arg.name,
    description: arg.description ?? undefined,
    type: String(arg.type),
  }));
  return (
    <>
      {field.description && <p>{field.description}</p>}
      {returned.description && returned.description !== field.description && <p>{returned.description}</p>}
      <p className="split">
        <span className="muted">Returns</span>
        <TypeLink type={String(field.type)} onGo={onGo} />
      </p>
      <Parts title="Arguments" parts={args} onGo={onGo} />
      <Parts title={`Fields of ${returned.name}`} parts={partsOf(returned)} onGo={onGo} />
    </>
  );
}

function Parts({
  title,
  parts,
  onGo,
}: {
  title: string;
  parts: readonly { name: string; description: string | undefined; type: string | undefined }[];
  onGo: (place: Place) => void;
}) {
  if (parts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {parts.map((part) => (
          <Fragment key={part.name}>
            <dt className="mono">{part.name}</dt>
            {part.type !== undefined && (
              <dd className="type">
                <TypeLink type={part.type} onGo={onGo} />
              </dd>
            )}
            {part.description && <dd className="small muted about">{part.description}</dd>}
          </Fragment>
        ))}
      </dl>
    </>
  );
}

/** `[spends!]!`; pressing it leads to the type inside. */
export function TypeLink({ type, onGo }: { type: string; onGo: (place: Place) => void }) {
  return (
    <button
      type="button"
      className="bare mono type-link"
      title={type}
      onClick={() => {
        onGo({ type: type.replace(/[[\]!]/g, '') });
      }}
    >
      {type}
    </button>
  );
}

function Siblings({ places, onGo }: { places: readonly Place[]; onGo: (place: Place) => void }) {
  if (places.length === 0) return null;
  return (
    <>
      <h3>Of the same table</h3>
      <ul>
        {places.map((place) => (
          <li key={`${place.type}.${place.field ?? ''}`}>
            <button
              type="button"
              className="bare mono type-link"
              onClick={() => {
                onGo(place);
              }}
            >
              {place.field}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
