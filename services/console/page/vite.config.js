import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const running = process.env['PERIGEE_CONSOLE'] ?? 'http://127.0.0.1:40180';

// The program embeds the game's module from client/browser/dist.
const withoutModule = {
  name: 'without-module',
  generateBundle(_, bundle) {
    delete bundle['skiff.wasm'];
  },
};

// dist/ is checked in, and the console sends `cache-control: no-cache`: names have no hashes.
export default defineConfig({
  base: './',
  plugins: [withoutModule],
  resolve: { alias: { '@perigee/client': here('../../../client/browser/dist/index.js') } },
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' } },
  },
  build: {
    outDir: here('../dist'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1024,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: '[name][extname]',
        codeSplitting: {
          groups: [
            { name: 'three', test: /node_modules\/three\// },
            { name: 'lit', test: /node_modules\/(lit|@lit|lit-html|lit-element)\// },
            { name: 'uplot', test: /node_modules\/uplot\// },
          ],
        },
      },
    },
  },
  // `npm run dev`: the pages from their sources, everything else from a running console.
  server: {
    proxy: {
      '/api': { target: running, changeOrigin: true },
      '/v1': { target: running, changeOrigin: true },
      '/dashboards': { target: running, changeOrigin: true },
      '/live': { target: running, ws: true, changeOrigin: true },
      '/relay': { target: running, ws: true, changeOrigin: true },
    },
    fs: { allow: [here('.'), here('../../../client/browser/dist')] },
  },
});
