import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { AppWindow, FileUp, Printer } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { chooseFiles, openInBrowser, printPage, useWindow, windowKey } from '@/api';
import { host } from '@/host';
import { toast, useCommands } from '@/shared';
import { currentCommands } from '@/shared/keyboard/commands';
import { instanceInFront } from '@/shared/place';

const page = '/imports';

/** In the storage of this window: the files that wait were shown. */
const shown = 'files that wait were shown';

function tell(trouble: unknown): void {
  toast({ tone: 'bad', text: trouble instanceof Error ? trouble.message : String(trouble) });
}

/** Features of the desktop window: its own commands, its menu commands, and files handed to it. */
export function WindowCommands() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const waits = useWindow().data?.files.some((file) => file.size_bytes !== null) ?? false;
  // Files are for the instance on this computer; another one in front is another load of the page.
  const toImports = useCallback(() => {
    if (instanceInFront) window.location.assign(page);
    else void navigate({ to: page });
  }, [navigate]);
  useEffect(() => {
    // Once per run of the program: a user who has navigated away has seen them.
    if (!waits || instanceInFront || sessionStorage.getItem(shown) !== null) return;
    sessionStorage.setItem(shown, '');
    toImports();
  }, [waits, toImports]);
  useEffect(
    () =>
      host.listen('files', () => {
        void client.invalidateQueries({ queryKey: windowKey });
        toImports();
      }),
    [client, toImports],
  );
  useEffect(() => host.listen('choices', () => void client.invalidateQueries({ queryKey: windowKey })), [client]);
  useEffect(
    () =>
      host.listen('command', (id) => {
        const command = currentCommands().find((one) => one.id === id);
        // The menu of the window is the same whatever is in front.
        if (command?.disabled !== undefined) tell(command.disabled);
        else command?.run();
      }),
    [],
  );
  useEffect(() => host.listen('trouble', tell), []);
  useCommands(
    [
      {
        id: 'window files',
        title: 'Import files from this computer',
        group: 'Do',
        icon: FileUp,
        run: () => {
          chooseFiles().catch(tell);
        },
      },
      {
        id: 'window browser',
        title: 'Open this page in the browser',
        group: 'Do',
        icon: AppWindow,
        run: () => {
          openInBrowser(window.location.pathname + window.location.search).catch(tell);
        },
      },
      {
        id: 'window print',
        title: 'Print',
        group: 'Do',
        keys: 'mod+p',
        icon: Printer,
        run: () => {
          printPage().catch(tell);
        },
      },
    ],
    'frame',
  );
  return null;
}
