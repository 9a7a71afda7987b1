import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { Keys } from '../keyboard/Keys';

export interface MenuEntry {
  label: string;
  /** What it will do exactly: "47 rows, current filters, 7 columns". A function is asked when the list opens. */
  detail?: string | (() => string);
  icon?: LucideIcon;
  keys?: string;
  /** Why it cannot be chosen. */
  disabled?: string | undefined;
  /** Draws a line above. */
  apart?: boolean;
  run: () => void;
}

/** A button that opens a list of actions; choosing acts at once. `trigger` is one button element. */
export function Menu({
  trigger,
  entries,
  label,
}: {
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  label?: string;
}) {
  return (
    // Not modal: the modal form writes a style element, which the content policy refuses.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="pop menu float"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          <Entries entries={entries} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The list itself: there only while it is open. */
function Entries({ entries }: { entries: readonly MenuEntry[] }) {
  return entries.map(({ icon: Icon, detail, ...entry }) => {
    const below = entry.disabled ?? (typeof detail === 'function' ? detail() : detail);
    return (
      <Fragment key={entry.label}>
        {entry.apart && (
          <DropdownMenu.Separator asChild>
            <hr />
          </DropdownMenu.Separator>
        )}
        <DropdownMenu.Item
          className="it"
          disabled={entry.disabled !== undefined}
          onSelect={() => {
            entry.run();
          }}
        >
          {Icon && <Icon className="i" />}
          <span>
            {entry.label}
            {below && <span className="small muted block">{below}</span>}
          </span>
          {entry.keys && (
            <span className="end">
              <Keys keys={entry.keys} />
            </span>
          )}
        </DropdownMenu.Item>
      </Fragment>
    );
  });
}
