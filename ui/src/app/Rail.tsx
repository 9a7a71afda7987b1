import { createLink, useLocation } from '@tanstack/react-router';
import { ChevronsUpDown, CircleQuestionMark, Clock, LogOut, Moon, Search, Sun } from 'lucide-react';
import { useAbout, useInstanceInFront, useLack, useSignOut } from '@/api';
import type { ComponentProps } from 'react';
import type { Needs, Session } from '@/api';
import { Menu, PlaceLink, count as grouped, initials, toggleTheme, useTheme, useZone } from '@/shared';
import { keyLabels } from '@/shared/keyboard/keys';
import { useCounts } from './counts';
import type { Count } from './counts';
import { dialog } from './dialogs';
import { Logo } from './Logo';
import { entries } from './pages';
import type { Entry, PageAddress } from './pages';
import { useSwitchable } from './useSwitchable';

/** Link to the first page of a section. The page itself is listed below it and is marked as current. */
const SectionLink = createLink((props: ComponentProps<'a'>) => <a {...props} aria-current={undefined} />);

/** Where am I: instance and tenant, search, the pages, the person. */
export function Rail({ session }: { session: Session }) {
  const counts = useCounts();
  const lack = useLack();
  return (
    <nav className="rail" aria-label="Main" tabIndex={-1}>
      <InstanceInFront tenant={session.tenant.name} />
      <button
        type="button"
        className="find"
        onClick={() => {
          dialog.set('palette');
        }}
      >
        <Search className="i s" />
        <span className="grow">Search or run</span>
        <kbd>{keyLabels('mod+k')}</kbd>
      </button>
      {[false, true].map((below) => (
        <div className="nav" key={String(below)}>
          {entries
            .filter((entry) => entry.below === below)
            .map((entry) => (
              <Line key={entry.title} entry={entry} lack={lack} counts={counts} />
            ))}
        </div>
      ))}
      <Foot session={session} />
    </nav>
  );
}

/** Which instance and tenant everything below belongs to, by name and colour; opens the switcher where there are others. */
function InstanceInFront({ tenant }: { tenant: string }) {
  const about = useAbout().data;
  const switchable = useSwitchable();
  const front = useInstanceInFront();
  const name = front?.name ?? about?.instance ?? 'Quarterdeck';
  const inside = (
    <>
      <Logo />
      <span className="grow">
        <b className="cut">{name}</b> <span className="sub cut">{tenant}</span>
      </span>
    </>
  );
  const colour = front ? ` front inst-${front.colour}` : '';
  if (switchable === null)
    return (
      <div className={`inst${colour}`} title={`${name}, ${tenant}`}>
        {inside}
      </div>
    );
  return (
    <button
      type="button"
      className={`inst${colour}`}
      title={`${name}, ${tenant}`}
      aria-label={`Switch ${switchable}, current: ${name} ${tenant}`}
      onClick={() => {
        dialog.set('instances');
      }}
    >
      {inside}
      <ChevronsUpDown className="i s" />
    </button>
  );
}

function Badge({ count }: { count: Count | undefined }) {
  if (!count?.of) return null;
  return (
    <span className={count.isBad ? 'n bad' : 'n'}>
      {grouped(count.of)}
      <span className="sr"> {count.what}</span>
    </span>
  );
}

/** A place, disabled with the reason if the current instance does not support it; the children of a section show only while it is open. */
function Line({
  entry,
  lack,
  counts,
}: {
  entry: Entry;
  lack: (needs: Needs | undefined) => string | undefined;
  counts: Partial<Record<PageAddress, Count>>;
}) {
  const { title, icon: Icon, places } = entry;
  const isOpen = useLocation({ select: ({ pathname }) => places.some(({ address }) => pathname === address) });
  const [first] = places;
  // A closed section shows the count of its first place with work.
  const count = (isOpen ? [first] : places).map(({ address }) => counts[address]).find((one) => one?.of);
  if (!first.section) {
    return (
      <PlaceLink to={first.address} title={title} reason={lack(first.needs)} onDemand={first.onDemand}>
        <Icon className="i" />
        <span>{title}</span>
        <Badge count={count} />
      </PlaceLink>
    );
  }
  // A section is off with all of its places.
  const reason = places.every(({ needs }) => lack(needs) !== undefined) ? lack(first.needs) : undefined;
  if (reason !== undefined)
    return (
      <PlaceLink to={first.address} reason={reason}>
        <Icon className="i" />
        <span>{title}</span>
      </PlaceLink>
    );
  return (
    <>
      <SectionLink to={first.address} title={title} className={isOpen ? 'open' : ''}>
        <Icon className="i" />
        <span>{title}</span>
        <Badge count={count} />
      </SectionLink>
      {isOpen &&
        places.map((place) => (
          <PlaceLink key={place.address} to={place.address} className="kid" exact reason={lack(place.needs)}>
            {place.title}
            {place !== first && <Badge count={counts[place.address]} />}
          </PlaceLink>
        ))}
    </>
  );
}

function Foot({ session }: { session: Session }) {
  const theme = useTheme().shown;
  const { zone } = useZone();
  const signOut = useSignOut();
  return (
    <div className="foot">
      <Menu
        label="Account"
        trigger={
          <button type="button" className="me bare" title={`${session.name}, ${session.email}`}>
            <span className="ava">{initials(session.name)}</span>
            <span className="cut">{session.name}</span>
          </button>
        }
        entries={[
          {
            label: 'Time zone',
            detail: zone,
            icon: Clock,
            run: () => {
              dialog.set('zone');
            },
          },
          {
            label: 'Sign out',
            detail: session.email,
            icon: LogOut,
            run: () => {
              signOut.mutate();
            },
          },
        ]}
      />
      <button
        type="button"
        className="btn icon ghost"
        aria-label={theme === 'dark' ? 'Switch to light' : 'Switch to dark'}
        onClick={toggleTheme}
      >
        {theme === 'dark' ? <Sun className="i" /> : <Moon className="i" />}
      </button>
      <button
        type="button"
        className="btn icon ghost"
        aria-label="Keyboard shortcuts"
        onClick={() => {
          dialog.set('shortcuts');
        }}
      >
        <CircleQuestionMark className="i" />
      </button>
    </div>
  );
}
