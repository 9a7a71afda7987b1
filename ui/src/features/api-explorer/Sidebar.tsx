import type { UseQueryResult } from '@tanstack/react-query';
import type { GraphQLSchema } from 'graphql';
import { useState } from 'react';
import { Content, Segmented } from '@/shared';
import { Docs } from './Docs';
import { HistoryList, SavedList } from './QueryLists';
import type { Draft, Library, SavedQuery } from './library';
import { SchemaTree } from './SchemaTree';
import type { Place } from './schema';

/** Schema, saved queries and history. */
export function Sidebar({
  schema,
  library,
  trail,
  onTrail,
  onOpen,
  onRemove,
  onClear,
}: {
  schema: UseQueryResult<GraphQLSchema>;
  library: Library;
  /** The navigation path in the documentation; empty while the tree is shown. */
  trail: readonly Place[];
  onTrail: (trail: readonly Place[]) => void;
  onOpen: (draft: Draft & { savedId?: string }) => void;
  onRemove: (saved: SavedQuery) => void;
  onClear: () => void;
}) {
  const [view, setView] = useState<'schema' | 'saved' | 'history'>('schema');
  const go = (place: Place) => {
    onTrail([...trail, place]);
  };
  // Documentation requested by the editor is shown over any list.
  const shown = trail.length > 0 ? 'schema' : view;
  return (
    <aside className="tree" aria-label="Schema, saved queries and history">
      <div className="views">
        <Segmented
          label="Show"
          value={shown}
          options={[
            { value: 'schema', label: 'Schema' },
            { value: 'saved', label: 'Saved' },
            { value: 'history', label: 'History' },
          ]}
          onChange={(next) => {
            onTrail([]);
            setView(next);
          }}
        />
      </div>
      {shown === 'schema' && (
        <Content of={schema} what="The schema could not be read" lines={10}>
          {(data) => (
            <>
              {/* Kept while documentation is shown, so that coming back finds it as it was. */}
              <div className="tree-place" hidden={trail.length > 0}>
                <SchemaTree schema={data} onGo={go} />
              </div>
              <Docs
                schema={data}
                trail={trail}
                onGo={go}
                onBack={() => {
                  onTrail(trail.slice(0, -1));
                }}
                onClose={() => {
                  onTrail([]);
                }}
              />
            </>
          )}
        </Content>
      )}
      {shown === 'saved' && (
        <div className="tree-body">
          <SavedList
            saved={library.saved}
            onOpen={({ id, query, variables }) => {
              onOpen({ query, variables, savedId: id });
            }}
            onRemove={onRemove}
          />
        </div>
      )}
      {shown === 'history' && (
        <div className="tree-body">
          <HistoryList
            history={library.history}
            onOpen={({ query, variables }) => {
              onOpen({ query, variables });
            }}
            onClear={onClear}
          />
        </div>
      )}
    </aside>
  );
}
