/** The dimensions of costs; every tag key is a dimension. */
export type Dimension = Plain | `tag:${string}`;

export type Plain = keyof typeof plain;

interface Names {
  title: string;
  one: string;
  many: string;
  /** The column of `spend_groupings_v2`. */
  listed:
    | 'resource_service_name'
    | 'service_category'
    | 'account_id'
    | 'resource_region'
    | 'charge_category'
    | 'provider_name'
    | 'resource_id'
    | 'tag';
  /** The column of `spends_v2`. */
  stored: string;
}

const plain = {
  service: {
    title: 'Service',
    one: 'service',
    many: 'services',
    listed: 'resource_service_name',
    stored: 'resource_service_name',
  },
  category: {
    title: 'Service category',
    one: 'service category',
    many: 'service categories',
    listed: 'service_category',
    stored: 'service_category',
  },
  account: { title: 'Account', one: 'account', many: 'accounts', listed: 'account_id', stored: 'cloud_account' },
  region: { title: 'Region', one: 'region', many: 'regions', listed: 'resource_region', stored: 'resource_region' },
  charge: {
    title: 'Charge category',
    one: 'charge category',
    many: 'charge categories',
    listed: 'charge_category',
    stored: 'charge_category',
  },
  provider: {
    title: 'Provider',
    one: 'provider',
    many: 'providers',
    listed: 'provider_name',
    stored: 'provider_name',
  },
  resource: {
    title: 'Resource',
    one: 'resource',
    many: 'resources',
    listed: 'resource_id',
    stored: 'cloud_resource_id',
  },
} as const satisfies Record<string, Names>;

export const plainDimensions = Object.keys(plain) as Plain[];

/** The key of a tag dimension, null for the others. */
export function tagKey(dimension: Dimension): string | null {
  return dimension.startsWith('tag:') ? dimension.slice(4) : null;
}

export function isDimension(text: unknown): text is Dimension {
  return typeof text === 'string' && (text in plain || (text.startsWith('tag:') && text.length > 4));
}

/** The prefix of tag keys that rules derive (virtual tags). */
const virtual = 'virtual:';

/** The key of a virtual tag, null for other dimensions. */
export function virtualKey(dimension: Dimension): string | null {
  const key = tagKey(dimension);
  return key?.startsWith(virtual) ? key.slice(virtual.length) : null;
}

/** `name` is the display name of a virtual tag, if known. */
export function namesOf(dimension: Dimension, name?: string): Names {
  const tag = tagKey(dimension);
  if (tag === null) return plain[dimension as Plain];
  const own = virtualKey(dimension);
  const key = own ?? tag;
  const title = own === null ? `Tag ${key}` : (name ?? `Virtual tag ${key}`);
  return { title, one: `value of ${key}`, many: `values of ${key}`, listed: 'tag', stored: 'tags' };
}

/** The name of the group without a value: "No region". */
export function absentName(dimension: Dimension): string {
  const key = tagKey(dimension);
  return key === null ? `No ${namesOf(dimension).one}` : `Without tag ${virtualKey(dimension) ?? key}`;
}

/** The levels a group expands into; the last level is single charges. Three clicks reach a line of a file. */
export function levels(by: Dimension): Dimension[] {
  if (by === 'resource') return [by];
  return by === 'service' || by === 'category' ? [by, 'account', 'resource'] : [by, 'service', 'resource'];
}
