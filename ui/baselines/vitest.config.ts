import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Pictures of pages need a service that was built (`make test-baselines`); `npm test` runs without one.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  resolve: { alias: { '@': fileURLToPath(new URL('../src', import.meta.url)) } },
  test: {
    environment: 'node',
    include: ['baselines/**/*.test.ts'],
    // The pictures stand on one service and one browser, and no page waits for another one's processor.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
