import { Field } from '@/shared';
import { roleName, tenantRoles } from '../roles';

/** Chooses a role for the whole tenant, or none. */
export function TenantRoleField({
  value,
  onChange,
  help,
}: {
  /** Empty for no role. */
  value: string;
  onChange: (role: string) => void;
  help: string;
}) {
  return (
    <Field label="Role for the whole tenant" help={help}>
      {(control) => (
        <select
          {...control}
          className="sel"
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          {tenantRoles.map((one) => (
            <option key={one} value={one}>
              {roleName(one)}, {one}
            </option>
          ))}
          <option value="">None</option>
        </select>
      )}
    </Field>
  );
}
