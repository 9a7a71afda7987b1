import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// The service that answers /api while pages are developed with reload (`npm run dev`).
const service = process.env['QUARTERDECK_URL'] ?? 'http://127.0.0.1:8790';

/** What the page that is mostly opened first is made of, by the names of its chunks; its letters. */
const first = { chunks: ['main', 'Plot'], letters: /\/(?:inter|jetbrains-mono)-latin-wght-normal-[^/]+\.woff2$/ };

/**
 * Has index.html name all of that: a browser would find one chunk after the other, and letters only when there is text. The code is fetched at once;
 * public/first.js puts it into the page.
 */
function nameWhatComesFirst(): Plugin {
  return {
    name: 'name-what-comes-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
        const named = first.chunks.flatMap((name) => chunks.find((chunk) => chunk.name === name) ?? []);
        const main = named[0];
        if (named.length < first.chunks.length || !main)
          throw new Error(`Of the chunks ${first.chunks.join(', ')} one is missing.`);
        const found = new Set<string>();
        const add = (name: string) => {
          const chunk = bundle[name];
          if (chunk?.type !== 'chunk' || found.has(name)) return;
          found.add(name);
          chunk.imports.forEach(add);
        };
        for (const { fileName } of named) add(fileName);
        const styles = [...found].flatMap((name) => {
          const chunk = bundle[name];
          return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
        });
        const letters = Object.keys(bundle).filter((name) => first.letters.test(name));
        const link = (attrs: Record<string, string | boolean>) => ({ tag: 'link', attrs, injectTo: 'head' as const });
        const own = html
          .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
          .replace('src="/first.js"', `src="/first.js" data-main="/${main.fileName}"`);
        const isNew = (name: string) => !own.includes(`href="/${name}"`);
        const tags = [
          ...letters.map((name) =>
            link({ rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` }),
          ),
          ...[...found]
            .filter(isNew)
            .map((name) => link({ rel: 'modulepreload', crossorigin: true, href: `/${name}` })),
          ...[...new Set(styles)]
            .filter(isNew)
            .map((name) => link({ rel: 'stylesheet', crossorigin: true, href: `/${name}` })),
        ];
        return { html: own, tags };
      },
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

export default defineConfig({
  plugins: [react(), nameWhatComesFirst(), pack()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2023',
    // Inlined files would be `data:` addresses, which the content policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // What every page is made of, in one chunk: each one more is asked for and found apart.
      output: { codeSplitting: { groups: [{ name: 'main', test: /\/src\/main\.tsx$/ }] } },
    },
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true, proxy: { '/api': service } },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'], setupFiles: ['src/test-setup.ts'] },
});
