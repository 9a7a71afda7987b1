import { Star } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../controls/Button';
import { Dialog } from '../controls/Dialog';
import { Form } from '../controls/Form';
import { toast } from '../toast';
import type { SavedView, SavedViews } from './ViewsMenu';

function failed(error: unknown) {
  toast({ tone: 'bad', text: error instanceof Error ? error.message : String(error) });
}

/** The views of a page: which one it opens with, what they are called, and which go. Everything can be undone. */
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
  const remove = (view: SavedView) => {
    const wasUsual = saved.usual === view.id;
    const putBack = () => {
      saved.save(view).catch(failed);
      if (wasUsual) saved.setUsual(view.id);
    };
    saved
      .remove(view.id)
      .then(() => {
        if (wasUsual) saved.setUsual(undefined);
        if (views.length === 1) onClose();
        toast({ tone: 'ok', text: `Removed ${view.name}`, action: { label: 'Undo', run: putBack } });
      })
      .catch(failed);
  };
  const rename = (view: SavedView, name: string) => {
    const putBack = () => {
      saved.rename({ id: view.id, name: view.name }).catch(failed);
    };
    saved
      .rename({ id: view.id, name })
      .then(() => {
        setRenamed(undefined);
        toast({ tone: 'ok', text: `Renamed ${view.name} to ${name}`, action: { label: 'Undo', run: putBack } });
      })
      .catch(failed);
  };
  return (
    <Dialog
      title="Views of this page"
      help="Everyone in the tenant finds them. The default is yours alone, in this browser."
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
              </span>
              <Button
                size="small"
                aria-label={`Open this page with ${view.name}`}
                aria-pressed={saved.usual === view.id}
                onClick={() => {
                  saved.setUsual(saved.usual === view.id ? undefined : view.id);
                }}
              >
                <Star className="i s" {...(saved.usual === view.id ? { fill: 'currentColor' } : {})} />
                {saved.usual === view.id ? 'Default' : 'Make default'}
              </Button>
              <Button
                size="small"
                aria-label={`Rename ${view.name}`}
                reason={saved.mayNot}
                onClick={() => {
                  setRenamed(view.id);
                }}
              >
                Rename
              </Button>
              <Button
                size="small"
                aria-label={`Remove ${view.name}`}
                reason={saved.mayNot}
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
  const problem = called === '' ? 'Enter a name' : taken.includes(called) ? 'Another view is called that' : undefined;
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
          // The dialog stays: only this line is given up.
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
