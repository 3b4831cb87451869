import { changeSetJsonSchema } from '#cli/change-set-schema.ts';
import type { Generated } from './generated.ts';

/** What `plan -o json` prints, for tools that check it. */
export const SCHEMA: Generated = {
  path: 'examples/change-set.schema.json',
  make: async () => `${JSON.stringify(changeSetJsonSchema(), undefined, 2)}\n`,
};
