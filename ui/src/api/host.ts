import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { host } from '@/host';
import type { ApiError } from './error';
import { callHere, sendHere } from './http';
import type { Rest } from './rest';

/** What happens to running work when the window is closed. */
export type OnClose = Rest.OnClose;

/** The window settings of the user. */
export type WindowChoices = Rest.WindowChoices;

/** A file waiting for import: from "open with", the command line or the file dialog. */
export type WaitingFile = Rest.WaitingFile;

/** The state of the desktop window, as reported by the service of this computer. */
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

/** Changes window settings; settings not passed do not change. */
export function useChoose() {
  const client = useQueryClient();
  return useMutation<WindowChoices, ApiError, Partial<WindowChoices>>({
    mutationKey: choicesKey,
    // In the order of the changes.
    scope: { id: choicesKey[0] },
    mutationFn: (choice) => sendHere<WindowChoices>('PATCH', '/api/host/choices', choice),
    // The page shows the change at once, and earlier responses do not overwrite it.
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

/** Results of importing the files. */
export type TakenFiles = Rest.TakenFiles;

/** Imports files that wait, in this order. */
export function importWaiting(files: readonly WaitingFile[]): Promise<TakenFiles> {
  return sendHere<TakenFiles>('POST', '/api/host/files/import', { ids: files.map((file) => file.id) });
}

/** Removes a file from the waiting list; the file itself is not touched. */
export function putBack(file: WaitingFile): Promise<null> {
  return callHere<null>(`/api/host/files/${file.id}`, { method: 'DELETE' });
}

/** Opens the system's file dialog; chosen files are added to the waiting list. */
export function chooseFiles(): Promise<null> {
  return sendHere<null>('POST', '/api/host/choose-files', {});
}

/** Opens the system's folder dialog; returns the chosen folder or null. */
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
