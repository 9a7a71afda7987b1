import { isOwnWindow } from './ownWindow';
import { useAbout } from './session';

/**
 * The shell command that imports a file into this instance. The desktop window imports files itself, and its user may have no other program
 * installed.
 */
export function useImportCommand(): string {
  const folder = useAbout().data?.data_dir;
  const place = folder ? ` --data-dir '${folder.replaceAll("'", "'\\''")}'` : '';
  const program = isOwnWindow() ? 'quarterdeck' : 'quarterdeck-server import';
  return `${program} focus-export.csv${place}`;
}
