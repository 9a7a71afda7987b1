const key = 'quarterdeck.cluster';

/** The clusters that this person looked at last in this browser, one for each tenant that has it among its own: the page opens it again. */
export function lastCluster(known: readonly { id: string }[]): string | undefined {
  return read().find((id) => known.some((one) => one.id === id));
}

/** Remembers a cluster; those of other tenants and instances stay behind it. */
export function rememberCluster(id: string): void {
  const all = read();
  if (all[0] === id) return;
  try {
    localStorage.setItem(key, JSON.stringify([id, ...all.filter((one) => one !== id)].slice(0, 20)));
  } catch {
    // Without storage the first cluster is opened.
  }
}

function read(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
