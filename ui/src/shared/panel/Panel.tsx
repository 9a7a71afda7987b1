import type { ReactNode } from 'react';
import type { Day } from '../format/date';

/** A framed part of a page: title, optional meta, actions at the right. Its body is one of the four states. */
export function Panel({
  title,
  meta,
  actions,
  children,
  padded = false,
  label,
  className,
  until,
}: {
  title?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Space around the body; tables and lists go without. */
  padded?: boolean;
  /** The name of a panel without a title. */
  label?: string;
  className?: string;
  /** The last day on which it looks like this, where it looks otherwise then with nothing changed but the day (app/drawn.ts). */
  until?: Day | undefined;
}) {
  return (
    <section
      data-until={until}
      className={['panel', className].filter(Boolean).join(' ')}
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
    >
      {title !== undefined && (
        <div className="ph">
          <h2>{title}</h2>
          {meta !== undefined && <span className="small muted num">{meta}</span>}
          {actions && <div className="acts">{actions}</div>}
        </div>
      )}
      {padded ? <div className="pb">{children}</div> : children}
    </section>
  );
}
