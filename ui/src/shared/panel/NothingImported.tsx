import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { Empty } from './states';

/** Empty state of a page filled by imports: what will be here, which file adds it, and a link to Imports. `command` fetches the file. */
export function NothingImported({
  icon,
  words: { title, text, action, command },
}: {
  icon: LucideIcon;
  words: { readonly title: string; readonly text: string; readonly action: string; readonly command?: string };
}) {
  return (
    <Empty
      icon={icon}
      title={title}
      {...(command === undefined ? {} : { command })}
      action={
        <Link to="/imports" className="btn pri">
          {action}
        </Link>
      }
    >
      {text}
    </Empty>
  );
}
