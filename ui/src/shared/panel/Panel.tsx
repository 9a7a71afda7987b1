import type { ReactNode } from 'react';

/** A framed part of a page: title, optional meta, actions at the right. Its body is one of the four states. */
export function Panel({
  title,
  meta,
  actions,
  children,
  padded = false,
  label,
  className,
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
}) {
  return (
    <section
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
