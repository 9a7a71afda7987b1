import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// The service that answers /api while pages are developed with reload (`npm run dev`).
const service = process.env['QUARTERDECK_URL'] ?? 'http://127.0.0.1:8790';

/**
 * What comes with the frame: the frame itself with all it imports, and small parts that nearly every page has. Each of those would be a file of its own,
 * whose headers are larger than it.
 */
const inMain =
  /\/src\/(?:main\.tsx|api\/(?:command|ledger|pods|totals)\.ts|shared\/(?:chart\/Spark|controls\/(?:Check|ExportMenu|Segmented|Select)|format\/sentence|panel\/Panel)\.tsx?)$|\/lucide-react\/dist\/esm\/icons\/(?:arrow-up|coins|cpu|package)\.m?js$/;

/** What the page that is mostly opened first needs beside the frame: its own chunk, that of the chart, and the letters. */
const prefetched = /\/(?:(?:OverviewPage|Plot)-.{8}\.js|(?:inter|jetbrains-mono)-english-[^/]+\.woff2)$/;

/** Has index.html name them: a browser would find the page and the chart after the frame, and letters only when there is text. */
function prefetch(): Plugin {
  return {
    name: 'prefetch',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => prefetched.test(`/${name}`))
          .map((name) => ({
            tag: 'link',
            attrs: name.endsWith('.js')
              ? { rel: 'modulepreload', crossorigin: true, href: `/${name}` }
              : { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** The file of licenses, to which the page for signing in leads. */
const licenses = 'licenses.txt';

/** Vite names the libraries of the scripts in it; letters come through styles and are added here. */
function licensesOfLetters(): Plugin {
  let root = '';
  let folder = '';
  return {
    name: 'licenses-of-letters',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      folder = join(root, config.build.outDir);
    },
    closeBundle() {
      for (const name of ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono']) {
        const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
        appendFileSync(join(folder, licenses), `\n## ${name} (OFL-1.1)\n\n${text}`);
      }
    },
  };
}

/** Files that become smaller, and what is too short to. */
const packable = { names: /\.(?:css|html|js|json|mjs|svg|txt|webmanifest)$/, bytes: 1024 };

/** Writes each of them in brotli and in gzip beside itself: the service sends what a browser takes. */
function pack(): Plugin {
  let folder = '';
  return {
    name: 'pack',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const name of names.filter((name) => packable.names.test(name))) {
        const file = join(folder, name);
        const bytes = readFileSync(file);
        if (bytes.length < packable.bytes) continue;
        const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: hint }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/**
 * Tests that put a module of their own in the place of one of ours. They run in a document each: a document and every module anew are most of what a file of
 * tests costs, so all others share theirs.
 */
const mocking = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));

export default defineConfig({
  plugins: [react(), prefetch(), licensesOfLetters(), pack()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2023',
    // Inlined files would be `data:` addresses, which the content policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: licenses },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // What every page is made of, in one chunk: each one more is asked for and found apart.
      output: { codeSplitting: { groups: [{ name: 'main', test: inMain }] } },
    },
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true, proxy: { '^/api/': { target: service, ws: true } } },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test-setup.ts'],
    unstubGlobals: true,
    // A busy machine is no reason to fail.
    testTimeout: 60_000,
    // The default leaves a core unused, which is half of a machine of two.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: ['src/**/*.test.{ts,tsx}'], exclude: mocking, isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: mocking } },
    ],
  },
});
