import { Lock, Star } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../controls/Button';
import { Dialog } from '../controls/Dialog';
import { Form } from '../controls/Form';
import { toast } from '../toast';
import type { SavedView, SavedViews } from './ViewsMenu';

function failed(error: unknown) {
  toast({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
}

/** The views of a page: set the default, rename and remove. Every change can be undone. */
export function ViewsDialog({
  saved,
  views,
  onClose,
}: {
  saved: SavedViews;
  views: readonly SavedView[];
  onClose: () => void;
}) {
  const [renamed, setRenamed] = useState<string>();
  const whyNot = ({ isPrivate }: SavedView) => saved.mayNot ?? (isPrivate ? undefined : saved.mayNotShare);
  /** Applies a change and offers to undo it. */
  const make = (done: Promise<unknown>, text: string, putBack: () => Promise<unknown>) =>
    done
      .then(() => {
        const run = () => {
          putBack().catch(failed);
        };
        toast({ tone: 'ok', text, action: { label: 'Undo', run } });
      })
      .catch(failed);
  const setUsual = (view: SavedView | undefined, of: string) => {
    const before = saved.usual;
    void make(saved.setUsual(view?.id), view ? `This page opens with ${of}` : `This page opens without ${of}`, () =>
      saved.setUsual(before),
    );
  };
  const remove = (view: SavedView) => {
    const wasUsual = saved.usual === view.id;
    const done = saved.remove(view).then(() => (wasUsual ? saved.setUsual(undefined) : undefined));
    void make(done, `Removed ${view.name}`, async () => {
      await saved.save(view);
      if (wasUsual) await saved.setUsual(view.id);
    });
    if (views.length === 1) onClose();
  };
  const rename = (view: SavedView, name: string) => {
    const { id, isPrivate } = view;
    const done = saved.rename({ id, name, isPrivate }).then(() => {
      setRenamed(undefined);
    });
    void make(done, `Renamed ${view.name} to ${name}`, () => saved.rename({ id, name: view.name, isPrivate }));
  };
  const move = (view: SavedView) => {
    const text = view.isPrivate ? `Everyone sees ${view.name}` : `Only you see ${view.name}`;
    void make(saved.move(view), text, () => saved.move({ ...view, isPrivate: !view.isPrivate }));
  };
  return (
    <Dialog
      title="Views of this page"
      help="Everyone in the tenant sees views that are not private. Your default applies to you only."
      open
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="views">
        {views.map((view) =>
          renamed === view.id ? (
            <li key={view.id} className="li">
              <Rename
                view={view}
                taken={views.filter((one) => one !== view).map(({ name }) => name)}
                onRename={(name) => {
                  rename(view, name);
                }}
                onCancel={() => {
                  setRenamed(undefined);
                }}
              />
            </li>
          ) : (
            <li key={view.id} className="li">
              <span className="grow cut" title={view.name}>
                {view.name}
                {view.isPrivate && (
                  <span className="badge">
                    <Lock className="i s" />
                    Private
                  </span>
                )}
              </span>
              <Button
                size="small"
                aria-label={`Open this page with ${view.name}`}
                aria-pressed={saved.usual === view.id}
                reason={saved.mayNot ?? saved.mayNotKeep}
                onClick={() => {
                  setUsual(saved.usual === view.id ? undefined : view, view.name);
                }}
              >
                <Star className="i s" {...(saved.usual === view.id ? { fill: 'currentColor' } : {})} />
                {saved.usual === view.id ? 'Default' : 'Make default'}
              </Button>
              <Button
                size="small"
                aria-label={view.isPrivate ? `Share ${view.name}` : `Make ${view.name} private`}
                reason={saved.mayNot ?? saved.mayNotShare ?? saved.mayNotKeep}
                onClick={() => {
                  move(view);
                }}
              >
                {view.isPrivate ? 'Share' : 'Make private'}
              </Button>
              <Button
                size="small"
                aria-label={`Rename ${view.name}`}
                reason={whyNot(view)}
                onClick={() => {
                  setRenamed(view.id);
                }}
              >
                Rename
              </Button>
              <Button
                size="small"
                aria-label={`Remove ${view.name}`}
                reason={whyNot(view)}
                onClick={() => {
                  remove(view);
                }}
              >
                Remove
              </Button>
            </li>
          ),
        )}
      </ul>
    </Dialog>
  );
}

function Rename({
  view,
  taken,
  onRename,
  onCancel,
}: {
  view: SavedView;
  taken: readonly string[];
  onRename: (name: string) => void;
  onCancel: () => void;
}) {
  const [name, setName] = useState(view.name);
  const called = name.trim();
  const problem = called === '' ? 'Enter a name' : taken.includes(called) ? 'Another view has this name' : undefined;
  return (
    <Form
      className="row grow"
      onSubmit={() => {
        if (problem === undefined) onRename(called);
      }}
    >
      <input
        className="in grow"
        aria-label={`New name of ${view.name}`}
        aria-invalid={problem !== undefined}
        title={problem}
        autoFocus
        autoComplete="off"
        value={name}
        onChange={(event) => {
          setName(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // The dialog stays open: only this edit is cancelled.
          event.stopPropagation();
          onCancel();
        }}
      />
      <Button size="small" kind="primary" type="submit" reason={problem}>
        Rename
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </Form>
  );
}
