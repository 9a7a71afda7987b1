import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { host } from '@/host';
import type { ApiError } from './error';
import { callHere, sendHere } from './http';
import type { Rest } from './rest';

/** What happens to work that goes on when the window is closed. */
export type OnClose = Rest.OnClose;

/** What the person decided about the window. */
export type WindowChoices = Rest.WindowChoices;

/** A file that was put forward for import: by "open with", on the command line, in the dialog. */
export type WaitingFile = Rest.WaitingFile;

/** The window around the pages, as the service of this computer knows it. */
export type WindowState = Rest.WindowState;

export const windowKey = ['window'] as const;
const choicesKey = ['choices of the window'] as const;

export const windowOptions = queryOptions<WindowState, ApiError>({
  queryKey: windowKey,
  queryFn: ({ signal }) => callHere<WindowState>('/api/host', { signal }),
  enabled: host.kind === 'desktop',
  staleTime: Infinity,
});

/** The window; nothing in a browser. */
export function useWindow() {
  return useQuery(windowOptions);
}

/** Decides about the window; what a choice does not name stays as it is. */
export function useChoose() {
  const client = useQueryClient();
  return useMutation<WindowChoices, ApiError, Partial<WindowChoices>>({
    mutationKey: choicesKey,
    // In the order in which they were made.
    scope: { id: choicesKey[0] },
    mutationFn: (choice) => sendHere<WindowChoices>('PATCH', '/api/host/choices', choice),
    // The page shows it at once, and no answer from before takes it back.
    onMutate: async (choice) => {
      await client.cancelQueries({ queryKey: windowKey });
      client.setQueryData<WindowState>(
        windowKey,
        (state) => state && { ...state, choices: { ...state.choices, ...choice } },
      );
    },
    // Only the last of several is followed by all of them.
    onSettled: () =>
      client.isMutating({ mutationKey: choicesKey }) > 1
        ? undefined
        : client.invalidateQueries({ queryKey: windowKey }),
  });
}

/** What became of files that were to be imported. */
export type TakenFiles = Rest.TakenFiles;

/** Imports files that wait, in this order. */
export function importWaiting(files: readonly WaitingFile[]): Promise<TakenFiles> {
  return sendHere<TakenFiles>('POST', '/api/host/files/import', { ids: files.map((file) => file.id) });
}

/** Takes a file off the list of those that wait; the file itself stays where it is. */
export function putBack(file: WaitingFile): Promise<null> {
  return callHere<null>(`/api/host/files/${file.id}`, { method: 'DELETE' });
}

/** Opens the system's dialog for files; those chosen are put forward. */
export function chooseFiles(): Promise<null> {
  return sendHere<null>('POST', '/api/host/choose-files', {});
}

/** Opens the system's dialog for a folder; the one that is chosen, or none. */
export async function chooseFolder(): Promise<string | null> {
  const { path } = await sendHere<Rest.ChosenFolder>('POST', '/api/host/choose-folder', {});
  return path;
}

/** Opens the system's dialog for printing. */
export function printPage(): Promise<null> {
  return sendHere<null>('POST', '/api/host/print', {});
}

/** Shows the folder of the models in the system's file manager. */
export function openModelsFolder(): Promise<null> {
  return sendHere<null>('POST', '/api/host/open-models-folder', {});
}

/** Shows a page of this computer's service, path and search, in the system's browser, signed in. */
export function openInBrowser(path: string): Promise<null> {
  return sendHere<null>('POST', '/api/host/open-in-browser', { path });
}
