import { host } from '@/host';
import { instanceInFront } from '@/shared/place';
import { useAbout } from './session';

/**
 * The command that brings a file from a shell into the data this instance shows, wherever that is. The window takes files itself, and whoever
 * installed it may have no other program.
 */
export function useImportCommand(): string {
  const folder = useAbout().data?.data_dir;
  const place = folder ? ` --data-dir '${folder.replaceAll("'", "'\\''")}'` : '';
  const program = host.kind === 'desktop' && !instanceInFront ? 'quarterdeck' : 'quarterdeck-server import';
  return `${program} focus-export.csv${place}`;
}
