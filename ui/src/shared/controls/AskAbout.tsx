import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';

/** Opens the assistant with a row, for a question about it. */
export function AskAbout({
  type,
  id,
  what,
  account,
  iconOnly = false,
}: {
  type: 'charge' | 'recommendation' | 'event' | 'resource';
  id: string;
  /** The name of the row. */
  what: string;
  /** The account of the row, if known. */
  account?: string | undefined;
  /** Hides the label except for screen readers and on hover, where other actions need the space. */
  iconOnly?: boolean;
}) {
  return (
    <Link
      to="/assistant/conversations"
      search={{ ...(account ? { account } : {}), about: `${type}.${id}`, what: what.slice(0, 80) }}
      className={iconOnly ? 'btn sm icon' : 'btn sm'}
      {...(iconOnly ? { title: 'Ask about this' } : {})}
    >
      <Sparkles className="i s" />
      <span className={iconOnly ? 'sr' : ''}>Ask about this</span>
    </Link>
  );
}
