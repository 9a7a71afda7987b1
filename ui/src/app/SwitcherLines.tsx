import { Building2, Monitor, Server } from 'lucide-react';
import type { Instance, Instances, TenantChoice } from '@/api';
import { useLook } from '@/features/settings/instances/look';
import { standing, versionNote } from '@/features/settings/instances/standing';
import { roleName } from '@/features/settings/roles';
import { Status, dateTime, dateTimeZone, useNow } from '@/shared';
import { hostOf, instanceInFront } from '@/shared/place';

/** This computer, as the switcher lists it. */
export function Here({ here }: { here: Instances['here'] }) {
  return (
    <>
      <span className="ic">
        <Monitor className="i" />
      </span>
      <span className="grow cut">
        <b>This computer</b> {instanceInFront === null && <span className="badge acc">Current</span>}
        <span className="small muted block cut">
          {here.address}
          {here.data_dir && `, data in ${here.data_dir}`}
        </span>
      </span>
      <span className="stand">
        <Status tone="ok">Running</Status>
        <span className="small muted block">v{here.version}, works offline</span>
      </span>
    </>
  );
}

/** A remote instance with its state. */
export function Elsewhere({ one, here }: { one: Instance; here: Instances['here'] }) {
  const now = useNow();
  const look = useLook(one.id).data;
  const { tone, word } = standing(look, one.kept_in);
  const version = look?.version ?? one.version;
  const note = versionNote(version, here.version);
  const about = one.kept_in ? `signed in as ${one.email ?? ''}` : 'sign in';
  const seen = one.seen_at ? `, last seen ${dateTimeZone(one.seen_at, now)}` : '';
  return (
    <>
      <span className={`ic inst-${one.colour}`}>
        <Server className="i" />
      </span>
      <span className="grow cut">
        <b>{one.name}</b> {instanceInFront === one.id && <span className="badge acc">Current</span>}
        <span className="small muted block cut">
          {hostOf(one.address)}, {tone === 'off' ? seen.slice(2) || 'never reached' : about}
        </span>
      </span>
      <span className="stand">
        <Status tone={tone}>{word}</Status>
        <span className="small muted block">
          {[
            version && `v${version}`,
            note,
            tone === 'off' && one.copy_of
              ? `copy of ${dateTime(one.copy_of, now)}`
              : look && !look.trouble && `${String(look.took)} ms`,
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </span>
    </>
  );
}

/** A tenant of the current instance with the user's role. */
export function TenantLine({ tenant, isOpening }: { tenant: TenantChoice; isOpening: boolean }) {
  return (
    <>
      <span className="ic">
        <Building2 className="i" />
      </span>
      <span className="grow cut">
        <b>{tenant.name}</b> {tenant.current && <span className="badge acc">Current</span>}
      </span>
      <span className="stand small muted">
        {isOpening ? <Status tone="info">Opening</Status> : tenant.roles.map(roleName).join(', ')}
      </span>
    </>
  );
}
