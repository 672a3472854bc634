import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where the page is built to: the wheel's hook and `.ci/studio` say it. */
const out = process.env.STUDIO_OUT ?? "dist";

export default defineConfig({
  // `tree` makes elements one by one, and none out of texts: the strictest policy of a browser lets it.
  plugins: [svelte({ compilerOptions: { fragments: "tree" } })],
  build: { outDir: out, emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false, target: "es2022" },
  test: { environment: "node", include: ["src/**/*.test.ts"] },
});
