// Colours lines of standard input with the extension's grammars, inside a small one of YAML: `words scope` for each token.
// node grammar.cjs FOLDER_OF_THE_EXTENSION

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const folder = process.argv[2];
const textmate = require(join(folder, "node_modules/vscode-textmate"));
const oniguruma = require(join(folder, "node_modules/vscode-oniguruma"));
const contributed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).contributes.grammars;

const yaml = {
  scopeName: "source.yaml",
  patterns: [
    { match: "#.*$", name: "comment" },
    { match: "([\\w.]+)(:)(?=\\s|$)", captures: { 1: { name: "key" }, 2: { name: "punctuation" } } },
    { begin: '"', end: '"', name: "string" },
    { match: "[{}\\[\\],]|^\\s*- ", name: "punctuation" },
    { begin: "(?=\\S)", end: "(?=\\s*$|\\s+#|[,}])", name: "string" },
  ],
};

async function main() {
  await oniguruma.loadWASM(readFileSync(join(folder, "node_modules/vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const own = contributed.find((each) => each.scopeName === scope);
      return own === undefined ? yaml : JSON.parse(readFileSync(join(folder, own.path), "utf8"));
    },
    getInjections: (scope) =>
      contributed.filter((each) => (each.injectTo ?? []).includes(scope)).map((each) => each.scopeName),
  });
  const grammar = await registry.loadGrammar("source.rulespec");
  let stack = textmate.INITIAL;
  for (const line of readFileSync(0, "utf8").split("\n")) {
    const found = grammar.tokenizeLine(line, stack);
    stack = found.ruleStack;
    for (const token of found.tokens) {
      const words = line.slice(token.startIndex, token.endIndex).trim();
      if (words !== "") {
        console.log(`${words} ${token.scopes.at(-1).replace(/\.rulespec$/, "")}`);
      }
    }
  }
}

void main();
