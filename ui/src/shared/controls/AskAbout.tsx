import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';

/** Takes a row to the assistant, so that a question can be asked about it. */
export function AskAbout({
  type,
  id,
  what,
  account,
  iconOnly = false,
}: {
  type: 'charge' | 'recommendation' | 'event' | 'resource';
  id: string;
  /** What the row is called. */
  what: string;
  /** The account it belongs to, where it is known. */
  account?: string | undefined;
  /** The words are for screen readers and on hover, where other actions need the room. */
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
