// What `import "precis"` gives under Bun at once. The build adds the rest of index.ts as functions that load it when
// one of them is first called: Bun parses a module twice before it runs, so what is not used yet must not be read.
export { ERROR_CODES } from "./errors/codes.ts";
export { CompactionError, isCompactionError } from "./errors/compaction-error.ts";
