import { Bookmark, BookmarkPlus, Check, ChevronDown, Settings2 } from 'lucide-react';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { Button } from '../controls/Button';
import { Menu } from '../controls/Menu';

// Loaded when a view is saved or changed.
const SaveViewDialog = lazy(() => import('./SaveViewDialog').then((found) => ({ default: found.SaveViewDialog })));
const ViewsDialog = lazy(() => import('./ViewsDialog').then((found) => ({ default: found.ViewsDialog })));

/** The search parameters of a page. */
export type ViewSearch = Record<string, unknown>;

/** A saved view of a page in the tenant. */
export interface SavedView {
  id: string;
  name: string;
  search: ViewSearch;
  /** Whether only this user sees it. */
  isPrivate: boolean;
}

/** The views of one page, and how they are changed. */
export interface SavedViews {
  /** Undefined on an instance that does not support views. */
  views: readonly SavedView[] | undefined;
  /** Why the user cannot change views. */
  mayNot: string | undefined;
  /** Why the user cannot change shared views. */
  mayNotShare: string | undefined;
  /** Why private views and defaults are not available. */
  mayNotKeep: string | undefined;
  /** Saves a view under a name, also one that was removed. */
  save: (view: Omit<SavedView, 'id'> & { id?: string }) => Promise<unknown>;
  rename: (view: Omit<SavedView, 'search'>) => Promise<unknown>;
  remove: (view: SavedView) => Promise<unknown>;
  /** Turns a private view into a shared one, or the reverse. */
  move: (view: SavedView) => Promise<unknown>;
  /** The view this person's page opens with. */
  usual: string | undefined;
  setUsual: (id: string | undefined) => Promise<unknown>;
}

/** The saved views of a page: open, save, rename, remove. A page opened without parameters starts with the user's default. */
export function ViewsMenu({
  saved,
  search,
  passing,
  holds,
  example,
  onOpen,
}: {
  saved: SavedViews;
  /** The current search parameters. */
  search: object;
  /** Parameters that are temporary and not part of a view. */
  passing: readonly string[];
  /** The content of a view of this page, such as “Filters, search and sorting”. */
  holds: string;
  /** An example name. */
  example: string;
  onOpen: (search: ViewSearch) => void;
}) {
  const [asks, setAsks] = useState<'save' | 'views' | null>(null);
  const { views, mayNot, mayNotShare, mayNotKeep, usual } = saved;
  const isBare = Object.keys(search).length === 0;
  useBeginning(isBare, views, usual, onOpen);
  if (!views) return null;
  const now = Object.fromEntries(Object.entries(search).filter(([key]) => !passing.includes(key)));
  const shown = views.find((view) => isSame(view.search, now));
  const close = () => {
    setAsks(null);
  };
  return (
    <>
      <Menu
        label="Views"
        trigger={
          <Button>
            <Bookmark className="i s" />
            <span className="cut">{shown?.name ?? 'Views'}</span>
            <ChevronDown className="i s" />
          </Button>
        }
        entries={[
          ...views.map((view) => ({
            label: view.name,
            ...detailOf(view, usual),
            ...(view === shown ? { icon: Check } : {}),
            run: () => {
              onOpen(view.search);
            },
          })),
          {
            label: 'Save this view…',
            icon: BookmarkPlus,
            apart: views.length > 0,
            disabled: mayNot ?? (mayNotShare && mayNotKeep),
            run: () => {
              setAsks('save');
            },
          },
          {
            label: 'Change views…',
            icon: Settings2,
            disabled: views.length === 0 ? 'No views saved yet' : undefined,
            run: () => {
              setAsks('views');
            },
          },
        ]}
      />
      <Suspense fallback={null}>
        {asks === 'save' && (
          <SaveViewDialog
            taken={views.map((view) => view.name)}
            holds={holds}
            example={example}
            saved={saved}
            onSave={(view) => saved.save({ ...view, search: now })}
            onClose={close}
          />
        )}
        {asks === 'views' && <ViewsDialog saved={saved} views={views} onClose={close} />}
      </Suspense>
    </>
  );
}

function detailOf({ id, isPrivate }: SavedView, usual: string | undefined): { detail?: string } {
  const words = [isPrivate && 'Only you see it', id === usual && 'This page opens with it'].filter(Boolean);
  return words.length === 0 ? {} : { detail: words.join(' · ') };
}

/** Opens the default once, if the page was opened without parameters: removing a filter later is intentional. */
function useBeginning(
  isBare: boolean,
  views: readonly SavedView[] | undefined,
  usual: string | undefined,
  onOpen: (search: ViewSearch) => void,
) {
  const isOver = useRef(!isBare);
  useEffect(() => {
    if (!isBare) isOver.current = true;
    if (isOver.current || !views) return;
    isOver.current = true;
    const first = views.find(({ id }) => id === usual);
    if (first) onOpen(first.search);
  }, [isBare, views, usual, onOpen]);
}

/** Two addresses that show the same. */
function isSame(one: ViewSearch, other: ViewSearch): boolean {
  const text = (of: ViewSearch) => JSON.stringify(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}
