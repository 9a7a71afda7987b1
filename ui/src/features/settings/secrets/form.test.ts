import { expect, test } from 'vitest';
import { hostsOf, namedAs, noDraft, problemsOf, requestOf } from './form';

test('hosts stand on lines or between commas', () => {
  expect(hostsOf(' api.GitHub.com,\n*.example.com ')).toEqual(['api.github.com', '*.example.com']);
  expect(hostsOf('')).toEqual([]);
});

test('a secret has a name of its own, and a value or hosts', () => {
  const sound = { name: 'DEPLOY_KEY', value: 'x', hosts: 'api.github.com *.example.com' };
  expect(problemsOf(sound, ['OTHER'])).toEqual({});
  expect(problemsOf({ ...sound, value: '' }, [])).toEqual({});
  expect(problemsOf({ ...sound, name: 'a b' }, []).name).toContain('GITHUB_TOKEN');
  expect(problemsOf(sound, ['DEPLOY_KEY']).name).toContain('already');
  expect(problemsOf(sound, ['DEPLOY_KEY'], 'DEPLOY_KEY')).toEqual({});
  expect(problemsOf({ ...sound, hosts: 'https://a.example' }, []).hosts).toContain('https://a.example');
  expect(problemsOf(noDraft, []).value).toContain('Enter the secret');
});

test('what is left empty is left out, but the hosts of a known secret', () => {
  const draft = { name: ' GITHUB_TOKEN ', value: 'x', hosts: '' };
  expect(requestOf(draft, false)).toEqual({ name: 'GITHUB_TOKEN', value: 'x' });
  expect(requestOf({ ...draft, value: '' }, true)).toEqual({ name: 'GITHUB_TOKEN', hosts: [] });
  expect(requestOf({ ...draft, hosts: 'a.example' }, false).hosts).toEqual(['a.example']);
});

test('a definition calls it by its name', () => {
  expect(namedAs('DEPLOY_KEY')).toBe('{{ Secrets.DEPLOY_KEY }}');
  expect(namedAs(' ')).toBe('{{ Secrets.NAME }}');
});
