import { Button, Check, count } from '@/shared';
import { Mark } from './Mark';
import { counted } from './thing';
import type { Graph } from './thing';
import { kindName, relationName } from './words';

/** Which kinds of things and relations are shown, with how many there are of each. */
export function Kinds({
  graph,
  hidden,
  onHide,
}: {
  /** Before any kind is hidden. */
  graph: Graph;
  hidden: ReadonlySet<string>;
  onHide: (hidden: string[]) => void;
}) {
  const toggle = (kind: string) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onHide([...next].sort());
  };
  return (
    <nav className="kg-kinds hide-n" aria-label="What is shown">
      <h2>Node types</h2>
      {counted(graph.things).map(([kind, many]) => (
        <div className="row" key={kind}>
          <Check
            label={kindName(kind)}
            mark={<Mark kind={kind} />}
            checked={!hidden.has(kind)}
            onChange={() => {
              toggle(kind);
            }}
          />
          <span className="end small muted num">{count(many)}</span>
        </div>
      ))}
      {graph.relations.length > 0 && <h2>Relations</h2>}
      {counted(graph.relations).map(([kind, many]) => (
        <div className="row" key={kind}>
          <Check
            label={relationName(kind)}
            checked={!hidden.has(kind)}
            onChange={() => {
              toggle(kind);
            }}
          />
          <span className="end small muted num">{count(many)}</span>
        </div>
      ))}
      {hidden.size > 0 && (
        <Button
          size="small"
          onClick={() => {
            onHide([]);
          }}
        >
          Show all kinds
        </Button>
      )}
    </nav>
  );
}
