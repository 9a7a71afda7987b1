import type { Row } from '@tanstack/react-table';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { MouseEvent } from 'react';
import { Check } from '../controls/Check';
import type { Column } from './column';

/** One row: check box, twist for children, cells. A press opens it unless it hits a control inside. */
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
}: {
  line: Row<Item>;
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
  onOpen?: (line: Row<Item>) => void;
}) {
  const press = (event: MouseEvent<HTMLTableRowElement>) => {
    if (!(event.target as HTMLElement).closest('a, button, input, label')) onOpen?.(line);
  };
  return (
    <tr
      data-row={line.id}
      aria-rowindex={index}
      aria-selected={open || undefined}
      className={[line.depth > 0 && 'kid', active && 'active', onOpen && 'opens'].filter(Boolean).join(' ')}
      onClick={press}
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
        const value = column.cell ? column.cell(line.original) : (column.value(line.original) ?? '–');
        return (
          <td key={column.id} className={column.kind === 'number' ? 'n num' : ''}>
            {at === 0 && expandable ? (
              <span className="row lead" style={{ paddingLeft: line.depth * 24 }}>
                {canExpand ? (
                  <button
                    type="button"
                    className="twist"
                    aria-expanded={isExpanded}
                    aria-label={isExpanded ? 'Collapse' : 'Expand'}
                    onClick={() => {
                      onFold(line.id, !isExpanded);
                    }}
                  >
                    {isExpanded ? <ChevronDown className="i" /> : <ChevronRight className="i" />}
                  </button>
                ) : (
                  <span className="twist" />
                )}
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

/** Drawn anew only when something it is given changes: most lines stay as they are while a table rolls. */
export const Line = memo(PlainLine) as typeof PlainLine;
