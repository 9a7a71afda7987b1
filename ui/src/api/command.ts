import { isOwnWindow } from './ownWindow';
import { useAbout } from './session';

/**
 * The command that brings a file from a shell into the data this instance shows, wherever that is. The window takes files itself, and whoever
 * installed it may have no other program.
 */
export function useImportCommand(): string {
  const folder = useAbout().data?.data_dir;
  const place = folder ? ` --data-dir '${folder.replaceAll("'", "'\\''")}'` : '';
  const program = isOwnWindow() ? 'quarterdeck' : 'quarterdeck-server import';
  return `${program} focus-export.csv${place}`;
}
