import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';

/** Takes a row to the assistant, so that a question can be asked about it. */
export function AskAbout({
  type,
  id,
  what,
  account,
}: {
  type: 'charge' | 'recommendation' | 'event' | 'resource';
  id: string;
  /** What the row is called. */
  what: string;
  /** The account it belongs to, where it is known. */
  account?: string | undefined;
}) {
  return (
    <Link
      to="/assistant/conversations"
      search={{ ...(account ? { account } : {}), about: `${type}.${id}`, what: what.slice(0, 80) }}
      className="btn sm"
    >
      <Sparkles className="i s" />
      Ask about this
    </Link>
  );
}
