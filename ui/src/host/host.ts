/** What the surroundings of the page offer. The same pages run in a browser and in the desktop window. */
export interface Host {
  readonly kind: 'browser' | 'desktop';
  /** Saves text as a file of the person: a download, or a save dialog in the desktop window. */
  saveFile(name: string, text: string, type: string): Promise<void>;
  copy(text: string): Promise<void>;
}

declare global {
  interface Window {
    /** Set by the desktop shell before the page loads. */
    __QUARTERDECK_HOST__?: 'desktop';
  }
}
