/**
 * The text of a module that tells on the third channel, of each part of the program that is loaded, whether compiled
 * code was there for it, and was taken.
 */
export const TELL_PARTS = `
  import { writeSync } from 'node:fs';
  import vm from 'node:vm';
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(source, options) {
      super(source, options);
      const word = options.cachedData === undefined ? 'none' : this.cachedDataRejected ? 'refused' : 'taken';
      writeSync(3, /([^/]+)\\.cjs$/.exec(options.filename)[1] + ' ' + word + '\\n');
    }
  };
`;
