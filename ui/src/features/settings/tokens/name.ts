/** Why a token cannot be called so, or null: unique per person, letters, digits, hyphens. */
export function problemOfName(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Enter a name, for example month-end';
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name))
    return `Use letters, digits and hyphens; “${name}” has other characters`;
  if (taken.includes(name)) return `You have a token called ${name}; revoke it first, or choose another name`;
  return null;
}

/** Days without use after which a token is highlighted. */
const unusedAfter = 90;

/** Whole days since the token was used, or created if it never was; null if below the threshold. */
export function unusedDays(token: { created_at: string | null; accessed_at: string | null }, now: Date): number | null {
  const last = token.accessed_at ?? token.created_at;
  if (!last) return null;
  const days = Math.floor((now.getTime() - Date.parse(/[zZ+]/.test(last.slice(10)) ? last : `${last}Z`)) / 86_400_000);
  return days >= unusedAfter ? days : null;
}
