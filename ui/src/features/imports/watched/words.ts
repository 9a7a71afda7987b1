/** Texts about watched folders. */
export const watchedWords = {
  title: 'Watched folders',
  help: 'New and changed files are imported by themselves once they are the same in two looks. The same file twice changes nothing.',
  watching: 'Watching',
  never: 'not yet',
  atOnce: 'at once',
  looks: (last: string, next: string, taken: number) =>
    `Last look ${last}, next look ${next}. ${String(taken)} ${taken === 1 ? 'file' : 'files'} taken so far.`,
  askedBy: {
    setting: 'The settings of the server name it (watched_folder).',
    command: 'A command watches it (import --watch).',
  },
  look: 'Look now',
  forget: 'Stop watching',
  path: 'Folder of this computer',
  example: '/home/ana/bills',
  watch: 'Watch folder',
};
