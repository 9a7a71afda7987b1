type Raw = Record<string, unknown>;

/**
 * Reads an address into what a page knows, and nothing beside it: the router keeps what `read` leaves out as it stands in the address, a word that no
 * page knows with it.
 */
export function knownSearch<Search extends object>(read: (search: Raw) => Search): (search: Raw) => Search {
  return (search) => {
    const known = read(search);
    const unknown = Object.keys(search).filter((name) => !(name in known));
    return { ...Object.fromEntries(unknown.map((name) => [name, undefined])), ...known };
  };
}
