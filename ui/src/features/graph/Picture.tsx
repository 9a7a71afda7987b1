import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Button } from '@/shared';
import { inARow, placesOf, towards } from './layout';
import type { Point } from './layout';
import { Shape } from './Mark';
import type { Graph, Relation, Thing } from './thing';
import { kindName, relationName } from './words';

const radius = 12;
/** Names are cut to so many letters; the whole name is in the title. */
const longest = 24;
/** With more things only names beside what is open are drawn. */
const namedUpTo = 90;

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
  const places = useMemo(() => (isPath ? inARow(graph) : placesOf(graph, middle)), [graph, middle, isPath]);
  const bounds = useMemo(() => boundsOf(places), [places]);
  const [zoom, setZoom] = useState(1);
  const canvas = useRef<HTMLDivElement>(null);
  const first = [open, middle, graph.things[0]?.id].find((id) => id !== undefined && places.has(id));
  const beside = new Set(graph.relations.flatMap(({ from, to }) => (from === open || to === open ? [from, to] : [])));
  const width = bounds.width / zoom;
  const height = bounds.height / zoom;
  const center = (zoom > 1 && open !== undefined && places.get(open)) || {
    x: bounds.x + bounds.width / 2,
    y: bounds.y + bounds.height / 2,
  };
  return (
    <div className="kg-canvas" ref={canvas}>
      <svg
        viewBox={`${String(center.x - width / 2)} ${String(center.y - height / 2)} ${String(width)} ${String(height)}`}
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
            canvas.current?.querySelector<SVGElement>(`[data-thing="${CSS.escape(next)}"]`)?.focus();
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
            places={places}
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
            isNamed={graph.things.length <= namedUpTo || beside.has(thing.id) || thing.id === open}
            isNear={beside.has(thing.id)}
            onOpen={onOpen}
          />
        ))}
      </svg>
      <div className="kg-zoom" role="group" aria-label="Zoom">
        <Button
          iconOnly
          aria-label="Zoom out"
          disabled={zoom <= 1}
          onClick={() => {
            setZoom(Math.max(1, zoom / 1.5));
          }}
        >
          <ZoomOut className="i s" />
        </Button>
        <Button
          iconOnly
          aria-label="Zoom in"
          disabled={zoom > 5}
          onClick={() => {
            setZoom(zoom * 1.5);
          }}
        >
          <ZoomIn className="i s" />
        </Button>
        <Button
          iconOnly
          aria-label="Show all"
          disabled={zoom === 1}
          onClick={() => {
            setZoom(1);
          }}
        >
          <Maximize className="i s" />
        </Button>
      </div>
    </div>
  );
}

/** The part of the plane that holds all things and their names. */
function boundsOf(places: ReadonlyMap<string, Point>) {
  const points = [...places.values()];
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = [Math.min(0, ...xs) - 90, Math.max(0, ...xs) + 90];
  const [top, bottom] = [Math.min(0, ...ys) - 50, Math.max(0, ...ys) + 60];
  // A few things are not drawn larger than they are.
  const [width, height] = [Math.max(560, right - left), Math.max(420, bottom - top)];
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}

function Line({ relation, places, isOn }: { relation: Relation; places: ReadonlyMap<string, Point>; isOn: boolean }) {
  const [from, to] = [places.get(relation.from), places.get(relation.to)];
  if (!from || !to) return null;
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const gap = radius + 5;
  return (
    <g className={isOn ? 'kg-line on' : 'kg-line'}>
      <line
        x1={from.x + ux * gap}
        y1={from.y + uy * gap}
        x2={to.x - ux * gap}
        y2={to.y - uy * gap}
        markerEnd={`url(#kg-tip${isOn ? 'on' : ''})`}
      />
      {isOn && (
        <text x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 + 4} textAnchor="middle" aria-hidden="true">
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
      className={['kg-dot', isOpen && 'open', isNear && 'near'].filter(Boolean).join(' ')}
      transform={`translate(${String(place.x)} ${String(place.y)})`}
      role="button"
      tabIndex={isFirst ? 0 : -1}
      data-thing={thing.id}
      aria-pressed={isOpen}
      aria-label={`${kindName(thing.kind)} ${thing.name}${thing.namespace ? `, ${thing.namespace}` : ''}`}
      onClick={() => {
        onOpen(thing.id);
      }}
    >
      <title>{`${kindName(thing.kind)} ${thing.name}`}</title>
      <circle className="hit" r={radius + 6} />
      {(isOpen || isMiddle) && <circle className="ring" r={radius + 5} />}
      <Shape kind={thing.kind} size={radius} />
      {isNamed && (
        <text y={radius + 17} textAnchor="middle">
          {shown}
        </text>
      )}
    </g>
  );
}
