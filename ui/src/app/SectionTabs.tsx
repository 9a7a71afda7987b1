import { useLocation } from '@tanstack/react-router';
import { useLack } from '@/api';
import { PlaceLink, useCurrentInView } from '@/shared';
import { entries } from './pages';

/** The pages of the current section where the rail has no room for them: the style sheet shows it in narrow windows only. */
export function SectionTabs() {
  const { pathname } = useLocation();
  const lack = useLack();
  const row = useCurrentInView(pathname);
  const section = entries.find(({ places }) => places.some(({ address }) => pathname.startsWith(address)));
  if (!section || section.places.length < 2) return null;
  return (
    <nav className="sectiontabs" aria-label={section.title} ref={row}>
      {section.places.map(({ title, address, needs }) => (
        <PlaceLink key={address} to={address} exact reason={lack(needs)}>
          {title}
        </PlaceLink>
      ))}
    </nav>
  );
}
