import type { ComponentProps, MouseEvent } from 'react';

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: 'default' | 'primary' | 'quiet' | 'destructive';
  size?: 'default' | 'small' | 'large';
  /** Replaces the label while the action runs, for example "Saving". The button keeps its width and focus and ignores clicks. */
  busy?: string | false | undefined;
  /** Why it cannot be used; disables it and is read with its name. */
  reason?: string | undefined;
  /** For a button with only an icon; set `aria-label` as well. */
  iconOnly?: boolean;
}

const kinds = { default: '', primary: 'pri', quiet: 'ghost', destructive: 'bad' };
const sizes = { default: '', small: 'sm', large: 'lg' };

export function Button({
  kind = 'default',
  size = 'default',
  busy,
  reason,
  iconOnly,
  className,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  const classes = ['btn', kinds[kind], sizes[size], iconOnly && 'icon', className].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      className={classes}
      disabled={((disabled ?? false) && !busy) || reason !== undefined}
      // A disabled button loses the focus, and the next key would start at the top of the window.
      aria-disabled={busy ? true : undefined}
      aria-busy={busy ? true : undefined}
      title={reason}
      onClick={busy ? refuse : onClick}
      {...rest}
    >
      {busy ? busy : children}
    </button>
  );
}

/** Also prevents a second submit of the form, by the button or by Enter in a field. */
function refuse(event: MouseEvent): void {
  event.preventDefault();
}
