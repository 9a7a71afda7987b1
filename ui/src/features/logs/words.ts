/** Texts of the logs page. */
export const levelNames = { error: 'Error', warn: 'Warning', info: 'Info', debug: 'Debug' } as const;
export const levelTones = { error: 'bad', warn: 'warn', info: 'off', debug: 'off' } as const;

export const empty = {
  title: 'No log lines yet',
  text: 'Import a Kubernetes support bundle or log files: their lines are searched here by time, level, text and label.',
  action: 'Import files',
};

export const help = 'Words, "a phrase", or a selector such as {app="web", namespace=~"shop.*"} |= "timeout"';

/** Messages that differ in numbers and names only. */
export const patterns = {
  help: '<*> marks the parts that differ. Select a pattern to see its lines.',
  none: 'No line matches',
};
