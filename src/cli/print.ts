import { toJson } from '#render/json.ts';
import type { OutputFormat } from './flags.ts';
import type { Io } from './io.ts';
import type { Renderers } from './reports.ts';

/** The same thing as data and as text; only the one that is asked for is made. */
export interface View {
  readonly document: () => unknown;
  readonly text: () => string;
}

export function documentRenderers({ document, text }: View): Renderers<OutputFormat> {
  return {
    text,
    json: () => toJson(document()),
    yaml: async () => (await import('#render/yaml.ts')).toYaml(document()),
  };
}

/** Prints data: the document in the form that was asked for, or the text that a person reads. */
export async function print(output: OutputFormat, view: View, io: Io): Promise<void> {
  io.stdout.write(await documentRenderers(view)[output]());
}
