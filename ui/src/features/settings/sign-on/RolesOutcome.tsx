import { CircleCheck, CircleDashed, OctagonX, TriangleAlert } from 'lucide-react';
import { roleName } from '../roles';
import type { RoleRow, RolesReport } from './types';

const marks = {
  held: { tone: 'ok', Icon: CircleCheck, word: 'Granted' },
  new: { tone: 'ok', Icon: CircleCheck, word: 'Granted, new' },
  ignored: { tone: 'off', Icon: CircleDashed, word: 'Ignored' },
  near_miss: { tone: 'warn', Icon: CircleDashed, word: 'Ignored' },
  unknown_role: { tone: 'bad', Icon: OctagonX, word: 'Refused' },
} as const;

/** The role of each group with its reason, and the roles after sign-in. */
export function RolesOutcome({ roles }: { roles: RolesReport }) {
  return (
    <div>
      {roles.why_not && <p className="small muted">{roles.why_not}</p>}
      {roles.rows.map((row) => (
        <Line key={`${row.group} ${row.role ?? ''}`} row={row} />
      ))}
      {roles.rows.length === 0 && !roles.why_not && (
        <p className="small muted">No groups were received, so none gives a role.</p>
      )}
      {roles.removed.map((role) => (
        <div key={role} className="li why">
          <span className="st bad">
            <OctagonX className="i" />
          </span>
          <div className="grow">
            <b>{roleName(role)}</b> is removed
            <div className="small muted">No group grants it any more.</div>
          </div>
        </div>
      ))}
      {roles.no_admin_would_remain && (
        <div className="note bad" role="alert">
          <TriangleAlert className="i" />
          <div>
            <div className="t">No admin would remain</div>
            Nobody else holds tenant_admin. Map a group to it, or keep roles that are no longer granted.
          </div>
        </div>
      )}
      {roles.notes.map((note) => (
        <p key={note} className="small muted">
          {note}
        </p>
      ))}
      <div className="split outcome-roles">
        <span className="muted">Roles after sign-in</span>
        <span className="row wrap">
          {roles.after.length === 0 && <span className="st warn">none</span>}
          {roles.after.map((role) => (
            <span key={role} className="badge acc" title={role}>
              {roleName(role)}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

function Line({ row }: { row: RoleRow }) {
  const { tone, Icon, word } = marks[row.outcome];
  return (
    <div className="li why">
      <span className={`st ${tone}`}>
        <Icon className="i" />
        <span className="sr">{word}</span>
      </span>
      <div className="grow">
        <div>
          <span className="mono strong">{row.group}</span> <span className="faint">→</span>{' '}
          {row.role ? <b>{roleName(row.role)}</b> : 'no role'}
        </div>
        <div className="small muted">{row.why}</div>
      </div>
    </div>
  );
}
