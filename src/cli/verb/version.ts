import type { VersionFlags } from '#cli/command/version.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { VERSION } from '#cli/version-number.ts';
import { versionText } from '#cli/version-text.ts';

/** What runs here, as text or as data. */
export async function version({ output }: VersionFlags, io: Io): Promise<ExitCode> {
  const facts = { version: VERSION, ...io.runtime };
  switch (output) {
    case 'json':
      io.stdout.write(`${JSON.stringify(facts, undefined, 2)}\n`);
      return EXIT.done;
    case 'yaml':
      for (const [name, value] of Object.entries(facts))
        io.stdout.write(`${name}: ${JSON.stringify(value)}\n`);
      return EXIT.done;
    case 'text':
      io.stdout.write(versionText(io.runtime));
      return EXIT.done;
  }
}
