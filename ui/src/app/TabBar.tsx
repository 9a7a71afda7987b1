import { useLocation, useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight, Menu as MenuIcon, Search } from 'lucide-react';
import { useInstanceInFront, useLack } from '@/api';
import { Menu, PlaceLink, useNarrow } from '@/shared';
import { dialog } from './dialogs';
import { entries } from './pages';
import { useSwitchable } from './useSwitchable';

/** The entries of the bar itself; the rest is under More. */
const inBar = ['Overview', 'Costs', 'Recommendations', 'Events'];

/** The rail of narrow windows; elsewhere its links would only look with every page whether they are the current one. */
export function TabBar() {
  return useNarrow() ? <Bar /> : null;
}

function Bar() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const lack = useLack();
  const front = useInstanceInFront();
  const switchable = useSwitchable();
  const bar = entries.filter(({ title }) => inBar.includes(title));
  // The other places of a section are under More as well.
  const isIn = (places: readonly { address: string }[]) => places.some(({ address }) => pathname.startsWith(address));
  const rest = entries.flatMap(({ title, places }) => (inBar.includes(title) ? places.slice(1) : places));
  return (
    <nav className="tabbar" aria-label="Pages">
      {bar.map(({ icon: Icon, short, places }) => (
        <PlaceLink key={short} to={places[0].address} reason={lack(places[0].needs)} isCurrent={isIn(places)}>
          <Icon className="i" />
          {short}
        </PlaceLink>
      ))}
      <Menu
        label="More pages"
        trigger={
          <button
            type="button"
            className="bare"
            {...(isIn(rest) && !bar.some(({ places }) => isIn(places)) ? { 'aria-current': 'true' } : {})}
          >
            <MenuIcon className="i" />
            More
          </button>
        }
        entries={[
          // No shortcut opens it.
          {
            label: 'Search or run',
            icon: Search,
            run: () => {
              dialog.set('palette');
            },
          },
          ...rest.map((place, at) => ({
            apart: at === 0,
            label: place.title,
            icon: place.icon,
            disabled: lack(place.needs),
            run: () => {
              void navigate({ to: place.address });
            },
          })),
          ...(switchable
            ? [
                {
                  label: `Switch ${switchable}`,
                  icon: ArrowLeftRight,
                  apart: true,
                  ...(front ? { detail: `Current: ${front.name}` } : {}),
                  run: () => {
                    dialog.set('instances');
                  },
                },
              ]
            : []),
        ]}
      />
    </nav>
  );
}
