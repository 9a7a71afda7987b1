import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { Menu } from '@/shared';
import { places } from './pages';

/** How many places stand in the bar itself; the rest is under More. */
const most = 4;

/** The rail of narrow windows. */
export function TabBar() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const rest = places.slice(most);
  return (
    <nav className="tabbar" aria-label="Pages">
      {places.slice(0, most).map(({ icon: Icon, ...place }) => (
        <Link key={place.address} to={place.address}>
          <Icon className="i" />
          {place.section ?? place.title}
        </Link>
      ))}
      <Menu
        label="More pages"
        trigger={
          <button
            type="button"
            className="bare"
            {...(rest.some((place) => pathname.startsWith(place.address)) ? { 'aria-current': 'true' } : {})}
          >
            <MenuIcon className="i" />
            More
          </button>
        }
        entries={rest.map((place) => ({
          label: place.title,
          icon: place.icon,
          run: () => {
            void navigate({ to: place.address });
          },
        }))}
      />
    </nav>
  );
}
