import type { VersionFlags } from '#cli/command/version.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { VERSION } from '#cli/version-number.ts';

/** What runs here; the time zone data decide slots as much as this program does. */
export async function version({ output }: VersionFlags, io: Io): Promise<ExitCode> {
  const { node, timeZoneData, platform } = io.runtime;
  const facts = { version: VERSION, node, timeZoneData, platform };
  switch (output) {
    case 'json':
      io.stdout.write(`${JSON.stringify(facts, undefined, 2)}\n`);
      return EXIT.done;
    case 'yaml':
      for (const [name, value] of Object.entries(facts))
        io.stdout.write(`${name}: ${JSON.stringify(value)}\n`);
      return EXIT.done;
    case 'text':
      io.stdout.write(`minutehand ${VERSION} (Node ${node}, time zone data ${timeZoneData}, ${platform})\n`);
      return EXIT.done;
  }
}
