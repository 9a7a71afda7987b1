/** The environment of the page. The same pages run in a browser and in the desktop window. */
export interface Host {
  readonly kind: 'browser' | 'desktop';
  /** Saves a text or bytes as a file of the person: a download, or a save dialog in the desktop window. */
  saveFile(name: string, content: string | Uint8Array<ArrayBuffer>, type: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Shows an address that is not ours in the system's browser; in a browser, in another tab. */
  openOutside(address: string): void;
  /** Opens one of our pages in another tab. Only a browser supports this: check `kind` first. */
  openBeside(address: string): void;
  /**
   * Hears what the window tells: `files` were put forward for import, `choices` about it were made in its menu, a `command` (its id) was chosen
   * there, there is `trouble` (its words). Answers what stops it. A browser tells nothing.
   */
  listen(event: 'files' | 'choices' | 'command' | 'trouble', listener: (detail: string) => void): () => void;
}

declare global {
  interface Window {
    /** Set by the desktop shell before the page loads. */
    __QUARTERDECK_HOST__?: 'desktop';
  }
}
