/** Texts of the logs page. */
export const levelNames = { error: 'Error', warn: 'Warning', info: 'Info', debug: 'Debug' } as const;
export const levelTones = { error: 'bad', warn: 'warn', info: 'off', debug: 'off' } as const;

export const empty = {
  title: 'No log lines yet',
  text: 'Import a Kubernetes support bundle or log files: their lines are searched here by time, level, text and label.',
  action: 'Import files',
};

export const help = 'Words, or a selector such as {app="web", namespace=~"shop.*"} |= "timeout"';
