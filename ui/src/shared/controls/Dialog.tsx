import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFocusReturn } from './useFocusReturn';

/** Only to choose, confirm or name something. Focus stays inside and returns to its origin. */
export function Dialog({
  title,
  help,
  open,
  onClose,
  children,
  actions,
}: {
  title: string;
  help?: ReactNode;
  open: boolean;
  onClose: () => void;
  children?: ReactNode;
  /** Buttons at the right of the foot; the primary one last. */
  actions?: ReactNode;
}) {
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Radix.Portal>
        <Shown title={title} help={help} actions={actions}>
          {children}
        </Shown>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The dialog itself: there only while it is open. */
function Shown({
  title,
  help,
  children,
  actions,
}: {
  title: string;
  help: ReactNode;
  children: ReactNode;
  actions: ReactNode;
}) {
  const returnFocus = useFocusReturn();
  return (
    // A scrim of our own: the one of Radix writes a style element, which the content policy refuses.
    <div className="scrim">
      <Radix.Content
        className="dialog"
        data-modal=""
        onCloseAutoFocus={returnFocus}
        {...(help ? {} : { 'aria-describedby': undefined })}
      >
        <div className="dh">
          <Radix.Title asChild>
            <h2>{title}</h2>
          </Radix.Title>
          {help && (
            <Radix.Description asChild>
              <p className="muted">{help}</p>
            </Radix.Description>
          )}
        </div>
        {children && <div className="dbody">{children}</div>}
        {actions && (
          <div className="df">
            <span className="end">{actions}</span>
          </div>
        )}
      </Radix.Content>
    </div>
  );
}
