import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../controls/Button';
import { Check } from '../controls/Check';
import { Popup } from '../controls/Popup';

interface Choice {
  columns: readonly { id: string; header: string }[];
  usual: readonly string[];
  value: readonly string[] | undefined;
  onChange: (columns: string[] | undefined) => void;
}

/**
 * Which columns a table shows, and in which order: boxes, arrows beside them or Alt with the arrow keys, and back to the usual ones.
 *
 * `value` holds the ids in their order, undefined for the usual ones; keep it in the address. The first column always stays.
 */
export function ColumnChooser(props: Choice) {
  const [open, setOpen] = useState(false);
  return (
    <Popup
      label="Columns"
      align="end"
      open={open}
      onOpen={setOpen}
      trigger={
        <Button size="small">
          <Columns3 className="i s" />
          Columns
        </Button>
      }
    >
      <Columns {...props} />
    </Popup>
  );
}

/** The list, there only while it is open. */
function Columns({ columns, usual, value, onChange }: Choice) {
  const shown = (value ?? usual).filter((id) => columns.some((column) => column.id === id));
  const list = [...shown, ...columns.map((column) => column.id).filter((id) => !shown.includes(id))];
  const move = (id: string, step: number) => {
    const from = shown.indexOf(id);
    const to = from + step;
    if (from < 0 || to < 0 || to >= shown.length) return;
    const next = shown.filter((other) => other !== id);
    next.splice(to, 0, id);
    onChange(next);
  };
  return (
    <>
      <div className="menu columns">
        {list.map((id) => {
          const header = columns.find((column) => column.id === id)?.header ?? id;
          const isShown = shown.includes(id);
          return (
            <div
              key={id}
              className="it"
              onKeyDown={(event) => {
                if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
                event.preventDefault();
                move(id, event.key === 'ArrowUp' ? -1 : 1);
              }}
            >
              <Check
                label={header}
                checked={isShown}
                onChange={(checked) => {
                  onChange(checked ? [...shown, id] : shown.filter((other) => other !== id));
                }}
              />
              {isShown && (
                <span className="end row">
                  <Button
                    size="small"
                    kind="quiet"
                    iconOnly
                    aria-label={`Move ${header} to the left`}
                    style={{ visibility: shown[0] === id ? 'hidden' : 'visible' }}
                    onClick={() => {
                      move(id, -1);
                    }}
                  >
                    <ArrowUp className="i s" />
                  </Button>
                  <Button
                    size="small"
                    kind="quiet"
                    iconOnly
                    aria-label={`Move ${header} to the right`}
                    style={{ visibility: shown.at(-1) === id ? 'hidden' : 'visible' }}
                    onClick={() => {
                      move(id, 1);
                    }}
                  >
                    <ArrowDown className="i s" />
                  </Button>
                </span>
              )}
            </div>
          );
        })}
      </div>
      <div className="pf">
        <span className="row end">
          <Button
            size="small"
            {...(value ? {} : { reason: 'These are the default columns' })}
            onClick={() => {
              onChange(undefined);
            }}
          >
            Reset
          </Button>
        </span>
      </div>
    </>
  );
}
