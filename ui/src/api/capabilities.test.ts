import { expect, test } from 'vitest';
import { lacking, lackingWords } from './capabilities';

const offered = { fields: new Set(['spends']), areas: ['graphql', 'imports'] };

test('what another version lacks is named, and what is not known is taken to be there', () => {
  expect(lacking({ fields: ['spends'], area: 'imports' }, offered)).toBeUndefined();
  expect(lacking({ fields: ['spends', 'events'] }, offered)).toBe('events');
  expect(lacking({ area: 'backups', fields: ['events'] }, offered)).toBe('backups');
  expect(lacking({ area: 'backups', fields: ['events'] }, { fields: undefined, areas: undefined })).toBeUndefined();
});

test('the reason names both versions', () => {
  expect(lackingWords('backups', 'Plant', '0.0.9', '0.1.0')).toBe(
    'Plant runs version 0.0.9, which does not have this (backups). Version 0.1.0 is on this computer.',
  );
});
