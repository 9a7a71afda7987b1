import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import { Button } from '@/shared';
import { bent, inARow, layersOf, towards } from './layout';
import type { Layout, Point } from './layout';
import { Shape } from './Mark';
import { nameBelow, namedAt, radius, reachAt, shortName } from './names';
import type { Graph, Relation, Thing } from './thing';
import { kindName, relationName } from './words';

/** Pixels of a point of the picture: a few things are not drawn larger than `mostAtFirst` to fill the frame. */
const smallest = 0.1;
const mostAtFirst = 1.25;
const largest = 4;
const step = 1.4;
/** Below the picture, for the buttons that zoom it, in px (`.kg-scroll`). */
const footHeight = 52;

/** Things and relations. Arrow keys lead to the next thing in their direction; Enter opens it. */
export function Picture({
  graph,
  middle,
  open,
  isPath,
  onOpen,
}: {
  graph: Graph;
  /** The thing it is drawn around. */
  middle: string | undefined;
  open: string | undefined;
  isPath: boolean;
  onOpen: (id: string) => void;
}) {
  const layout = useMemo(() => (isPath ? inARow(graph) : layersOf(graph)), [graph, isPath]);
  const { places } = layout;
  const bounds = useMemo(() => boundsOf(layout), [layout]);
  // The chosen zoom; undefined fits everything into the frame.
  const [scale, setScale] = useState<number>();
  const [canvas, setCanvas] = useState<HTMLDivElement | null>(null);
  const frame = useSize(canvas);
  const centre = useRef<Point | null>(null);
  const first = [open, middle, graph.things[0]?.id].find((id) => id !== undefined && places.has(id));
  const beside = new Set(graph.relations.flatMap(({ from, to }) => (from === open || to === open ? [from, to] : [])));
  const fitting =
    frame.width > 0
      ? Math.min(mostAtFirst, frame.width / bounds.width, (frame.height - footHeight) / bounds.height)
      : 1;
  const shown = scale ?? fitting;
  const least = Math.min(smallest, fitting);
  const named = useMemo(() => namedAt(graph, layout, shown, bounds), [graph, layout, shown, bounds]);
  const zoom = (by: number) => {
    if (!canvas) return;
    // Zooms around the open node, or else the centre of the frame.
    const around = [open, middle].find((id) => id !== undefined && places.has(id));
    const place = around === undefined ? undefined : places.get(around);
    centre.current = place
      ? { x: place.x - bounds.x, y: place.y - bounds.y }
      : {
          x: middleOf(canvas.scrollLeft, frame.width, bounds.width * shown) / shown,
          y: middleOf(canvas.scrollTop, frame.height, bounds.height * shown) / shown,
        };
    setScale(Math.min(largest, Math.max(least, shown * by)));
  };
  useLayoutEffect(() => {
    if (!canvas || !centre.current) return;
    const { x, y } = centre.current;
    canvas.scrollTo(x * shown - canvas.clientWidth / 2, y * shown - canvas.clientHeight / 2);
    centre.current = null;
  }, [canvas, shown]);
  return (
    <div className="kg-canvas">
      <div className="kg-scroll" ref={setCanvas}>
        <svg
          width={bounds.width * shown}
          height={bounds.height * shown}
          viewBox={[bounds.x, bounds.y, bounds.width, bounds.height].join(' ')}
          style={{ '--zoom': Math.min(1, shown) } as CSSProperties}
          role="group"
          aria-label={`Graph, ${String(graph.things.length)} nodes. Arrow keys move, Enter opens.`}
          onKeyDown={(event) => {
            const id = (event.target as SVGElement).dataset['thing'];
            if (id === undefined) return;
            if (event.key === 'Enter' || event.key === ' ') {
              event.preventDefault();
              onOpen(id);
            } else if (event.key.startsWith('Arrow')) {
              event.preventDefault();
              event.stopPropagation();
              const next = towards(places, id, event.key);
              canvas?.querySelector<SVGElement>(`[data-thing="${CSS.escape(next)}"]`)?.focus();
            }
          }}
        >
          <defs>
            {['', 'on'].map((name) => (
              <marker
                key={name}
                id={`kg-tip${name}`}
                viewBox="0 0 8 8"
                refX="8"
                refY="4"
                markerWidth="8"
                markerHeight="8"
                markerUnits="userSpaceOnUse"
                orient="auto"
              >
                <path d="M0 1 L8 4 L0 7 Z" className={`kg-tip ${name}`} />
              </marker>
            ))}
          </defs>
          {graph.relations.map((relation) => (
            <Line
              key={relation.id}
              relation={relation}
              layout={layout}
              isOn={relation.from === open || relation.to === open || isPath}
            />
          ))}
          {graph.things.map((thing) => (
            <Dot
              key={thing.id}
              thing={thing}
              place={places.get(thing.id) ?? { x: 0, y: 0 }}
              isOpen={thing.id === open}
              isMiddle={thing.id === middle}
              isFirst={thing.id === first}
              isNamed={named.has(thing.id) || beside.has(thing.id) || thing.id === open}
              below={nameBelow(shown)}
              reach={reachAt(shown)}
              isNear={beside.has(thing.id)}
              onOpen={onOpen}
            />
          ))}
        </svg>
      </div>
      <div className="kg-zoom" role="group" aria-label="Zoom">
        <Button
          iconOnly
          aria-label="Zoom out"
          disabled={shown <= least}
          onClick={() => {
            zoom(1 / step);
          }}
        >
          <ZoomOut className="i s" />
        </Button>
        <Button
          iconOnly
          aria-label="Zoom in"
          disabled={shown >= largest}
          onClick={() => {
            zoom(step);
          }}
        >
          <ZoomIn className="i s" />
        </Button>
        <Button
          iconOnly
          aria-label="Fit"
          title="Fit all nodes into the frame"
          onClick={() => {
            setScale(undefined);
          }}
        >
          <Maximize className="i s" />
        </Button>
      </div>
    </div>
  );
}

/** Width and height of the frame, in px, for as long as it is there. */
function useSize(frame: HTMLElement | null): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!frame) return undefined;
    // Measures the border box, so that scroll bars of a zoomed graph do not change the size.
    const measure = () => {
      setSize({ width: frame.offsetWidth, height: frame.offsetHeight });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    return () => {
      observer.disconnect();
    };
  }, [frame]);
  return size;
}

/** The position of the centre of the frame along one axis; a smaller graph is centred itself. */
function middleOf(scrolled: number, frame: number, picture: number): number {
  return picture <= frame ? picture / 2 : scrolled + frame / 2;
}

/** The bounding box of all nodes and their names. */
function boundsOf({ places, turns }: Layout) {
  const points = [...places.values(), ...[...turns.values()].flat()];
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = points.length === 0 ? [0, 0] : [Math.min(...xs) - 90, Math.max(...xs) + 90];
  const [top, bottom] = points.length === 0 ? [0, 0] : [Math.min(...ys) - 40, Math.max(...ys) + 64];
  // A few things are not drawn larger than they are.
  const [width, height] = [Math.max(360, right - left), Math.max(240, bottom - top)];
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

/** The line of a relation between the edges of its nodes; empty if a node is not drawn. */
function wayOf({ places, turns }: Layout, { id, from, to }: Relation): Point[] {
  const [start, end] = [places.get(from), places.get(to)];
  if (!start || !end) return [];
  const between = turns.get(id) ?? [];
  return [off(start, between[0] ?? end), ...between, off(end, between.at(-1) ?? start)];
}

/** The point at the edge of a node, towards another point. */
function off(thing: Point, other: Point): Point {
  const length = Math.hypot(other.x - thing.x, other.y - thing.y) || 1;
  const share = (radius + 5) / length;
  return { x: thing.x + (other.x - thing.x) * share, y: thing.y + (other.y - thing.y) * share };
}

function Line({ relation, layout, isOn }: { relation: Relation; layout: Layout; isOn: boolean }) {
  const way = wayOf(layout, relation);
  const [one, other] = [way[Math.floor((way.length - 1) / 2)], way[Math.ceil((way.length - 1) / 2)]];
  if (!one || !other) return null;
  return (
    <g className={isOn ? 'kg-line on' : 'kg-line'}>
      <path d={bent(way)} markerEnd={`url(#kg-tip${isOn ? 'on' : ''})`} />
      {isOn && (
        <text x={(one.x + other.x) / 2} y={(one.y + other.y) / 2 + 4} textAnchor="middle" aria-hidden="true">
          {relationName(relation.kind)}
        </text>
      )}
    </g>
  );
}

function Dot({
  thing,
  place,
  isOpen,
  isMiddle,
  isFirst,
  isNamed,
  below,
  reach,
  isNear,
  onOpen,
}: {
  thing: Thing;
  place: Point;
  isOpen: boolean;
  isMiddle: boolean;
  /** The one that Tab reaches; the others are reached by arrow keys. */
  isFirst: boolean;
  isNamed: boolean;
  /** Distance of its name below the node. */
  below: number;
  /** How far from its middle it is pressed. */
  reach: number;
  isNear: boolean;
  onOpen: (id: string) => void;
}) {
  return (
    <g
      className={['kg-thing', isOpen && 'open', isNear && 'near'].filter(Boolean).join(' ')}
      transform={`translate(${String(place.x)} ${String(place.y)})`}
      onClick={() => {
        onOpen(thing.id);
      }}
    >
      <g
        className="kg-dot"
        role="button"
        tabIndex={isFirst ? 0 : -1}
        data-thing={thing.id}
        aria-pressed={isOpen}
        aria-label={`${kindName(thing.kind)} ${thing.name}${thing.namespace ? `, ${thing.namespace}` : ''}`}
      >
        <title>{`${kindName(thing.kind)} ${thing.name}`}</title>
        <circle className="hit" r={reach} />
        {(isOpen || isMiddle) && <circle className="ring" r={radius + 5} />}
        <Shape kind={thing.kind} size={radius} />
      </g>
      {isNamed && (
        <text y={below} textAnchor="middle" aria-hidden="true">
          {shortName(thing)}
        </text>
      )}
    </g>
  );
}
