import { changeSetJsonSchema } from '#cli/change-set-schema.ts';
import { comparisonJsonSchema } from '#cli/comparison/comparison-schema.ts';
import { configJsonSchema } from '#cli/config-json-schema.ts';
import { logLineJsonSchema } from '#cli/log-line-schema.ts';
import type { Generated } from './generated.ts';

function schemaFile(path: string, make: () => object): Generated {
  return { path, make: async () => `${JSON.stringify(make(), undefined, 2)}\n` };
}

/** What `plan -o json`, `diff -o json` and the log print, for tools that check it, and what `--config` reads, for editors. */
export const SCHEMAS: readonly Generated[] = [
  schemaFile('examples/change-set.schema.json', changeSetJsonSchema),
  schemaFile('examples/comparison.schema.json', comparisonJsonSchema),
  schemaFile('examples/config.schema.json', configJsonSchema),
  schemaFile('examples/log-line.schema.json', logLineJsonSchema),
];
