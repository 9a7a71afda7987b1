import { memo } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { Check } from '../controls/Check';
import type { Column } from './column';
import type { TableLine } from './lines';
import { Twist } from './Twist';

/**
 * One row: check box, twist for children, cells. A press opens it unless it hits a control inside. Of the rows that open, Tab reaches one; arrows go
 * from there to the others, and Enter opens.
 */
function PlainLine<Item>({
  line,
  columns,
  index,
  open,
  active,
  isSelected,
  selectable,
  onToggle,
  expandable,
  canExpand,
  isExpanded,
  onFold,
  onOpen,
  isStop,
  onMove,
  stacked = false,
}: {
  line: TableLine<Item>;
  columns: readonly Column<Item>[];
  index: number;
  open: boolean;
  active: boolean;
  /** Null when rows cannot be selected. */
  isSelected: boolean | null;
  selectable: boolean;
  onToggle: (id: string) => void;
  expandable: boolean;
  canExpand: boolean;
  isExpanded: boolean;
  onFold: (id: string, open: boolean) => void;
  onOpen?: (line: TableLine<Item>) => void;
  /** It is the one that Tab reaches. */
  isStop: boolean;
  /** Called with the row an arrow key moved to. */
  onMove: (id: string) => void;
  /** Two lines instead of columns: each cell includes its label. */
  stacked?: boolean;
}) {
  const press = (event: MouseEvent<HTMLTableRowElement>) => {
    if (!(event.target as HTMLElement).closest('a, button, input, label')) onOpen?.(line);
  };
  const answer = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onOpen?.(line);
      return;
    }
    const row = event.currentTarget;
    const next =
      event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null;
    if (!(next instanceof HTMLElement) || next.dataset['row'] === undefined) return;
    event.preventDefault();
    next.focus();
    onMove(next.dataset['row']);
  };
  const indent = line.depth * 24;
  return (
    <tr
      data-row={line.id}
      {...(stacked ? { role: 'row' } : {})}
      aria-rowindex={index}
      aria-selected={open || undefined}
      className={[line.depth > 0 && 'kid', active && 'active', onOpen && 'opens'].filter(Boolean).join(' ')}
      {...(onOpen ? { tabIndex: isStop ? 0 : -1, onClick: press, onKeyDown: answer } : {})}
    >
      {isSelected !== null && (
        <td>
          {selectable && (
            <Check
              label="Select row"
              hideLabel
              checked={isSelected}
              onChange={() => {
                onToggle(line.id);
              }}
            />
          )}
        </td>
      )}
      {columns.map((column, at) => {
        const value = column.cell ? column.cell(line.row) : (column.value(line.row) ?? '–');
        return (
          <td
            key={column.id}
            className={column.kind === 'number' ? 'n num' : isIcon(column) ? 'icons' : undefined}
            {...(stacked ? { role: 'cell' } : {})}
            {...(stacked && at > 0 && !column.hideHeader ? { 'data-head': column.header } : {})}
          >
            {at === 0 && canExpand ? (
              <>
                <Twist
                  isOpen={isExpanded}
                  indent={indent}
                  onTurn={() => {
                    onFold(line.id, !isExpanded);
                  }}
                />
                {value}
              </>
            ) : at === 0 && expandable ? (
              <span className="row lead" style={{ paddingLeft: indent }}>
                <span className="twist" />
                <span className="cut">{value}</span>
              </span>
            ) : (
              value
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** A column of one icon each: there is nothing in it to cut. */
function isIcon<Item>(column: Column<Item>): boolean {
  return column.hideHeader === true && (column.width ?? 0) <= 42;
}

/** Re-renders only if its props change: most lines stay unchanged while the table scrolls. */
export const Line = memo(PlainLine) as typeof PlainLine;
