#!/usr/bin/env node
import process from 'node:process';
import { EXIT } from '#cli/exit-code.ts';
import { nodeProblem } from '#cli/node-version.ts';
import { versionText } from '#cli/version-text.ts';
import { partLoader } from './load-part.ts';
import { processOutput } from './process-output.ts';
import { runtime } from './runtime.ts';
import { keepYoungGenerationSmall } from './young-generation.ts';

/*
 * The start of the process, as small as can be: Node reads and compiles it anew each time. In the build the rest is a
 * part beside it that comes compiled; among the sources it is a module.
 */

declare const IS_BUILT: boolean | undefined;

type Program = typeof import('./program.ts');

async function program(): Promise<Program> {
  return typeof IS_BUILT === 'undefined'
    ? import('./program.ts')
    : (partLoader(process.argv[2])('program') as Program);
}

/** Health checks ask this, and it needs nothing of the rest. */
function asksVersion(argv: readonly string[]): boolean {
  return argv.length === 1 && (argv[0] === 'version' || argv[0] === '--version');
}

function tellVersion(): number {
  let code: number = EXIT.done;
  const output = processOutput(1, () => {
    code = EXIT.failed;
    process.exitCode = code;
  });
  output.write(versionText(runtime()));
  return code;
}

async function main(argv: readonly string[]): Promise<number> {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`error: ${problem}\n`);
    return EXIT.usage;
  }
  if (asksVersion(argv)) return tellVersion();
  try {
    const { runProgram } = await program();
    return await runProgram(argv, keepYoungGenerationSmall);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`minutehand: this is a fault of the program, please report it\n${detail}\n`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
