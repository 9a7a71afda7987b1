import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';

/** A floating panel under a button, for pickers. Esc and a press elsewhere close it; focus returns to the button. */
export function Popup({
  label,
  trigger,
  open,
  onOpen,
  children,
  align = 'start',
}: {
  label: string;
  trigger: ReactNode;
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <Popover.Root open={open} onOpenChange={onOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="pop float" align={align} sideOffset={4} collisionPadding={8} aria-label={label}>
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
