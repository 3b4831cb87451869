import * as z from 'zod/mini';
import { configSchema } from './config-schema.ts';

const ID = 'https://minutehand.dev/schemas/config-v1.json';

/** The rules of a configuration as far as a JSON schema can say them, for editors. */
export function configJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configSchema(), { target: 'draft-2020-12' });
  return { $schema, $id: ID, title: 'Minutehand configuration', ...schema };
}
