import { Link } from '@tanstack/react-router';
import { useFiringEvents } from '@/api';
import { Severity, count } from '@/shared';
import type { SeverityName } from '@/shared';
import { Tile } from './Tile';
import { words } from './words';

const severities: readonly (readonly [string, SeverityName])[] = [
  ['HIGH', 'High'],
  ['MEDIUM', 'Medium'],
  ['LOW', 'Low'],
  ['INFO', 'Info'],
];

/** Firing events by severity. Renders nothing if the instance does not support events. */
export function FiringTile() {
  const firing = useFiringEvents();
  if (!firing) return null;
  const some = severities.flatMap(([priority, name]) => {
    const many = firing.byPriority.get(priority) ?? 0;
    return many > 0 ? [{ name, many }] : [];
  });
  return (
    <Tile label={words.firing} title={words.firingHelp}>
      <b>
        <Link to="/events" search={{ show: 'firing' }}>
          {count(firing.count)}
        </Link>
      </b>
      <div className="d">
        {some.length === 0 && words.noneFiring}
        {some.map(({ name, many }) => (
          <span key={name} className="row nowrap">
            <Severity value={name} iconOnly /> {count(many)} {name.toLowerCase()}
          </span>
        ))}
      </div>
    </Tile>
  );
}
