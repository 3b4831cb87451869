import { toJson } from '#render/json.ts';
import type { OutputFormat } from './flags.ts';
import type { Io } from './io.ts';

/** The same thing as data and as text; only the one that is asked for is made. */
export interface View {
  readonly document: () => unknown;
  readonly text: () => string;
}

/** Prints data: the document in the form that was asked for, or the text that a person reads. */
export async function print(output: OutputFormat, view: View, io: Io): Promise<void> {
  switch (output) {
    case 'text':
      io.stdout.write(view.text());
      return;
    case 'json':
      io.stdout.write(toJson(view.document()));
      return;
    case 'yaml': {
      const { toYaml } = await import('#render/yaml.ts');
      io.stdout.write(toYaml(view.document()));
      return;
    }
  }
}
