/**
 * The first thing the code of the pages does: it waits until public/first.js has it begin. It is read meanwhile, which takes a page's thread longer
 * than running what stands at its top. Nothing else may import a chunk before it has begun: see vite.config.ts.
 */
await window.__QUARTERDECK_BEGIN__;

declare global {
  interface Window {
    /** Comes when that code begins. */
    __QUARTERDECK_BEGIN__?: Promise<void>;
  }
}

export {};
