/** Flags for a Node that runs the text of a module before its program. */
export function preload(module: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(module)}`];
}

/**
 * Text of a module that begins with `peak()`: the most memory that its process held, in kilobytes. On Linux `maxRSS` would
 * begin with what the process held that started it.
 */
export const WITH_PEAK = `
  import { readFileSync, writeSync } from 'node:fs';
  function peak() {
    if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
    return Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  }
`;
