import {
  ArrowLeftRight,
  CircleCheck,
  KeyRound,
  Link2,
  LogIn,
  LogOut,
  OctagonX,
  Settings,
  UserCheck,
  UserPlus,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { dateTime, useNow } from '@/shared';
import type { LogLine } from './log';

const icons: Record<string, LucideIcon> = {
  sign_in: LogIn,
  refused: OctagonX,
  user_created: UserPlus,
  account_linked: Link2,
  roles_changed: UserCheck,
  settings_changed: Settings,
  password_set: KeyRound,
  password_off: KeyRound,
  password_on: KeyRound,
  session_ended: LogOut,
  signed_out_everywhere: LogOut,
  tenant_switched: ArrowLeftRight,
};

/** An audit trail, newest first: time, icon, sentence. */
export function Trail({ lines }: { lines: readonly LogLine[] }) {
  const now = useNow();
  return (
    <ol className="tl">
      {lines.map((line) => {
        const Icon = icons[line.kind] ?? CircleCheck;
        return (
          <li key={line.id}>
            <time dateTime={line.at}>{dateTime(line.at, now)}</time>
            <Icon className={line.kind === 'refused' ? 'i bad' : 'i'} />
            <div>
              {line.text}
              {line.who && line.who !== line.about && <span className="small muted block">by {line.who}</span>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
