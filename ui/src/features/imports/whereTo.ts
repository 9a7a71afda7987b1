import { closeBatch, importWaiting, upload } from '@/api';
import type { TenantChoice, WaitingFile } from '@/api';
import { plural } from '@/shared';
import { tenantSwitch } from '@/shared/tenantSwitch';
import { createStore } from '@/shared/store';
import { pathOf } from './drop';
import { newId } from './newId';

/** Files dropped or chosen while sample data is shown. They cannot be imported there, so the user chooses a tenant. */
export type FilesToPlace =
  { kind: 'files'; files: readonly File[] } | { kind: 'waiting'; files: readonly WaitingFile[] };

export const filesToPlace = createStore<FilesToPlace | null>(null);

/** The tenants a person may import into, the offer first: not the one of the sample. */
export function targets(tenants: readonly TenantChoice[], sample: string | null, home: string): TenantChoice[] {
  const open = tenants.filter((tenant) => tenant.id !== sample && tenant.roles.includes('tenant_admin'));
  return [...open.filter(({ id }) => id === home), ...open.filter(({ id }) => id !== home)];
}

/** Switches to `tenant`, imports the files there, and opens the Imports page. */
export function importInto(tenant: TenantChoice, what: FilesToPlace): Promise<void> {
  return tenantSwitch.get().with(tenant.id, '/imports', async (say) => {
    if (what.kind === 'files') {
      await sendAll(what.files, tenant.name, say);
      return;
    }
    say(`Importing ${plural(what.files.length, 'file')} into ${tenant.name}`);
    const { refused } = await importWaiting(what.files);
    if (refused.length > 0) throw new Error(refused.join('. '));
  });
}

/** Sends the files one after another, as one batch. Throws, naming them, when some could not be sent; the others are imported. */
async function sendAll(files: readonly File[], tenant: string, say: (text: string) => void): Promise<void> {
  const batch = files.length > 1 ? { id: newId(), files: files.length } : null;
  const troubles: string[] = [];
  for (const [at, file] of files.entries()) {
    say(
      files.length > 1
        ? `Sending ${file.name} to ${tenant}: ${String(at + 1)} of ${String(files.length)}`
        : `Sending ${file.name} to ${tenant}`,
    );
    try {
      await upload(file, pathOf(file), batch, () => undefined, new AbortController().signal);
    } catch (error) {
      troubles.push(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (troubles.length === 0) return;
  const sent = files.length - troubles.length;
  if (batch && sent > 0) await closeBatch({ id: batch.id, files: sent });
  throw new Error(`${plural(troubles.length, 'file')} could not be sent. ${troubles.join('. ')}`);
}
