import { CalendarClock } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { neighbour, pictureOf, size, start } from './graph';
import type { Edge, Node, Picture, Step } from './graph';
import { typeMark } from './marks';

/** The text below a task's name: its state in the selected run. */
export interface Mark {
  tone: 'ok' | 'warn' | 'bad' | 'info' | 'off';
  /** For screen readers, and the style of edges not taken. */
  text: string;
  shown: ReactNode;
}

/** Tasks and their dependencies. Arrow keys follow the edges. */
export function Canvas({
  steps,
  trigger,
  marks,
  open,
  onOpen,
  label,
}: {
  steps: readonly Step[];
  /** The triggers of the workflow, in words. */
  trigger: string;
  marks?: ReadonlyMap<string, Mark>;
  open: string | undefined;
  onOpen: (id: string) => void;
  label: string;
}) {
  const picture = useMemo(() => pictureOf(steps), [steps]);
  const canvas = useRef<HTMLDivElement>(null);
  const first = picture.nodes.some(({ id }) => id === open) ? open : picture.nodes[1]?.id;
  const isIdle = (id: string) => {
    const tone = marks?.get(id)?.tone;
    return marks !== undefined && id !== start && (tone === undefined || tone === 'off');
  };
  return (
    <div className="wf-canvas" ref={canvas}>
      <div
        className="wf-board"
        style={{ width: picture.width, height: picture.height }}
        role="group"
        aria-label={label}
        onKeyDown={(event) => {
          const id = (event.target as HTMLElement).dataset['step'];
          if (id === undefined || !event.key.startsWith('Arrow')) return;
          event.preventDefault();
          const next = neighbour(picture, id, event.key);
          canvas.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(next)}"]`)?.focus();
        }}
      >
        <svg width={picture.width} height={picture.height} aria-hidden="true">
          {picture.edges.map((edge) => (
            <Line key={`${edge.from} ${edge.to}`} edge={edge} picture={picture} isIdle={isIdle(edge.to)} />
          ))}
        </svg>
        {picture.nodes.map((node) => (
          <Task
            key={node.id}
            node={node}
            step={steps.find(({ id }) => id === node.id)}
            trigger={trigger}
            mark={marks?.get(node.id)}
            isIdle={isIdle(node.id)}
            isOpen={node.id === open}
            isFirst={node.id === first}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  );
}

function Task({
  node,
  step,
  trigger,
  mark,
  isIdle,
  isOpen,
  isFirst,
  onOpen,
}: {
  node: Node;
  step: Step | undefined;
  trigger: string;
  mark: Mark | undefined;
  isIdle: boolean;
  isOpen: boolean;
  /** The one that Tab reaches; the others are reached by arrow keys. */
  isFirst: boolean;
  onOpen: (id: string) => void;
}) {
  const { icon: Icon, name } = step ? typeMark(step.type) : { icon: CalendarClock, name: 'Trigger' };
  const title = step?.id ?? trigger;
  const kind = step && step.inner > 0 ? `${String(step.inner)} nested` : step?.type;
  const classes = ['wf-node', mark?.tone === 'bad' && 'bad', isIdle && 'idle', isOpen && 'open'];
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      style={{ left: node.x, top: node.y, width: size.width, height: size.height }}
      data-step={node.id}
      tabIndex={isFirst ? 0 : -1}
      aria-pressed={isOpen}
      aria-label={[...new Set([name, title, mark?.text ?? kind])].filter(Boolean).join(', ')}
      title={step ? `${title} (${step.type})` : title}
      onClick={() => {
        onOpen(node.id);
      }}
    >
      <Icon className="i" />
      <span className="small muted cut">{name}</span> <b className="cut">{title}</b>{' '}
      <span className="small cut">{mark?.shown ?? kind}</span>
    </button>
  );
}

function Line({ edge, picture, isIdle }: { edge: Edge; picture: Picture; isIdle: boolean }) {
  const from = picture.nodes.find(({ id }) => id === edge.from);
  const to = picture.nodes.find(({ id }) => id === edge.to);
  if (!from || !to) return null;
  const [x1, y1] = [from.x + size.width, from.y + size.height / 2];
  const [x2, y2] = [to.x, to.y + size.height / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  const path = `M${String(x1)} ${String(y1)} C${String(x1 + bend)} ${String(y1)} ${String(x2 - bend)} ${String(y2)} ${String(x2 - 5)} ${String(y2)}`;
  return (
    <g className={isIdle ? 'wf-edge idle' : 'wf-edge'}>
      <path d={path} />
      <path
        className="tip"
        d={`M${String(x2 - 6)} ${String(y2 - 4)} L${String(x2)} ${String(y2)} L${String(x2 - 6)} ${String(y2 + 4)} Z`}
      />
      {edge.label !== undefined && (
        <text x={x2 - 8} y={y2 - 8} textAnchor="end">
          {edge.label.length > 14 ? `${edge.label.slice(0, 13)}…` : edge.label}
        </text>
      )}
    </g>
  );
}
