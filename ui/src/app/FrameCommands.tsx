import { Suspense, lazy, useEffect } from 'react';
import { useNavigate } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  Clock,
  CircleQuestionMark,
  GitCompareArrows,
  LogOut,
  Moon,
  Search,
  Settings,
} from 'lucide-react';
import { ApiError, useInstances, useLack, useSignOut, useTenants } from '@/api';
import { settingsPages } from '@/features/settings/pages';
import { toast, toggleTheme, useCommands } from '@/shared';
import { instanceInFront } from '@/shared/place';
import { useStore } from '@/shared/store';
import { later } from '@/shared/useLater';
import { dialog } from './dialogs';
import { places } from './pages';
import { whenIdle } from './preload';
import { switchTo } from './switchTo';
import { switchTenant } from './tenants';
import { KeyBuffer } from './KeyBuffer';
import { useSwitchable } from './useSwitchable';

const regions = ['.rail', '#main', '.drawer', '.status'];

// Opened now and then: the frame does not wait for them.
const loadSwitcher = () => import('./Switcher');
const Switcher = lazy(() => loadSwitcher().then((switcher) => ({ default: switcher.Switcher })));
const SearchPalette = lazy(() => import('./SearchPalette').then((palette) => ({ default: palette.SearchPalette })));
const ZoneDialog = lazy(() => import('./ZoneDialog').then((found) => ({ default: found.ZoneDialog })));
const ShortcutSheet = lazy(() => import('./ShortcutSheet').then((sheet) => ({ default: sheet.ShortcutSheet })));

/** Moves the focus to the next region of the frame, as F6 does in desktop programs. */
function nextRegion(): void {
  const present = regions.map((name) => document.querySelector<HTMLElement>(name)).filter((region) => region !== null);
  const at = present.findIndex((region) => region.contains(document.activeElement));
  const next = present[(at + 1) % present.length];
  (next?.matches('[tabindex]') ? next : next?.querySelector<HTMLElement>('a, button'))?.focus();
}

function close(): void {
  dialog.set(null);
}

function openTenant(id: string): void {
  void switchTenant(id).catch((error: unknown) => {
    toast({ tone: 'bad', text: error instanceof ApiError ? error.message : 'The tenant could not be opened' });
  });
}

/** The commands that work on every page, with the two dialogs they open. */
export function FrameCommands() {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const open = useStore(dialog);
  const instances = useInstances().data;
  const tenants = useTenants();
  const switchable = useSwitchable();
  const lack = useLack();
  // Preloaded before it opens, because a number typed after G H is meant for it. Requests of the first page go first.
  useEffect(() => {
    if (!switchable) return;
    return later(() => {
      whenIdle(() => void loadSwitcher());
    });
  }, [switchable]);
  useCommands(
    [
      ...places.map((place) => ({
        id: `go ${place.address}`,
        title: place.section ? `${place.section}, ${place.title}` : place.title,
        group: 'Go to' as const,
        ...(place.keys ? { keys: place.keys } : {}),
        icon: place.icon,
        address: place.address,
        disabled: lack(place.needs),
        run: () => {
          void navigate({ to: place.address });
        },
      })),
      ...settingsPages.map((page) => ({
        id: `go ${page.address}`,
        title: `Settings, ${page.title}`,
        group: 'Go to' as const,
        icon: Settings,
        address: page.address,
        disabled: lack(page.needs),
        run: () => {
          void navigate({ to: page.address });
        },
      })),
      ...(instances
        ? [
            {
              id: 'go /settings/instances/compare',
              title: 'Settings, Compare instances',
              group: 'Go to' as const,
              icon: GitCompareArrows,
              address: '/settings/instances/compare',
              run: () => {
                void navigate({ to: '/settings/instances/compare' });
              },
            },
          ]
        : []),
      ...(switchable
        ? [
            {
              id: 'instances',
              title: `Switch ${switchable}`,
              group: 'Do' as const,
              keys: 'g h',
              icon: ArrowLeftRight,
              run: () => {
                dialog.set('instances');
              },
            },
          ]
        : []),
      ...(instances ? [{ id: null, name: 'This computer' }, ...instances.instances] : []).map(({ id, name }) => ({
        id: `instance ${id ?? 'here'}`,
        title: `Switch to ${name}`,
        group: 'Go to' as const,
        icon: ArrowLeftRight,
        run: () => {
          switchTo(id);
        },
      })),
      ...(instanceInFront ? [] : tenants)
        .filter(({ current }) => !current)
        .map(({ id, name }) => ({
          id: `tenant ${id}`,
          title: `Switch to the tenant ${name}`,
          group: 'Go to' as const,
          icon: ArrowLeftRight,
          run: () => {
            openTenant(id);
          },
        })),
      {
        id: 'palette',
        title: 'Search or run',
        group: 'Do',
        keys: 'mod+k',
        icon: Search,
        keysOnly: true,
        run: () => {
          dialog.set('palette');
        },
      },
      {
        id: 'shortcuts',
        title: 'Show keyboard shortcuts',
        group: 'Do',
        keys: '?',
        icon: CircleQuestionMark,
        run: () => {
          dialog.set('shortcuts');
        },
      },
      {
        id: 'theme',
        title: 'Switch between light and dark',
        group: 'Do',
        keys: 'shift+d',
        icon: Moon,
        run: toggleTheme,
      },
      {
        id: 'zone',
        title: 'Time zone',
        group: 'Do',
        icon: Clock,
        run: () => {
          dialog.set('zone');
        },
      },
      {
        id: 'region',
        title: 'Move to the next part of the window',
        group: 'Do',
        keys: 'F6',
        keysOnly: true,
        run: nextRegion,
      },
      {
        id: 'sign out',
        title: 'Sign out',
        group: 'Do',
        icon: LogOut,
        run: () => {
          signOut.mutate();
        },
      },
    ],
    'frame',
  );
  return (
    <>
      <Suspense fallback={<KeyBuffer onClose={close} />}>
        {open === 'instances' && <Switcher onClose={close} />}
        {open === 'palette' && <SearchPalette onClose={close} />}
        {open === 'zone' && <ZoneDialog onClose={close} />}
        {open === 'shortcuts' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}
