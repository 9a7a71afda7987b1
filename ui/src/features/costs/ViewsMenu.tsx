import { Bookmark, BookmarkPlus, ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWhyNot } from '@/api';
import type { Json } from '@/api';
import { Button, Dialog, Field, Form, Menu, toast } from '@/shared';
import { explorerSearch, tidy } from './search';
import type { ExplorerSearch } from './search';
import { useRemoveView, useSaveView, useViews } from './views';
import type { SavedView } from './views';

/** What is looked at for a moment, not what the view is. */
const passing = ['charge', 'open', 'rows'] as const;

/** The views of the Explorer that the tenant has saved: opened, saved, removed. */
export function ViewsMenu() {
  const views = useViews();
  const search = useSearch({ from: '/costs/explorer' });
  const navigate = useNavigate({ from: '/costs/explorer' });
  const whyNot = useWhyNot();
  const remove = useRemoveView();
  const save = useSaveView();
  const [asks, setAsks] = useState<'save' | 'remove' | null>(null);
  // An instance of an earlier version keeps none.
  if (!views) return null;
  const failed = (error: Error) => {
    toast({ tone: 'bad', text: error.message });
  };
  const takeAway = (view: SavedView) => {
    const putBack = () => {
      save.mutate({ id: view.id, name: view.name, search: view.search }, { onError: failed });
    };
    remove.mutate(view.id, {
      onSuccess: () => {
        setAsks(null);
        toast({ tone: 'ok', text: `Removed ${view.name}`, action: { label: 'Undo', run: putBack } });
      },
      onError: failed,
    });
  };
  const mayNot = whyNot({ fields: ['insert_saved_view_one', 'delete_saved_view_by_pk'] });
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
              void navigate({ to: '.', search: tidy(searchOf(view)) });
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
        <SaveDialog
          taken={views.map((view) => view.name)}
          search={search}
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

/** What the address holds for a view; broken values are left out. */
function searchOf({ search }: SavedView): ExplorerSearch {
  return explorerSearch(search !== null && typeof search === 'object' && !Array.isArray(search) ? search : {});
}

function SaveDialog({
  taken,
  search,
  onClose,
}: {
  taken: readonly string[];
  search: ExplorerSearch;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const save = useSaveView();
  const problem =
    name.trim() === ''
      ? 'Enter a name, for example Cost by team'
      : taken.includes(name.trim())
        ? 'Another view is called that'
        : undefined;
  return (
    <Dialog
      title="Save this view"
      help="Period, grouping, filters and columns, as they are now. Everyone in the tenant finds it under Views."
      open
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="save-view" busy={save.isPending && 'Saving'}>
            Save view
          </Button>
        </>
      }
    >
      <Form
        id="save-view"
        className="fields"
        onSubmit={() => {
          setTried(true);
          if (problem) return;
          const kept = Object.fromEntries(
            Object.entries(search).filter(([key]) => !passing.some((one) => one === key)),
          );
          save.mutate(
            { name: name.trim(), search: kept as Json },
            {
              onSuccess: () => {
                toast({ tone: 'ok', text: `Saved ${name.trim()}` });
                onClose();
              },
            },
          );
        }}
      >
        <Field label="Name" error={(tried ? problem : undefined) ?? save.error?.message}>
          {(control) => (
            <input
              {...control}
              className="in"
              autoComplete="off"
              value={name}
              onChange={(event) => {
                setName(event.target.value);
              }}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
