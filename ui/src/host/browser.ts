import type { Host } from './host';

export const browser: Host = {
  kind: 'browser',
  saveFile(name, content, type) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    // The download holds its own reference by the time the next task runs.
    setTimeout(() => {
      URL.revokeObjectURL(address);
    }, 0);
    return Promise.resolve();
  },
  copy: (text) => navigator.clipboard.writeText(text),
  openOutside: (address) => {
    window.open(address, '_blank', 'noopener');
  },
  openBeside: (address) => {
    window.open(address, '_blank', 'noopener');
  },
  listen: () => () => undefined,
};
