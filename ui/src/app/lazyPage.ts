import { lazyRouteComponent } from '@tanstack/react-router';

/** The code of a page did not arrive. The router would read the whole page again, which without a service leaves nothing at all. */
export class CodeMissing extends Error {
  constructor(cause: unknown) {
    super('Its code could not be loaded: the service may be unavailable', { cause });
    this.name = 'CodeMissing';
  }
}

/** A page whose code is loaded when it is opened, or earlier in idle time. */
export const lazyPage: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new CodeMissing(error);
      }),
    name,
  );

/**
 * Takes links to styles that did not arrive out of the page. What loads pages takes a link that stands there for one that has come, and would show the page
 * without its styles.
 */
export function dropFailedStyles(of: Document = document): void {
  of.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove();
    },
    true,
  );
}

/** Reloads the whole page if the service responds; returns whether it does. Code that failed once would not be requested again. */
export async function readAgain(reload: () => void = reloadPage): Promise<boolean> {
  const answer = await fetch('/mark.svg', { cache: 'no-store' }).catch(() => null);
  if (answer) reload();
  return answer !== null;
}

/** Where the page was last read again by itself. */
const lastPlace = 'quarterdeck.read-again-at';

/** Does the same automatically, once per address: a newer version of the service has the code under another name. */
export async function readAgainOnce(reload: () => void = reloadPage): Promise<void> {
  const { pathname } = window.location;
  if (sessionStorage.getItem(lastPlace) === pathname) return;
  await readAgain(() => {
    sessionStorage.setItem(lastPlace, pathname);
    reload();
  });
}

function reloadPage() {
  window.location.reload();
}
