import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to a page. With a `reason` it is disabled and shows the reason. */
export function PlaceLink({
  to,
  reason,
  title,
  className,
  exact = false,
  onDemand = false,
  isCurrent = false,
  children,
}: {
  to: LinkProps['to'];
  reason: string | undefined;
  title?: string;
  className?: string;
  /** Whether it is current on its own page only, not on those below its address. */
  exact?: boolean;
  /** Whether the page is loaded on click, and not already on hover. */
  onDemand?: boolean | undefined;
  /** Whether it is also marked as current on other pages of its section. */
  isCurrent?: boolean;
  children: ReactNode;
}) {
  if (reason === undefined)
    return (
      <Link
        to={to}
        {...(exact ? { activeOptions: { exact: true, includeSearch: false } } : {})}
        {...(onDemand ? { preload: false as const } : {})}
        {...(title === undefined ? {} : { title })}
        {...(className === undefined ? {} : { className })}
        {...(isCurrent ? { 'aria-current': 'page' } : {})}
      >
        {children}
      </Link>
    );
  return (
    <a
      role="link"
      aria-disabled="true"
      tabIndex={0}
      className={className ? `${className} lacks` : 'lacks'}
      title={reason}
    >
      {children}
      <span className="sr">, off: {reason}</span>
    </a>
  );
}
