import { Link } from '@tanstack/react-router';
import { places } from './pages';

/** The rail of narrow windows. */
export function TabBar() {
  return (
    <nav className="tabbar" aria-label="Pages">
      {places.map(({ icon: Icon, ...place }) => (
        <Link key={place.address} to={place.address}>
          <Icon className="i" />
          {place.section ?? place.title}
        </Link>
      ))}
    </nav>
  );
}
