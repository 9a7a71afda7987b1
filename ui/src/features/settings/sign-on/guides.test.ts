import { expect, test } from 'vitest';
import { guideOf, guides } from './guides';

test('every guide says where our address, our name and the groups go, and where the metadata is', () => {
  for (const guide of guides) {
    const wanted = guide.fields.map((field) => field.wanted);
    expect(wanted, guide.name).toEqual(expect.arrayContaining(['acs', 'entity']));
    expect(
      guide.attributes.map(({ name }) => name),
      guide.name,
    ).toContain('email');
    expect(guide.groups, guide.name).toMatch(/\b(groups|Group)\b/);
    expect(guide.metadata.length, guide.name).toBeGreaterThan(10);
  }
  expect(new Set(guides.map(({ id }) => id)).size).toBe(guides.length);
});

test('an id nobody wrote a guide for shows the first', () => {
  expect(guideOf('nothing')).toBe(guides[0]);
  expect(guideOf('keycloak').name).toBe('Keycloak');
});
