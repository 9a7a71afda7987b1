import { expect, test } from 'vitest';
import type { Json } from '@/api';
import { findIn, likeOf, nameOnlyOf, soughtOf, yamlOf } from './manifest';

const pod: Json = {
  status: { phase: 'Running' },
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web-1', labels: { 'app.kubernetes.io/name': 'web', on: 'true' } },
  spec: {
    containers: [
      { name: 'web', image: 'shop/web:1.2', args: [], command: ['sh', '-c', 'a\nb\n'] },
      { name: 'proxy', image: 'envoy:3' },
    ],
    replicas: 3,
    script: 'one\ntwo\n',
  },
};

test('a path finds values of all elements, of one, and those with a text', () => {
  const at = (text: string) => findIn(pod, soughtOf(text)).map(({ path, value }) => `${path} ${value}`);
  expect(at('spec.containers[*].image')).toEqual([
    'spec.containers[0].image shop/web:1.2',
    'spec.containers[1].image envoy:3',
  ]);
  expect(at('.spec.containers[1].name')).toEqual(['spec.containers[1].name proxy']);
  expect(at('spec.containers[*].image = ENVOY')).toEqual(['spec.containers[1].image envoy:3']);
  expect(at('spec.replicas=3')).toEqual(['spec.replicas 3']);
  expect(at('metadata.labels["app.kubernetes.io/name"]')).toEqual(['metadata.labels["app.kubernetes.io/name"] web']);
  expect(at('spec.nothing.here')).toEqual([]);
});

test('anything else is a text that values and names have', () => {
  const at = (text: string) => findIn(pod, soughtOf(text)).map(({ path }) => path);
  expect(at('envoy:3')).toEqual(['spec.containers[1].image']);
  expect(at('shop/web:1.2')).toEqual(['spec.containers[0].image']);
  expect(at('containers')).toEqual(['spec.containers']);
  expect(at(' ')).toEqual([]);
});

test('the service is asked for the value, else for the last name', () => {
  expect(likeOf(soughtOf('spec.containers[*].image'))).toBe('%image%');
  expect(likeOf(soughtOf('spec.containers[*].image = a_b'))).toBe('%a\\_b%');
  expect(likeOf(soughtOf('spec.containers[*]'))).toBe('%containers%');
  expect(likeOf(soughtOf('100%'))).toBe('%100\\%%');
  expect(likeOf(soughtOf('say "hi"'))).toBe('%say \\\\"hi\\\\"%');
});

test('YAML is in the order of kubectl and quotes what would read as something else', () => {
  expect(yamlOf(pod)).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: web-1
  labels:
    app.kubernetes.io/name: web
    "on": "true"
spec:
  containers:
  - name: web
    image: shop/web:1.2
    args: []
    command:
    - sh
    - "-c"
    - "a\\nb\\n"
  - name: proxy
    image: envoy:3
  replicas: 3
  script: |
    one
    two
status:
  phase: Running
`);
  expect(yamlOf(null)).toBe('');
});

test('an object that was too large to be kept is known by its name alone, and is not said to be whole', () => {
  const named = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'rules', namespace: 'shop', uid: '1' } };
  expect(nameOnlyOf(named)).toEqual({ kind: 'configmap', name: 'rules -n shop' });
  expect(nameOnlyOf({ kind: 'Namespace', metadata: { name: 'shop' } })).toEqual({ kind: 'namespace', name: 'shop' });
  expect(nameOnlyOf({ ...named, data: { a: '1' } })).toBeUndefined();
  expect(nameOnlyOf({ ...named, metadata: { ...named.metadata, labels: {} } })).toBeUndefined();
});
