import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import ts from 'typescript-eslint';

/** Rooms a folder must not import from; the house keeps its arrows with this list. */
function rooms(files, groups, message) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [{ group: groups, message }] }] } };
}

export default ts.config(
  { ignores: ['dist', 'src/api/generated'] },
  js.configs.recommended,
  ...ts.configs.strict,
  hooks.configs.flat['recommended-latest'],
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: { globals: globals.browser },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-invalid-void-type': 'off',
      // TanStack Table and Virtual return functions the React compiler cannot memoise; we do not use the compiler.
      'react-hooks/incompatible-library': 'off',
    },
  },
  {
    files: ['scripts/**', '*.config.js', 'public/**'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  rooms(
    ['src/features/**'],
    ['@/app', '@/app/*', '@/features/*', '../*/**', '../../*', '@tauri-apps/*'],
    'A feature imports @/shared, @/api, @/host and its own files only.',
  ),
  rooms(
    ['src/shared/**'],
    ['@/app', '@/app/*', '@/features/*', '@/api', '@/api/*', '@/host', '@/host/*', '@tauri-apps/*'],
    'shared knows no area and no service.',
  ),
  rooms(['src/api/**'], ['@/app', '@/app/*', '@/features/*', '@tauri-apps/*'], 'api imports @/shared only.'),
  rooms(
    ['src/host/browser.ts', 'src/host/index.ts', 'src/app/**'],
    ['@tauri-apps/*'],
    'Only src/host/desktop.ts knows the shell.',
  ),
);
