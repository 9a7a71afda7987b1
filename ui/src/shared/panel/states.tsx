import { OctagonX } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../controls/Button';
import { CopyCommand } from '../controls/CopyCommand';
import { toast } from '../toast';

/** Grey lines in the shape of the content, after 200 ms. */
export function Loading({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLate(true);
    }, 200);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <div className="loading" role="status" aria-label={label}>
      {late &&
        Array.from({ length: lines }, (_, i) => (
          <span key={i} className="skel" style={{ width: `${String(92 - ((i * 17) % 40))}%` }} />
        ))}
    </div>
  );
}

/** Empty state: what will be here, how to get it, and one action. `command` fetches the file and has a copy button. */
export function Empty({
  icon: Icon,
  title,
  children,
  command,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  command?: string;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon className="i" />
      <b>{title}</b>
      {children && <p>{children}</p>}
      {command && <CopyCommand command={command} />}
      {action && <div className="row">{action}</div>}
    </div>
  );
}

/** What failed, where and when; the rest of the page keeps working. `error` is the error of the query. */
export function Failure({
  what,
  error,
  retry,
}: {
  what: string;
  error: Error & { status?: number; where?: string; retryAfter?: number | undefined };
  retry?: () => unknown;
}) {
  const [at] = useState(() => new Date().toISOString());
  const details = [what, error.message, error.status && `status ${String(error.status)}`, error.where, at]
    .filter(Boolean)
    .join('\n');
  return (
    <div className="empty" role="alert">
      <OctagonX className="i" />
      <b>{what}</b>
      <p>
        {error.message.replace(/(?<![.!?])$/, '.')} {error.retryAfter && 'The page retries automatically. '}Your filters
        are kept.
      </p>
      <div className="row">
        {retry && (
          <Button
            size="small"
            onClick={() => {
              retry();
            }}
          >
            Try again
          </Button>
        )}
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            void navigator.clipboard.writeText(details).then(() => {
              toast({ tone: 'ok', text: 'Copied the details' });
            });
          }}
        >
          Copy details
        </Button>
      </div>
    </div>
  );
}

/** The part of a query that a panel needs; every query of `@/api` has it. */
export interface Answer<Value> {
  data: Value | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** Shows loading, failure or content; old data stays visible while new data loads. The content handles the empty state. */
export function Content<Value>({
  of: query,
  what,
  lines,
  children,
}: {
  of: Answer<Value>;
  /** The sentence for a failure: "Costs could not be read". */
  what: string;
  lines?: number;
  children: (data: Value) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure what={what} error={query.error} retry={query.refetch} />;
  return <Loading {...(lines === undefined ? {} : { lines })} />;
}
