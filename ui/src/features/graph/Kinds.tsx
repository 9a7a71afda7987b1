import { Button, Check, count } from '@/shared';
import { Mark } from './Mark';
import { counted, labelsOf } from './thing';
import type { Graph } from './thing';
import { kindName, relationName } from './words';

/** Labels that are offered here; the filter above has all of them. */
const mostLabels = 8;

/** A label without the domain of its key: `instance=web` for `app.kubernetes.io/instance=web`. */
const short = (label: string) => label.replace(/^[^=/]*\//, '');

/** Which kinds of things and relations are shown, with how many there are of each. */
export function Kinds({
  graph,
  hidden,
  labels,
  onHide,
  onLabels,
}: {
  /** Before any kind is hidden. */
  graph: Graph;
  hidden: ReadonlySet<string>;
  /** Labels of which nodes must have one. */
  labels: readonly string[];
  onHide: (hidden: string[]) => void;
  onLabels: (labels: string[]) => void;
}) {
  const found = labelsOf(graph);
  const offered = [
    ...found.slice(0, mostLabels),
    ...found.slice(mostLabels).filter(([label]) => labels.includes(label)),
  ];
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
      {offered.length > 0 && <h2>Labels</h2>}
      {offered.map(([label, many]) => (
        <div className="row label" key={label} title={label}>
          <Check
            label={short(label)}
            checked={labels.includes(label)}
            onChange={(checked) => {
              onLabels(checked ? [...labels, label] : labels.filter((one) => one !== label));
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
