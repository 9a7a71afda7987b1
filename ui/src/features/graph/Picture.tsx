import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '@/shared';
import { bent, inARow, layersOf, towards } from './layout';
import type { Layout, Point } from './layout';
import { Shape } from './Mark';
import type { Graph, Relation, Thing } from './thing';
import { kindName, relationName } from './words';

const radius = 12;
/** Pixels of a point of the picture. */
const smallest = 0.1;
const smallestAtFirst = 0.85;
const largest = 4;
/** Names are cut to so many letters; the whole name is in the title. */
const longest = 24;
/** Drawn smaller, or with more things, only names beside what is open are drawn. */
const readable = 0.6;
const namedUpTo = 400;

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
  const [scale, setScale] = useState<number>();
  const [canvas, setCanvas] = useState<HTMLDivElement | null>(null);
  const first = [open, middle, graph.things[0]?.id].find((id) => id !== undefined && places.has(id));
  const beside = new Set(graph.relations.flatMap(({ from, to }) => (from === open || to === open ? [from, to] : [])));
  const fitting = canvas
    ? Math.min(1.25, canvas.clientWidth / bounds.width, canvas.clientHeight / bounds.height)
    : smallestAtFirst;
  // Names stay readable: what does not fit is scrolled to, beginning with the thing it is drawn around.
  const shown = scale ?? Math.max(smallestAtFirst, fitting);
  useEffect(() => {
    const around = [open, middle].find((id) => id !== undefined && places.has(id));
    const place = around === undefined ? undefined : places.get(around);
    if (!canvas) return;
    if (!place) {
      // Everything is read from its beginning.
      canvas.scrollTo(0, 0);
      return;
    }
    const half = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 };
    canvas.scrollTo((place.x - bounds.x) * shown - half.x, (place.y - bounds.y) * shown - half.y);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- opening a thing does not move the picture
  }, [canvas, bounds, shown]);
  return (
    <div className="kg-canvas">
      <div className="kg-scroll" ref={setCanvas}>
        <svg
          width={bounds.width * shown}
          height={bounds.height * shown}
          viewBox={[bounds.x, bounds.y, bounds.width, bounds.height].join(' ')}
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
              isNamed={
                (shown >= readable && graph.things.length <= namedUpTo) || beside.has(thing.id) || thing.id === open
              }
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
          disabled={shown <= smallest}
          onClick={() => {
            setScale(Math.max(smallest, shown / 1.4));
          }}
        >
          <ZoomOut className="i s" />
        </Button>
        <Button
          iconOnly
          aria-label="Zoom in"
          disabled={shown >= largest}
          onClick={() => {
            setScale(Math.min(largest, shown * 1.4));
          }}
        >
          <ZoomIn className="i s" />
        </Button>
        <Button
          iconOnly
          aria-label="Show all"
          onClick={() => {
            setScale(fitting);
          }}
        >
          <Maximize className="i s" />
        </Button>
      </div>
    </div>
  );
}

/** The part of the plane that holds all things and their names. */
function boundsOf({ places, turns }: Layout) {
  const points = [...places.values(), ...[...turns.values()].flat()];
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = points.length === 0 ? [0, 0] : [Math.min(...xs) - 90, Math.max(...xs) + 90];
  const [top, bottom] = points.length === 0 ? [0, 0] : [Math.min(...ys) - 40, Math.max(...ys) + 50];
  // A few things are not drawn larger than they are.
  const [width, height] = [Math.max(360, right - left), Math.max(240, bottom - top)];
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

/** The way of a relation from the edge of the one thing to the edge of the other; empty where an end is not drawn. */
function wayOf({ places, turns }: Layout, { id, from, to }: Relation): Point[] {
  const [start, end] = [places.get(from), places.get(to)];
  if (!start || !end) return [];
  const between = turns.get(id) ?? [];
  return [off(start, between[0] ?? end), ...between, off(end, between.at(-1) ?? start)];
}

/** The point beside a thing, on the way to another point. */
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
  isNear: boolean;
  onOpen: (id: string) => void;
}) {
  const shown = thing.name.length > longest ? `${thing.name.slice(0, longest - 1)}…` : thing.name;
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
        <circle className="hit" r={radius + 6} />
        {(isOpen || isMiddle) && <circle className="ring" r={radius + 5} />}
        <Shape kind={thing.kind} size={radius} />
      </g>
      {isNamed && (
        <text y={radius + 17} textAnchor="middle" aria-hidden="true">
          {shown}
        </text>
      )}
    </g>
  );
}
