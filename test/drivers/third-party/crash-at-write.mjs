// Ends the process at its nth write, before or after it: `CRASH='3 after' node --import …/crash-at-write.mjs …`.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [nth, when] = (process.env.CRASH ?? '').split(' ');
let writes = 0;
for (const name of ['writeFileSync', 'renameSync']) {
  const write = fs[name];
  fs[name] = (...args) => {
    writes += 1;
    const isLast = writes === Number(nth);
    if (isLast && when === 'before') process.exit(9);
    write(...args);
    if (isLast) process.exit(9);
  };
}
syncBuiltinESMExports();
