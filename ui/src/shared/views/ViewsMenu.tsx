import { Bookmark, BookmarkPlus, ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../controls/Button';
import { Dialog } from '../controls/Dialog';
import { Menu } from '../controls/Menu';
import { toast } from '../toast';
import { SaveViewDialog } from './SaveViewDialog';

/** What the address of a page holds. */
export type ViewSearch = Record<string, unknown>;

/** A page as somebody of the tenant has set it. */
export interface SavedView {
  id: string;
  name: string;
  search: ViewSearch;
}

/** The views of one page, and how they are changed. */
export interface SavedViews {
  /** None on an instance that keeps no views. */
  views: readonly SavedView[] | undefined;
  /** Why the person may change none. */
  mayNot: string | undefined;
  /** Saves a view under a name, also one that was removed. */
  save: (view: { id?: string; name: string; search: ViewSearch }) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
}

/** The views of a page that the tenant has saved: opened, saved, removed. */
export function ViewsMenu({
  saved,
  search,
  passing,
  holds,
  example,
  onOpen,
}: {
  saved: SavedViews;
  /** What the address holds now. */
  search: object;
  /** What of it is looked at for a moment, and is no part of a view. */
  passing: readonly string[];
  /** What a view of this page holds, such as “Filters, search and sorting”. */
  holds: string;
  /** A name somebody could give. */
  example: string;
  onOpen: (search: ViewSearch) => void;
}) {
  const [asks, setAsks] = useState<'save' | 'remove' | null>(null);
  const { views, mayNot } = saved;
  if (!views) return null;
  const failed = (error: unknown) => {
    toast({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
  };
  const takeAway = (view: SavedView) => {
    const putBack = () => {
      saved.save(view).catch(failed);
    };
    saved
      .remove(view.id)
      .then(() => {
        setAsks(null);
        toast({ tone: 'ok', text: `Removed ${view.name}`, action: { label: 'Undo', run: putBack } });
      })
      .catch(failed);
  };
  return (
    <>
      <Menu
        label="Views"
        trigger={
          <Button>
            <Bookmark className="i s" />
            Views
            <ChevronDown className="i s" />
          </Button>
        }
        entries={[
          ...views.map((view) => ({
            label: view.name,
            run: () => {
              onOpen(view.search);
            },
          })),
          {
            label: 'Save this view…',
            icon: BookmarkPlus,
            detail: 'Everyone in the tenant finds it here',
            apart: views.length > 0,
            disabled: mayNot,
            run: () => {
              setAsks('save');
            },
          },
          {
            label: 'Remove a view…',
            icon: Trash2,
            disabled: mayNot ?? (views.length === 0 ? 'No views saved yet' : undefined),
            run: () => {
              setAsks('remove');
            },
          },
        ]}
      />
      {asks === 'save' && (
        <SaveViewDialog
          taken={views.map((view) => view.name)}
          holds={holds}
          example={example}
          onSave={(name) =>
            saved.save({
              name,
              search: Object.fromEntries(Object.entries(search).filter(([key]) => !passing.includes(key))),
            })
          }
          onClose={() => {
            setAsks(null);
          }}
        />
      )}
      <Dialog
        title="Remove a view"
        open={asks === 'remove'}
        onClose={() => {
          setAsks(null);
        }}
      >
        <ul>
          {views.map((view) => (
            <li key={view.id} className="li">
              <span className="grow cut">{view.name}</span>
              <Button
                size="small"
                aria-label={`Remove ${view.name}`}
                onClick={() => {
                  takeAway(view);
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
