import { argv, stdout } from 'node:process';
import { lockHolder } from '#store/directory/holder.ts';
import type { StateFiles } from '#store/directory/state-files.ts';
import { machineFiles } from '#store/directory/state-files.ts';
import { runTick } from '#test/store/directory/process/run-tick.ts';

/** Says one character before each operation on a file, so that the parent can choose when to kill. */
function audible(files: StateFiles): StateFiles {
  function say<A extends readonly unknown[], R>(run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return (...args) => {
      stdout.write('.');
      return run(...args);
    };
  }
  return {
    read: say(files.read),
    realPath: say(files.realPath),
    list: say(files.list),
    writeNew: say(files.writeNew),
    rename: say(files.rename),
    link: say(files.link),
    remove: say(files.remove),
    makeFolder: say(files.makeFolder),
    syncFolder: say(files.syncFolder),
  };
}

const state = argv[2] ?? '';
for (;;) await runTick({ state, holder: lockHolder(), files: audible(machineFiles) });
