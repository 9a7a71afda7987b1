import type { LogLine } from '../log';

/** The newest sign-in of each e-mail address, in lower case, as far as the trail goes back. */
export function lastSignIns(lines: readonly LogLine[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const email = (line.about ?? line.who)?.toLowerCase();
    if (line.kind !== 'sign_in' || !email) continue;
    const before = found.get(email);
    if (before === undefined || before < line.at) found.set(email, line.at);
  }
  return found;
}
